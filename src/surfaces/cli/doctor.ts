// `repertoire doctor`: everything that was looked at, what is wrong with it and what to do. Exit 1 when there are errors.
import { readFileSync } from 'node:fs';
import { sleep } from '../../async/sleep.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Problem } from '../../catalog/view/skill.ts';
import type { Issue } from '../../document/issue.ts';
import { startCatalog } from '../../open-catalog.ts';
import type { Environment, Settings } from '../../settings/config.ts';
import type { StoreKind } from '../../settings/store-place.ts';
import { counted, grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { problemLines, remarkLines } from './problem-lines.ts';
import { problemJson, type RootJson, rootJson } from './report-json.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import type { Layout } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';
import { joinCells, layTable } from './terminal/table.ts';
import { displayWidth, hangingText, joinSections } from './terminal/text-layout.ts';
import { openTypedDefinitions, type TypedDefinitions } from './typed-definitions.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { version, output, flags } = context;
  const typed = await openTypedDefinitions(context);
  // Watching on, to say whether it works here.
  const catalog = await startCatalog(typed.settings, { log: () => {}, watch: true });
  await watchingBegun(catalog);
  const facts = { version, ...readMachine(), store: storeOf(typed.settings, context) };
  const report = createDoctorReport(catalog, typed, facts);
  catalog.close();
  await typed.close();
  const json = () => toJsonText({ ...report, problems: report.problems.map(problemJson) });
  output.write(
    flags.has('json')
      ? json()
      : renderDoctor(report, output, { environment: context.environment, status: hintLine(context, []) }),
  );
  return hasErrors(report) ? 1 : 0;
}

const longestWaitMs = 5_000;
const betweenLooksMs = 25;

/** Watching begins shortly after the first scan; whether it works everywhere is known after one more look. */
async function watchingBegun(catalog: Catalog): Promise<void> {
  const isPending = () => catalog.roots.some((root) => root.state === 'found' && root.watching === 'off');
  for (let waited = 0; isPending() && waited < longestWaitMs; waited += betweenLooksMs) await sleep(betweenLooksMs);
  await catalog.refresh();
  await catalog.loadManifests();
}

export interface Machine {
  readonly node: string;
  readonly platform: string;
  /** Directories that one user may watch on Linux; null where there is no such limit. */
  readonly max_user_watches: number | null;
}

const readMachine = (): Machine => ({
  node: process.versions.node,
  platform: process.platform,
  max_user_watches: readMaxWatches(),
});

function readMaxWatches(): number | null {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')) || null;
  } catch {
    return null; // Not Linux, or a sandbox without /proc: there is no limit to report.
  }
}

/** Which store servers and commands use that are started like this. */
interface StoreFacts {
  readonly kind: StoreKind;
  /** What says that it is a PostgreSQL; null for the embedded one. */
  readonly named_by: '--database-url' | 'DATABASE_URL' | null;
  /** Of local files: the operator's token, and the embedded store. */
  readonly data_directory: string;
}

const storeOf = (
  { storePlace: { kind }, dataDirectory }: Settings,
  { values }: Pick<CommandContext, 'values'>,
): StoreFacts => ({
  kind,
  named_by: kind === 'sqlite' ? null : values.has('database-url') ? '--database-url' : 'DATABASE_URL',
  data_directory: dataDirectory,
});

/** What --json prints, with whole problems. */
export interface DoctorReport extends Machine {
  readonly version: string;
  readonly store: StoreFacts;
  readonly roots: readonly RootJson[];
  readonly skill_count: number;
  /** Names of the skills whose last good text is served (D8). */
  readonly fallback: readonly string[];
  /** Absent where no typed skills were asked for. */
  readonly typed_skill_count?: number;
  readonly refused_typed_skills?: readonly Issue[];
  readonly problems: readonly Problem[];
  /** About this machine rather than a skill. */
  readonly issues: readonly Issue[];
}

