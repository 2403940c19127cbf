// The doctor's report as text. Pure: a report in, text out.

import type { RootStatus } from '../../catalog/catalog.ts';
import type { Problem } from '../../catalog/view/skill.ts';
import { counted, grouped } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { allIssues, type DoctorReport } from './doctor-report.ts';
import { problemLines, remarkLines } from './problem-lines.ts';
import type { Layout } from './terminal/output.ts';
import { cutToWidth, displayWidth, hangingText, padToWidth } from './terminal/text-layout.ts';

export function renderDoctor(report: DoctorReport, layout: Layout): string {
  const sections = [
    headline(report, layout),
    rootSection(report.roots, layout),
    skillSection(report, layout),
    ...problemSections(report.problems, layout),
    refusedSection(report, layout),
    machineSection(report, layout),
    [verdict(report, layout)],
  ];
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}

function headline({ version, machine }: DoctorReport, { paint }: Layout): readonly string[] {
  return [`${paint.bold('Repertoire')} ${version} · Node ${machine.nodeVersion} · ${machine.platform}`];
}

function rootSection(roots: readonly RootStatus[], { paint, columns }: Layout): readonly string[] {
  const rows = roots.map((status) => ({ status, label: toOneLine(status.root.label), facts: rootFacts(status) }));
  const labelWidth = Math.min(36, Math.max(0, ...rows.map((row) => displayWidth(row.label))));
  const factsWidth = Math.max(0, ...rows.map((row) => displayWidth(row.facts)));
  const lines = rows.flatMap(({ status, label, facts }, index) => {
    const number = String(index + 1).padStart(String(rows.length).length);
    const left = `  ${number}  ${padToWidth(cutToWidth(label, labelWidth), labelWidth)}  `;
    const path = toOneLine(status.root.path);
    const width = displayWidth(left) + factsWidth + 2;
    const fits = width + displayWidth(path) <= columns;
    const shown = `${left}${stateColour[status.state](padToWidth(facts, fits ? factsWidth : 0), paint)}`;
    return fits ? [`${shown}  ${paint.dim(path)}`] : [shown, `     ${paint.dim(path)}`];
  });
  const title = 'Folders, in the order they are searched; the first wins on a duplicate name';
  return [...hangingText('', title, columns).map(paint.bold), ...lines];
}

function rootFacts({ state, skills, watching }: RootStatus): string {
  if (state !== 'found') return state;
  return `${counted(skills, 'skill')}${watching === 'off' ? '' : `, ${watching}`}`;
}

type Colouring = (text: string, paint: Layout['paint']) => string;

const stateColour = {
  found: (text, paint) => paint.green(text),
  missing: (text, paint) => paint.dim(text),
  unreadable: (text, paint) => paint.red(text),
  refused: (text, paint) => paint.red(text),
} as const satisfies Record<RootStatus['state'], Colouring>;

function skillSection({ skillCount, fallback, typed }: DoctorReport, { paint }: Layout): readonly string[] {
  const old = fallback.map((name) => `  ${toOneLine(name)}: the text from before the last change is served`);
  return [
    `${paint.bold('Skills')}  ${grouped(skillCount)} served${typed === undefined ? '' : `, ${grouped(typed.count)} typed`}`,
    ...old,
  ];
}

interface ProblemKind {
  readonly title: string;
  readonly holds: (problem: Problem) => boolean;
}

const repairs: ReadonlySet<string> = new Set(['unquoted-colon', 'unquoted-value', 'tab-indentation']);

const skippedKind: ProblemKind = { title: 'Skipped: not served by name', holds: isError };

/** Each problem belongs to the first kind that holds it. */
const kinds: readonly ProblemKind[] = [
  skippedKind,
  { title: 'Shadowed: another skill has the name', holds: ({ rule }) => rule === 'shadowed' },
  { title: 'Repaired: served, but not to every host', holds: ({ rule }) => repairs.has(rule) },
  { title: 'Old text served: the present one is broken', holds: ({ rule }) => rule === 'serving-last-good' },
  { title: 'Links not followed', holds: ({ rule }) => rule.startsWith('link-') },
  { title: 'Served, with a remark', holds: () => true },
];

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function problemSections(problems: readonly Problem[], layout: Layout): readonly (readonly string[])[] {
  const skipped = new Set(problems.filter(isError).map(fileOf));
  // What else is remarked on a skipped skill must not say that it is served.
  const kindOf = (problem: Problem) =>
    skipped.has(fileOf(problem)) ? skippedKind : kinds.find(({ holds }) => holds(problem));
  return kinds.map((kind) => {
    const own = problems.filter((problem) => kindOf(problem) === kind);
    if (own.length === 0) return [];
    const title = `${layout.paint.bold(kind.title)}  ${layout.paint.dim(String(own.length))}`;
    return [title, ...problemLines(own, own.length, layout)];
  });
}

const fileOf = ({ rootPath, path }: Problem): string => `${rootPath}/${path}`;

function refusedSection({ typed }: DoctorReport, layout: Layout): readonly string[] {
  const refused = typed?.refused ?? [];
  if (refused.length === 0) return [];
  const title = `${layout.paint.bold('Refused: typed skills that cannot be invoked')}  ${layout.paint.dim(String(refused.length))}`;
  return [
    title,
    ...refused.flatMap((issue) => remarkLines({ ...issue, label: issue.severity, where: '--config' }, 2, layout)),
  ];
}

function machineSection({ issues }: DoctorReport, layout: Layout): readonly string[] {
  if (issues.length === 0) return [];
  const remarks = issues.flatMap((issue) =>
    remarkLines({ ...issue, label: issue.severity, where: 'this machine' }, 2, layout),
  );
  return [layout.paint.bold('This machine'), ...remarks];
}

function verdict(report: DoctorReport, { paint }: Layout): string {
  const all = allIssues(report);
  const errors = all.filter((issue) => issue.severity === 'error').length;
  const warnings = all.length - errors;
  if (all.length > 0) return paint.bold(`${counted(errors, 'error')}, ${counted(warnings, 'warning')}`);
  return report.skillCount === 0 && (report.typed?.count ?? 0) === 0
    ? 'No skills yet: repertoire shows how to make the first one'
    : paint.green('All is well');
}
