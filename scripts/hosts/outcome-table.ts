// What the walks came to, as a table for people: on the terminal, and in docs/hosts.md. Pure.
import type { Transport } from './host-world.ts';

/** One host or library in one version. */
export interface Outcome {
  readonly kind: Kind;
  readonly title: string;
  readonly version: string;
  /** A transport that it does not have is missing. */
  readonly transports: Readonly<Partial<Record<Transport, Verdict>>>;
  /** How its model, or its program, reads our tool `skill`. */
  readonly toolName?: string;
  /** As it introduced itself. */
  readonly client?: string;
}

export type Kind = 'host' | 'library';

export interface Verdict {
  readonly isGreen: boolean;
  /** Why not. */
  readonly reason?: string;
}

const FIRST_COLUMN = { host: 'host that was run', library: 'library that was run' } satisfies Record<Kind, string>;

const headOf = (kind: Kind): string => `| ${FIRST_COLUMN[kind]} | version | stdio | HTTP | reads | says it is | on |`;

/** Nothing that was not run is green. */
export const isGreen = ({ transports }: Outcome): boolean => {
  const verdicts = Object.values(transports);
  return verdicts.length > 0 && verdicts.every((each) => each.isGreen);
};

/** For the terminal: one line each, then why something failed. */
export function renderOutcomes(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((each) => [
    `${each.title} ${each.version}`,
    ...(['stdio', 'http'] as const).map((transport) => wordOf(each.transports[transport], { yes: 'ok', no: 'FAILED' })),
    each.toolName ?? '',
  ]);
  const cells = [['', 'stdio', 'HTTP', 'reads'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', ...outcomes.flatMap(reasonsOf), summarise(outcomes)].join('\n');
}

function reasonsOf({ title, transports }: Outcome): string[] {
  return Object.entries(transports).flatMap(([transport, { reason }]) =>
    reason === undefined ? [] : [`${title}, ${transport}: ${reason}`, ''],
  );
}

function summarise(outcomes: readonly Outcome[]): string {
  const count = (kind: Kind): string => {
    const all = outcomes.filter((each) => each.kind === kind);
    return `${all.filter(isGreen).length} of ${all.length}`;
  };
  return `Green: ${count('host')} hosts, ${count('library')} client libraries.`;
}

/** The page with the rows of what was run now; all other rows stay. */
export function updatePage(page: string, outcomes: readonly Outcome[], date: string): string {
  return outcomes.reduce((text, outcome) => putRow(text, outcome, date), page);
}

function putRow(page: string, outcome: Outcome, date: string): string {
  const lines = page.split('\n');
  const head = lines.indexOf(headOf(outcome.kind));
  if (head === -1) throw new Error(`Cannot write the table: the page has no line "${headOf(outcome.kind)}"`);
  const length = lines.slice(head).findIndex((line) => !line.startsWith('|'));
  const end = length === -1 ? lines.length : head + length;
  const own = lines.findIndex((line, at) => at > head && at < end && line.startsWith(`| ${outcome.title} |`));
  return (own === -1 ? lines.toSpliced(end, 0, rowOf(outcome, date)) : lines.with(own, rowOf(outcome, date))).join(
    '\n',
  );
}

function rowOf({ title, version, transports, toolName, client }: Outcome, date: string): string {
  const verdicts = [transports.stdio, transports.http].map((each) => wordOf(each, { yes: 'yes', no: 'no' }));
  return `| ${[title, version, ...verdicts, codeOf(toolName), codeOf(client), date].join(' | ')} |`;
}

const wordOf = (verdict: Verdict | undefined, words: { readonly yes: string; readonly no: string }): string =>
  verdict === undefined ? '–' : verdict.isGreen ? words.yes : words.no;

/** A group is named in words, the names themselves are code. */
const codeOf = (name: string | undefined): string =>
  name === undefined
    ? '–'
    : name
        .split(' in ')
        .map((each) => `\`${each}\``)
        .join(' in ');