export function createDoctorReport(
  { current, roots }: Pick<Catalog, 'current' | 'roots'>,
  { runtime, skills, refused }: Pick<TypedDefinitions, 'runtime' | 'skills' | 'refused'>,
  facts: Machine & Pick<DoctorReport, 'version' | 'store'>,
): DoctorReport {
  const hasTyped = runtime !== undefined || refused.length > 0;
  return {
    ...facts,
    roots: roots.map(rootJson),
    skill_count: current.skills.length,
    fallback: current.skills.filter((skill) => skill.availability === 'fallback').map((skill) => skill.name),
    ...(hasTyped && { typed_skill_count: skills.length, refused_typed_skills: refused }),
    problems: current.problems,
    issues: [...nodeIssues(facts), ...watchIssues({ current, roots }, facts)],
  };
}

const allIssues = ({ problems, refused_typed_skills: refused = [], issues }: DoctorReport): readonly Issue[] => [
  ...problems,
  ...refused,
  ...issues,
];

export const hasErrors = (report: DoctorReport): boolean => allIssues(report).some(isError);

const isError = ({ severity }: Issue): boolean => severity === 'error';

/** As `engines` in package.json has it. */
function nodeIssues({ node }: Machine): readonly Issue[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 3) || major > 22) return [];
  return [
    {
      rule: 'node-too-old',
      severity: 'error',
      message: `Cannot promise to work on Node ${node}: it is neither 20.19 or a later 20, nor 22.3 or later`,
      fix: 'Install Node 22.3 or later',
    },
  ];
}

/** Skills have a few folders each; with the other programs of the user this is where watches begin to run out. */
const watchesPerSkill = 3;

function watchIssues(
  { current, roots }: Pick<Catalog, 'current' | 'roots'>,
  { max_user_watches: most }: Machine,
): readonly Issue[] {
  const polled = roots.some((root) => root.watching === 'polled');
  const near = most !== null && current.skills.length * watchesPerSkill > most / 2;
  if (!polled && !near) return [];
  const raise = 'Raise it: sudo sysctl fs.inotify.max_user_watches=524288';
  return [
    {
      rule: polled ? 'polled' : 'watch-limit-near',
      severity: 'warning',
      message: polled
        ? 'Cannot watch every folder: changes are looked for every few seconds instead, and are not seen at once'
        : `Watches may run out: this system allows ${most} per user`,
      fix: most === null ? 'Put skills on a local disk, where folders can be watched' : raise,
    },
  ];
}

interface DoctorWords {
  readonly environment: Environment;
  /** The command that shows how to make the first skill. */
  readonly status: string;
}

export function renderDoctor(report: DoctorReport, layout: Layout, { environment, status }: DoctorWords): string {
  const { version, node, platform } = report;
  return joinSections([
    [`${layout.paint.bold('Repertoire')} ${version} · Node ${node} · ${platform}`],
    rootSection(report.roots, layout),
    skillSection(report, layout),
    storeSection(report, layout, environment),
    ...problemSections(report.problems, layout),
    refusedSection(report, layout),
    machineSection(report, layout),
    [verdict(report, layout, status)],
  ]);
}

const WIDEST_LABEL = 36;

/** The path stands beside the others where there is room for it, else below. */
function rootSection(roots: readonly RootJson[], { paint, columns }: Layout): readonly string[] {
  const { rows } = layTable(roots, [
    { text: (_root, index) => String(index + 1), align: 'right' },
    { text: ({ label }) => label, most: WIDEST_LABEL },
    { text: rootFacts, paint: (text, { state }) => paint[stateColours[state]](text) },
  ]);
  const lines = rows.flatMap((cells, index) => {
    const line = `  ${cells.join('  ')}`;
    const path = toOneLine(roots[index]?.path ?? '');
    if (displayWidth(line) + 2 + displayWidth(path) <= columns) return [`${line}  ${paint.dim(path)}`];
    return [`  ${joinCells(cells)}`, `     ${paint.dim(path)}`];
  });
  const title = 'Folders, in the order they are searched; the first wins on a duplicate name';
  return [...hangingText('', title, columns).map(paint.bold), ...lines];
}

function rootFacts({ state, skills, watching }: RootJson): string {
  if (state !== 'found') return state;
  return `${counted(skills, 'skill')}${watching === 'off' ? '' : `, ${watching}`}`;
}

const stateColours = {
  found: 'green',
  missing: 'dim',
  unreadable: 'red',
  refused: 'red',
} as const satisfies Record<RootJson['state'], keyof Layout['paint']>;

