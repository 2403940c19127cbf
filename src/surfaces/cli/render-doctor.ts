// The doctor's report as a person reads it: folders, skills, store, problems by kind, risks, the machine, a verdict. Pure.
import type { Problem } from '../../catalog/view/skill.ts';
import type { Issue } from '../../document/issue.ts';
import type { Environment } from '../../settings/config.ts';
import { counted, grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { allIssues, type DoctorReport, isError } from './doctor-report.ts';
import { findingLines } from './finding-lines.ts';
import { problemLines, remarkLines } from './problem-lines.ts';
import type { RootJson } from './report-json.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import type { Layout } from './terminal/output.ts';
import { joinCells, layTable } from './terminal/table.ts';
import { displayWidth, hangingText, joinSections } from './terminal/text-layout.ts';

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
    sourceSection(report, layout),
    skillSection(report, layout),
    storeSection(report, layout, environment),
    ...problemSections(report.problems, layout),
    refusedSection(report, layout),
    riskSection(report, layout),
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

const MOST_DIFFERENCES = 10;

/** Where pinned skills come from, and each file that is not what its lock says (S3, S4). */
function sourceSection({ sources }: DoctorReport, { paint, columns }: Layout): readonly string[] {
  if (sources.length === 0) return [];
  const lines = sources.flatMap(({ source, ref, commit, paths, skill_count, state, differences }) => {
    const at = `${commit.slice(0, 7)}${ref === null ? '' : ` (${ref})`}`;
    const folders = paths.length === 0 ? '' : `, of ${paths.join(', ')}`;
    const head = toOneLine(`${source} at ${at}, ${counted(skill_count, 'skill')}${folders}: ${state}`);
    const colour = state === 'ready' ? paint.green : paint.red;
    const more = differences.length - MOST_DIFFERENCES;
    return [
      ...hangingText('  ', head, columns).map((line) => line.replace(new RegExp(`${state}$`), colour)),
      ...differences.slice(0, MOST_DIFFERENCES).flatMap((each) => hangingText('    ✗ ', toOneLine(each), columns)),
      ...(more > 0 ? [paint.dim(`    … and ${more} more: repertoire sync --check names all`)] : []),
    ];
  });
  const isReady = sources.every(({ state }) => state === 'ready');
  const advice = isReady ? [] : hangingText('  → ', 'repertoire sync brings back what the lock says', columns);
  return [paint.bold('Sources'), ...lines, ...advice];
}

function skillSection(report: DoctorReport, { paint }: Layout): readonly string[] {
  const { skill_count, typed_skill_count: typed, fallback } = report;
  return [
    `${paint.bold('Skills')}  ${grouped(skill_count)} served${typed === undefined ? '' : `, ${grouped(typed)} typed`}`,
    ...fallback.map((name) => `  ${toOneLine(name)}: the file is broken, so its last good text is served`),
  ];
}

function storeSection(
  { store }: DoctorReport,
  { paint, columns }: Layout,
  environment: Environment,
): readonly string[] {
  const folder = toOneLine(toDisplayPath(store.data_directory, environment));
  const said =
    store.named_by === null ? `SQLite in ${folder}` : `PostgreSQL (${store.named_by}); your token is in ${folder}`;
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
  { title: 'Unnamed: found by their folder only', holds: ({ rule }) => namelessRules.has(rule) },
  { title: 'Shadowed: another skill has the same name', holds: ({ rule }) => rule === 'shadowed' },
  { title: 'Repaired: served, but not to every host', holds: ({ rule }) => repairs.has(rule) },
  { title: 'Broken: the last good text is served', holds: ({ rule }) => rule === 'serving-last-good' },
  { title: 'Links not followed', holds: ({ rule }) => rule.startsWith('link-') },
  { title: 'Served, with warnings', holds: () => true },
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

function riskSection({ findings }: DoctorReport, layout: Layout): readonly string[] {
  if (findings.length === 0) return [];
  const lines = findings.flatMap((finding) =>
    findingLines(finding, `${finding.source}/${finding.path}:${finding.line}`, 2, layout),
  );
  return [countedTitle('High risk: read these before an agent does', findings.length, layout), ...lines];
}

const machineSection = ({ issues }: DoctorReport, layout: Layout): readonly string[] =>
  issues.length === 0 ? [] : [layout.paint.bold('This machine'), ...issueLines(issues, 'this machine', layout)];

const issueLines = (issues: readonly Issue[], where: string, layout: Layout): readonly string[] =>
  issues.flatMap((issue) => remarkLines({ ...issue, label: issue.severity, where }, 2, layout));

function verdict(report: DoctorReport, { paint }: Layout, status: string): string {
  const all = allIssues(report);
  const errors = all.filter(isError).length;
  const risks = report.findings.length;
  const amiss = report.sources.filter(({ state }) => state !== 'ready').length;
  const counts = [
    ...(all.length > 0 ? [counted(errors, 'error'), counted(all.length - errors, 'warning')] : []),
    ...(risks > 0 ? [counted(risks, 'high-risk finding')] : []),
    ...(amiss > 0 ? [`${counted(amiss, 'source')} not as the lock says`] : []),
  ];
  if (counts.length > 0) return paint.bold(counts.join(', '));
  return report.skill_count + (report.typed_skill_count ?? 0) === 0
    ? `No skills yet: ${toOneLine(status)} shows how to create the first one`
    : paint.green('No problems found');
}
