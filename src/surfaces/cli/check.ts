// `repertoire check [PATH]`: the rules, the advice and the inspection, for people and for CI. Exit 1 when it should fail.

import type { Catalog } from '../../catalog/catalog.ts';
import { toAbsolute } from '../../settings/config.ts';
import { counted, grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { type CheckedProblem, type CheckReport, createCheckReport, isFailing } from './check-report.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { definitionIssue, unloadedIssue } from './definition-issue.ts';
import { openListedTyped, withSettings } from './listed-typed.ts';
import { openOnce } from './open-once.ts';
import { openPath } from './open-path.ts';
import { renderCheckAnnotations, renderCheckJson, renderCheckText, type ShowPath } from './render-check.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { startProgress } from './terminal/progress.ts';

export async function run(given: CommandContext): Promise<ExitCode> {
  const typed = await checkTyped(given);
  const context = withSettings(given, typed.settings);
  const { environment, output, errors, operands } = context;
  const opened = await open(context);
  if (typeof opened === 'string') {
    errors.write(`Cannot check "${toOneLine(operands[0] ?? '')}": ${opened}\n`);
    return 2;
  }
  const report = withTyped(await reportOn(opened, context), typed.problems);
  const showPath: ShowPath = (file) => toDisplayPath(file, environment);
  output.write(render(report, showPath, context));
  if (report.skillsChecked > 0 || report.problems.length > 0) return isFailing(report) ? 1 : 0;
  errors.write('No skills found: a skill is a folder with a SKILL.md in it\n');
  // A gate that looked at nothing must not say that all is well, if it was told where to look.
  return operands.length > 0 || context.values.has('root') ? 1 : 0;
}

interface CheckedTyped {
  /** With what the operator's file adds. */
  readonly settings: CommandContext['settings'];
  readonly problems: readonly CheckedProblem[];
}

/** Nothing is loaded without --config. */
async function checkTyped(context: CommandContext): Promise<CheckedTyped> {
  const { settings } = context;
  const typed = await openListedTyped(context);
  const file = settings.configFile ?? '';
  if (!typed.ok) return { settings, problems: [{ ...unloadedIssue(typed.failure), file }] };
  await typed.value.close();
  const problems = typed.value.problems.map((problem) => ({ ...definitionIssue(problem), file }));
  return { settings: typed.value.settings, problems };
}

const withTyped = (report: CheckReport, refused: readonly CheckedProblem[]): CheckReport => ({
  ...report,
  problems: [...report.problems, ...refused],
});

async function open(context: CommandContext): Promise<Catalog | string> {
  const path = context.operands[0];
  if (path === undefined) return openOnce(context);
  const opened = await openPath(toAbsolute(path, context.environment), context.settings);
  return opened.ok ? opened.value : opened.failure;
}

async function reportOn(catalog: Catalog, { errors }: CommandContext): Promise<CheckReport> {
  const progress = startProgress(errors, Date.now);
  const total = catalog.current.skills.length;
  try {
    return await createCheckReport(catalog, (done) => {
      progress.update(`Checking… ${grouped(done)} of ${counted(total, 'skill')}`);
    });
  } finally {
    progress.end();
    catalog.close();
  }
}

function render(report: CheckReport, showPath: ShowPath, { flags, values, output }: CommandContext): string {
  const format = flags.has('json') ? 'json' : values.get('format')?.[0];
  if (format === 'json') return renderCheckJson(report, showPath);
  if (format === 'github') return renderCheckAnnotations(report, showPath);
  return renderCheckText(report, showPath, output);
}
