// `repertoire upkeep`: which skills need a look, and what to do. Findings are advice: as for `check`, they are no failure.
import { createUpkeepPort } from '../../app/upkeep.ts';
import type { Logs } from '../../operations/log.ts';
import { lookAfter, type UpkeepReport, USUAL_WINDOW, upkeepJson } from '../../operations/upkeep.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import { counted } from '../../text/counted.ts';
import { windowWords } from '../../values/duration-ms.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { openCatalogOnce } from './open-catalog-once.ts';
import { findDataFault, isStoreThere, withStore } from './open-store.ts';
import { renderUpkeep, upkeepLines } from './render-upkeep.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { startProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { type TypedDefinitions, withTypedDefinitions } from './typed-definitions.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const fault = findDataFault(context);
  if (fault !== undefined) return exitSaying(context, fault, 1);
  return withTypedDefinitions(context, (typed, own) =>
    // Looking for a log must not create one.
    isStoreThere(own.settings) ? withStore(own, (store) => show(own, typed, store)) : show(own, typed, undefined),
  );
}

type UsedLogs = Pick<Logs, 'invocations' | 'loads'>;

async function show(context: CommandContext, typed: TypedDefinitions, logs: UsedLogs | undefined): Promise<ExitCode> {
  const { flags, output, errors } = context;
  const report = await look(context, typed, logs);
  if (flags.has('json')) output.write(toJsonText(upkeepJson(report)));
  else
    output.write(
      output.isTerminal ? renderUpkeep(report, (words) => hintLine(context, words), output) : upkeepLines(report),
    );
  if (report.skills === 0) saySentence(errors, 'No skills found: a skill is a folder with a SKILL.md in it');
  else if (report.findings.length === 0 && !output.isTerminal && !flags.has('json'))
    saySentence(errors, `Nothing to do: ${counted(report.skills, 'skill')} looked at`);
  if (report.skills > 0 && !report.hasUses)
    saySentence(
      errors,
      `Nothing was recorded in the last ${windowWords(report.window)}: which skills are never used is not known; look further back with --window 90d, or name the log with --data`,
    );
  return 0;
}

async function look(
  context: CommandContext,
  { runtime }: TypedDefinitions,
  logs: UsedLogs | undefined,
): Promise<UpkeepReport> {
  const { settings, values, errors } = context;
  const catalog = await openCatalogOnce(context);
  const progress = startProgress(errors, Date.now);
  try {
    const ports = {
      repertoire: createRepertoire(catalog, { runtime }),
      logs,
      now: () => new Date(),
      upkeep: createUpkeepPort(settings, true),
    };
    return await lookAfter(values.get('window')?.[0] ?? USUAL_WINDOW, ports, progress.update);
  } finally {
    progress.end();
    catalog.close();
  }
}
