// A finding as a person reads it: where, the place itself, what is wrong, what to do. Pure: values in, lines out.
import type { Finding, FindingSeverity } from '../../document/inspect/finding.ts';
import type { Severity } from '../../document/issue.ts';
import { toOneLine } from '../../text/one-line.ts';
import { remarkLines } from './problem-lines.ts';
import type { Layout } from './terminal/output.ts';

/** Findings look like the problem of the same weight, under their own word. */
export const findingWeight = {
  high: 'error',
  medium: 'warning',
  low: 'advice',
} as const satisfies Record<FindingSeverity, Severity>;

export function findingLines(finding: Finding, where: string, indent: number, layout: Layout): readonly string[] {
  const { severity, excerpt } = finding;
  const margin = ' '.repeat(indent + 2);
  const remark = { ...finding, severity: findingWeight[severity], label: `${severity} risk`, where };
  const [head = '', ...rest] = remarkLines(remark, indent, layout);
  const shown = toOneLine(excerpt, Math.max(20, layout.columns - margin.length - 2));
  return [head, `${margin}${layout.paint.dim(`| ${shown}`)}`, ...rest];
}