function skillSection(report: DoctorReport, { paint }: Layout): readonly string[] {
  const { skill_count, typed_skill_count: typed, fallback } = report;
  return [
    `${paint.bold('Skills')}  ${grouped(skill_count)} served${typed === undefined ? '' : `, ${grouped(typed)} typed`}`,
    ...fallback.map((name) => `  ${toOneLine(name)}: the text from before the last change is served`),
  ];
}

function storeSection(
  { store }: DoctorReport,
  { paint, columns }: Layout,
  environment: Environment,
): readonly string[] {
  const folder = toOneLine(toDisplayPath(store.data_directory, environment));
  const said =
    store.named_by === null ? `SQLite in ${folder}` : `PostgreSQL, by ${store.named_by}; your token is in ${folder}`;
  return hangingText('Store  ', said, columns).map((line) => line.replace(/^Store/, paint.bold));
}

interface ProblemKind {
  readonly title: string;
  readonly holds: (problem: Problem) => boolean;
}

const repairs: ReadonlySet<string> = new Set(['unquoted-colon', 'unquoted-value', 'tab-indentation']);

/** Where the text is readable all the same. */
const namelessRules: ReadonlySet<string> = new Set([
  'frontmatter-missing',
  'frontmatter-unclosed',
  'frontmatter-too-large',
  'frontmatter-invalid',
  'name-missing',
  'description-missing',
  'name-hidden-character',
  'name-too-long',
  'name-like-path',
]);

const skippedKind: ProblemKind = { title: 'Skipped: not served by name', holds: isError };

/** Each problem belongs to the first kind that holds it. */
const kinds: readonly ProblemKind[] = [
  skippedKind,
  { title: 'Without a name: served by their folder', holds: ({ rule }) => namelessRules.has(rule) },
  { title: 'Shadowed: another skill has the name', holds: ({ rule }) => rule === 'shadowed' },
  { title: 'Repaired: served, but not to every host', holds: ({ rule }) => repairs.has(rule) },
  { title: 'Old text served: the present one is broken', holds: ({ rule }) => rule === 'serving-last-good' },
  { title: 'Links not followed', holds: ({ rule }) => rule.startsWith('link-') },
  { title: 'Served, with a remark', holds: () => true },
];

function problemSections(problems: readonly Problem[], layout: Layout): readonly (readonly string[])[] {
  const skipped = new Set(problems.filter(isError).map(fileOf));
  // What else is remarked on a skipped skill must not say that it is served.
  const kindOf = (problem: Problem) =>
    skipped.has(fileOf(problem)) ? skippedKind : kinds.find(({ holds }) => holds(problem));
  return kinds.map((kind) => {
    const own = problems.filter((problem) => kindOf(problem) === kind);
    if (own.length === 0) return [];
    return [countedTitle(kind.title, own.length, layout), ...problemLines(own, own.length, layout)];
  });
}

const fileOf = ({ rootPath, path }: Problem): string => `${rootPath}/${path}`;

const countedTitle = (title: string, count: number, { paint }: Layout): string =>
  `${paint.bold(title)}  ${paint.dim(String(count))}`;

function refusedSection({ refused_typed_skills: refused = [] }: DoctorReport, layout: Layout): readonly string[] {
  if (refused.length === 0) return [];
  const title = countedTitle('Refused: typed skills that cannot be invoked', refused.length, layout);
  return [title, ...issueLines(refused, '--config', layout)];
}

const machineSection = ({ issues }: DoctorReport, layout: Layout): readonly string[] =>
  issues.length === 0 ? [] : [layout.paint.bold('This machine'), ...issueLines(issues, 'this machine', layout)];

const issueLines = (issues: readonly Issue[], where: string, layout: Layout): readonly string[] =>
  issues.flatMap((issue) => remarkLines({ ...issue, label: issue.severity, where }, 2, layout));

function verdict(report: DoctorReport, { paint }: Layout, status: string): string {
  const all = allIssues(report);
  const errors = all.filter(isError).length;
  if (all.length > 0) return paint.bold(`${counted(errors, 'error')}, ${counted(all.length - errors, 'warning')}`);
  return report.skill_count + (report.typed_skill_count ?? 0) === 0
    ? `No skills yet: ${toOneLine(status)} shows how to make the first one`
    : paint.green('All is well');
}
