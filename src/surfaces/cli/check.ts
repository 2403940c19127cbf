// `repertoire check [PATH]`: the rules, the advice and the inspection, for people and for CI. Exit 1 when it should fail.
import { basename, dirname, join } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { contentOf, type Problem, type Skill } from '../../catalog/view/skill.ts';
import type { Snapshot } from '../../catalog/view/snapshot.ts';
import type { Issue, Severity } from '../../document/issue.ts';
import { parseSkillDocument } from '../../document/skill-document.ts';
import { adviseDocument } from '../../document/validate.ts';
import { readYamlFrontmatter } from '../../document/yaml-frontmatter.ts';
import { toAbsolute } from '../../settings/config.ts';
import { counted, grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { findingLines, findingWeight } from './finding-lines.ts';
import { inspectSkill, type LocatedFinding } from './inspect-skill.ts';
import { openCatalogOnce, openPath } from './open-catalog-once.ts';
import { remarkLines } from './problem-lines.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying, type Layout, saySentence } from './terminal/output.ts';
import { startProgress, withProgress } from './terminal/progress.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { joinSections } from './terminal/text-layout.ts';
import { openTypedDefinitions, type TypedDefinitions, unloadedIssue, withSettings } from './typed-definitions.ts';

export async function run(given: CommandContext): Promise<ExitCode> {
  const typed = await openTypedDefinitions(given);
  await typed.close();
  const context = withSettings(given, typed.settings);
  const { environment, output, errors, operands } = context;
  const opened = await open(context);
  if (!opened.ok) return exitSaying(context, `Cannot check "${operands[0] ?? ''}": ${opened.failure}`, 2);
  const file = given.settings.configFile ?? '';
  const documents = await reportOn(opened.value, context);
  const ofTyped = [...typed.refused, ...(await findLimitIssues(context)), ...typed.remarks].map((issue) => ({
    ...issue,
    file,
  }));
  const isToldWhere = operands.length > 0 || context.values.has('root');
  const skillsChecked =
    documents.skillsChecked + (isToldWhere && documents.skillsChecked === 0 ? 0 : countDefinitions(typed));
  const report = { ...documents, skillsChecked, problems: [...documents.problems, ...ofTyped] };
  output.write(render(report, (path) => toDisplayPath(path, environment), context));
  if (report.skillsChecked > 0 || report.problems.length > 0) return isFailing(report) ? 1 : 0;
  saySentence(errors, 'No skills found: a skill is a folder with a SKILL.md in it');
  // A gate that looked at nothing must not say that all is well, if it was told where to look.
  return isToldWhere ? 1 : 0;
}

/** Those of the file, whether they are served or not. */
const countDefinitions = ({ skills, refused }: TypedDefinitions): number =>
  skills.length + refused.filter(({ rule }) => rule === 'typed-skill-refused').length;

/** What would keep a server from starting: an entry of `visible` about a root that is not searched (N4). */
async function findLimitIssues({ settings }: CommandContext): Promise<readonly Issue[]> {
  if (settings.visible.length === 0) return [];
  const { resolveVisibility } = await import('../../app/visibility.ts');
  const resolved = resolveVisibility(settings);
  return resolved.ok ? [] : [unloadedIssue(resolved.failure)];
}

async function open(context: CommandContext): Promise<Result<Catalog, string>> {
  const path = context.operands[0];
  if (path === undefined) return ok(await openCatalogOnce(context));
  const { environment, settings, errors } = context;
  return withProgress(errors, 'Scanning…', () => openPath(toAbsolute(path, environment), settings));
}

async function reportOn(catalog: Catalog, { errors }: CommandContext): Promise<CheckReport> {
  const progress = startProgress(errors, Date.now);
  const total = catalog.current.skills.length + catalog.current.unnamed.length;
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

export interface CheckedProblem extends Issue {
  /** Absolute. */
  readonly file: string;
}

export interface CheckedFinding extends Omit<LocatedFinding, 'path'> {
  /** Absolute. */
  readonly file: string;
}

export interface CheckReport {
  readonly skillsChecked: number;
  readonly problems: readonly CheckedProblem[];
  readonly findings: readonly CheckedFinding[];
}

/** `onSkill` is told how many skills are done. */
export async function createCheckReport(catalog: Catalog, onSkill: (done: number) => void): Promise<CheckReport> {
  await catalog.loadManifests();
  const { current } = catalog;
  const problems: CheckedProblem[] = current.problems.map(located);
  const findings: CheckedFinding[] = [];
  for (const [index, skill] of [...current.skills, ...current.unnamed].entries()) {
    problems.push(...adviceOn(skill, catalog));
    for (const { path, ...finding } of await inspectSkill(skill, catalog)) {
      findings.push({ ...finding, file: join(skill.baseDirectory, path) });
    }
    onSkill(index + 1);
  }
  return { skillsChecked: countSkills(current), problems, findings };
}

/** Advice and lower findings do not fail a check: honest skills have them. */
export function isFailing({ problems, findings }: CheckReport): boolean {
  return problems.some(({ severity }) => severity !== 'advice') || findings.some(({ severity }) => severity === 'high');
}

function located({ rootPath, path, source, ...issue }: Problem): CheckedProblem {
  return { ...issue, file: join(rootPath, path) };
}

function adviceOn(skill: Skill, catalog: Catalog): readonly CheckedProblem[] {
  const document = parseSkillDocument(contentOf(skill), readYamlFrontmatter)?.document;
  if (document === undefined) return [];
  const facts = { skillBytes: skill.bytes.length, files: catalog.manifestOf(skill).files };
  return adviseDocument(document, facts).map((issue) => ({ ...issue, file: skill.filePath }));
}

/** The served ones, and those that would be skills if they were not broken. */
function countSkills({ skills, problems }: Pick<Snapshot, 'skills' | 'problems'>): number {
  const files = new Set(skills.map((skill) => skill.filePath));
  for (const { rootPath, path } of problems) {
    if (basename(path).toLowerCase() === 'skill.md') files.add(join(rootPath, path));
  }
  return files.size;
}

/** How a file's absolute path is written. */
export type ShowPath = (file: string) => string;

export function renderCheckText(report: CheckReport, showPath: ShowPath, layout: Layout): string {
  const folderOf = createSkillFinder([...report.problems, ...report.findings]);
  const groups = new Map<string, string[]>();
  const add = (file: string, lines: readonly string[]) => {
    const folder = folderOf(file);
    const group = groups.get(folder);
    if (group) group.push(...lines);
    else groups.set(folder, [...lines]);
  };
  for (const problem of report.problems) add(problem.file, problemLines(problem, showPath, layout));
  for (const finding of report.findings) add(finding.file, findingLines(finding, place(finding, showPath), 0, layout));
  const ordered = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lines]) => lines);
  return joinSections([...ordered, [summaryLine(report, layout)]]);
}

