// What `check` found, as text, as JSON and as annotations. Pure: a report in, text out.

import { basename, dirname } from 'node:path';
import type { FindingSeverity } from '../../document/inspect/finding.ts';
import type { Severity } from '../../document/issue.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CheckedFinding, CheckedProblem, CheckReport } from './check-report.ts';
import { type Annotation, toAnnotation } from './github-annotations.ts';
import { remarkLines } from './problem-lines.ts';
import { toJsonText } from './terminal/json-output.ts';
import type { Layout } from './terminal/output.ts';

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
  for (const finding of report.findings) add(finding.file, findingLines(finding, showPath, layout));
  const ordered = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lines]) => lines.join('\n'));
  return `${[...ordered, summaryLine(report, layout)].join('\n\n')}\n`;
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

/** Findings look like the problem of the same weight, under their own word. */
const weight = { high: 'error', medium: 'warning', low: 'advice' } as const satisfies Record<FindingSeverity, Severity>;

function findingLines(finding: CheckedFinding, showPath: ShowPath, layout: Layout): readonly string[] {
  const { severity, excerpt } = finding;
  const remark = { ...finding, severity: weight[severity], label: `${severity} risk`, where: place(finding, showPath) };
  const [head = '', ...rest] = remarkLines(remark, 0, layout);
  return [head, `  ${layout.paint.dim(`| ${toOneLine(excerpt, Math.max(20, layout.columns - 4))}`)}`, ...rest];
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

export function renderCheckJson(report: CheckReport, showPath: ShowPath): string {
  return toJsonText({
    skills_checked: report.skillsChecked,
    problems: report.problems.map(({ file, rule, severity, message, fix, line }) => ({
      path: showPath(file),
      rule,
      severity,
      message,
      fix,
      line: line ?? null,
    })),
    findings: report.findings.map(({ file, rule, severity, message, fix, line, excerpt }) => ({
      path: showPath(file),
      rule,
      severity,
      message,
      fix,
      line,
      excerpt,
    })),
  });
}

const level = { error: 'error', warning: 'warning', advice: 'notice' } as const satisfies Record<
  Severity,
  Annotation['level']
>;

export function renderCheckAnnotations({ problems, findings }: CheckReport, showPath: ShowPath): string {
  const remarks = [...problems, ...findings.map((finding) => ({ ...finding, severity: weight[finding.severity] }))];
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
