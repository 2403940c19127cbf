// Problems as a person reads them: where, what is wrong, how to fix it. Pure: values in, lines out.
import type { Problem } from '../../catalog/view/skill.ts';
import type { Severity } from '../../document/issue.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { Paint } from './terminal/colours.ts';
import type { Layout } from './terminal/output.ts';
import { breakCells } from './terminal/table.ts';
import { hangingText } from './terminal/text-layout.ts';

/** Prose wider than this is hard to read, however wide the terminal. */
const widestProse = 100;

const icons = { error: '✗', warning: '▲', advice: '·' } as const satisfies Record<Severity, string>;

function severityMark(severity: Severity, label: string, paint: Paint): string {
  const painted = { error: paint.red, warning: paint.yellow, advice: paint.dim } satisfies Record<Severity, unknown>;
  return painted[severity](`${icons[severity]} ${label}`);
}

export interface Remark {
  readonly severity: Severity;
  /** The word for the severity. */
  readonly label: string;
  readonly where: string;
  readonly rule: string;
  readonly message: string;
  readonly fix: string;
  readonly target?: string;
}

/** `✗ error  where  rule`, then the message, then the way out. */
export function remarkLines(remark: Remark, indent: number, { paint, columns }: Layout): readonly string[] {
  const margin = ' '.repeat(indent);
  const width = Math.min(columns, widestProse);
  const fix = toOneLine(remark.fix);
  return [
    ...breakCells(
      [
        `${margin}${severityMark(remark.severity, remark.label, paint)}`,
        paint.bold(toOneLine(remark.where)),
        paint.dim(toOneLine(remark.rule)),
      ],
      columns,
      indent,
    ),
    ...hangingText(`${margin}  `, toOneLine(remark.message + leadsTo(remark)), width),
    ...(fix === '' ? [] : hangingText(`${margin}  → `, fix, width)).map((line) => line.replace('→', paint.green('→'))),
  ];
}

const leadsTo = ({ target }: Remark): string => (target === undefined ? '' : ` (it leads to ${target})`);

/** The problems of each root under its label, errors first, at most `limit` in all. */
export function problemLines(problems: readonly Problem[], limit: number, layout: Layout): readonly string[] {
  const shown = [...problems].sort((a, b) => rank[a.severity] - rank[b.severity]).slice(0, limit);
  const rootPaths = [...new Set(problems.map((problem) => problem.rootPath))];
  return rootPaths.flatMap((rootPath) => {
    const own = shown.filter((problem) => problem.rootPath === rootPath);
    const source = own[0]?.source;
    if (source === undefined) return [];
    // One label can stand for several directories: `./.claude/skills` in the project and in each of its parents.
    const shared = problems.some((other) => other.source === source && other.rootPath !== rootPath);
    return [
      `  ${toOneLine(shared ? rootPath : source)}`,
      ...own.flatMap((problem) =>
        remarkLines({ ...problem, label: problem.severity, where: placeOf(problem) }, 4, layout),
      ),
    ];
  });
}

const rank = { error: 0, warning: 1, advice: 2 } as const satisfies Record<Severity, number>;

function placeOf({ path, line, source }: Problem): string {
  const place = path === '.' ? source : path;
  return line === undefined ? place : `${place}:${line}`;
}