/** The folder of the skill that a file belongs to, as far as the remarks tell; else the file's own. */
function createSkillFinder(remarks: readonly { readonly file: string }[]): (file: string) => string {
  const skillFiles = remarks.filter(({ file }) => basename(file).toLowerCase() === 'skill.md');
  const skillFolders = new Set(skillFiles.map(({ file }) => dirname(file)));
  return (file) => {
    for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
      if (skillFolders.has(folder)) return folder;
    }
    return dirname(file);
  };
}

function problemLines(problem: CheckedProblem, showPath: ShowPath, layout: Layout): readonly string[] {
  return remarkLines({ ...problem, label: problem.severity, where: place(problem, showPath) }, 0, layout);
}

function place({ file, line }: { readonly file: string; readonly line?: number }, showPath: ShowPath): string {
  return line === undefined ? showPath(file) : `${showPath(file)}:${line}`;
}

function summaryLine({ skillsChecked, problems, findings }: CheckReport, { paint }: Layout): string {
  const count = (severity: Severity) => problems.filter((problem) => problem.severity === severity).length;
  const parts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('advice'), 'piece of advice', 'pieces of advice'],
    [findings.length, 'finding'],
  ] as const;
  const said = parts.filter(([amount]) => amount > 0).map(([amount, one, many]) => counted(amount, one, many));
  const checked = `${counted(skillsChecked, 'skill')} checked`;
  if (skillsChecked === 0 && said.length === 0) return paint.yellow(checked);
  return said.length === 0 ? paint.green(`${checked}: all good`) : paint.bold(`${checked}: ${said.join(', ')}`);
}

export function renderCheckJson({ skillsChecked, problems, findings }: CheckReport, showPath: ShowPath): string {
  const remarkJson = ({ file, rule, severity, message, fix, line }: CheckedProblem | CheckedFinding) => ({
    path: showPath(file),
    rule,
    severity,
    message,
    fix,
    line: line ?? null,
  });
  return toJsonText({
    skills_checked: skillsChecked,
    problems: problems.map(remarkJson),
    findings: findings.map((finding) => ({ ...remarkJson(finding), excerpt: finding.excerpt })),
  });
}

const level = { error: 'error', warning: 'warning', advice: 'notice' } as const satisfies Record<
  Severity,
  Annotation['level']
>;

/** As GitHub's workflow commands, so that they appear at their line in a pull request. */
export function renderCheckAnnotations({ problems, findings }: CheckReport, showPath: ShowPath): string {
  const remarks = [
    ...problems,
    ...findings.map((finding) => ({ ...finding, severity: findingWeight[finding.severity] })),
  ];
  return remarks
    .map(({ file, line, rule, severity, message, fix }) =>
      toAnnotation({
        level: level[severity],
        file: toOneLine(showPath(file)),
        line,
        title: toOneLine(rule),
        message: toOneLine(`${message.replace(/\.$/, '')}. ${fix}`),
      }),
    )
    .join('');
}

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** Relative to the repository's top. */
  readonly file: string;
  readonly line: number | undefined;
  readonly title: string;
  readonly message: string;
}

export function toAnnotation({ level, file, line, title, message }: Annotation): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    ...(line ? [`line=${line}`] : []),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${escapeMessage(message)}\n`;
}

/** As @actions/core does it: the runner undoes exactly these. */
const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string => escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
