// What a source brings or changes, as a person reads it. Pure: values in, lines out.
import type { FileChange, SkillChanges } from '../../sources/compare-skills.ts';
import { counted } from '../../text/counted.ts';
import type { DiffLine } from '../../text/line-diff.ts';
import { toOneLine } from '../../text/one-line.ts';
import { findingLines } from './finding-lines.ts';
import { remarkLines } from './problem-lines.ts';
import type { Preview, PreviewedSkill } from './source-preview.ts';
import type { Layout } from './terminal/output.ts';

/** `chosen`: paths of the skills to show; absent: all. */
export function renderPreview(preview: Preview, layout: Layout, chosen?: ReadonlySet<string>): string {
  const { entry, skills, problems } = preview;
  const { paint } = layout;
  const shown = skills.filter(({ path }) => chosen?.has(path) ?? true);
  const ref = entry.ref === null ? '' : ` (${toOneLine(entry.ref)})`;
  const lines = [
    `${paint.bold(toOneLine(entry.source))} at ${entry.commit.slice(0, 7)}${ref}: ${counted(skills.length, 'skill')}`,
    ...shown.flatMap((skill) => skillLines(skill, layout)),
    ...(problems.length === 0 ? [] : ['', paint.bold('Not taken')]),
    ...problems.flatMap((problem) =>
      remarkLines({ ...problem, label: problem.severity, where: problem.path }, 2, layout),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function skillLines({ name, path, problems, findings }: PreviewedSkill, layout: Layout): readonly string[] {
  const place = path === name ? '' : `  ${layout.paint.dim(toOneLine(path))}`;
  return [
    `  ${toOneLine(name)}${place}`,
    ...problems.flatMap((problem) => remarkLines({ ...problem, label: problem.severity, where: path }, 4, layout)),
    ...findings.flatMap((finding) => findingLines(finding, `${path}/${finding.path}`, 4, layout)),
  ];
}

const SIGNS = { added: '+', changed: '~', removed: '-' } as const;

export function renderChanges({ added, changed, removed }: SkillChanges, { paint }: Layout): string {
  const colours = { added: paint.green, changed: paint.yellow, removed: paint.red } as const;
  const line = (kind: keyof typeof SIGNS, path: string) => `  ${colours[kind](SIGNS[kind])} ${kind} ${toOneLine(path)}`;
  const lines = [
    ...added.map((path) => line('added', path)),
    ...changed.flatMap(({ path, files }) => [
      line('changed', path),
      ...files.flatMap((file) => fileLines(file, paint)),
    ]),
    ...removed.map((path) => line('removed', path)),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Enough to decide by; the rest is counted. */
const MOST_LINES = 40;

function fileLines({ path, change, hunks }: FileChange, paint: Layout['paint']): readonly string[] {
  const head = `      ${SIGNS[change]} ${toOneLine(path)}`;
  if (change !== 'changed' || hunks === undefined) return [head];
  const all = hunks.flatMap(({ before, after, lines }) => [
    paint.dim(`        @@ line ${before} → ${after}`),
    ...lines.map((line) => `        ${diffLine(line, paint)}`),
  ]);
  const more = all.length - MOST_LINES;
  return [
    head,
    ...all.slice(0, MOST_LINES),
    ...(more > 0 ? [paint.dim(`        … and ${counted(more, 'more line')}`)] : []),
  ];
}

function diffLine({ kind, text }: DiffLine, paint: Layout['paint']): string {
  const line = toOneLine(text, 200);
  if (kind === 'same') return `  ${line}`;
  return kind === 'added' ? paint.green(`+ ${line}`) : paint.red(`- ${line}`);
}

/** The same as JSON. */
export const previewJson = ({ entry, skills, problems }: Preview) => ({
  source: entry.source,
  ref: entry.ref,
  commit: entry.commit,
  paths: entry.paths,
  skills: skills.map(({ name, path, uri, digest, problems: own, findings }) => ({
    name,
    path,
    uri,
    digest,
    problems: own.map(issueJson),
    findings: findings.map(({ path: file, rule, severity, message, fix, line }) => ({
      path: file,
      rule,
      severity,
      message,
      fix,
      line,
    })),
  })),
  problems: problems.map((problem) => ({ path: problem.path, ...issueJson(problem) })),
});

const issueJson = ({
  rule,
  severity,
  message,
  fix,
}: {
  rule: string;
  severity: string;
  message: string;
  fix: string;
}) => ({
  rule,
  severity,
  message,
  fix,
});
