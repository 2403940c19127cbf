// What came of trying a host's entry, for people and as JSON. Pure; no token is shown.
import type { Attempt, Met, Obstacle } from '../../hosts/check/attempt.ts';
import { maskUrl, maskWords } from '../../hosts/connect/entry.ts';
import type { ConfigScope, ConnectableHost } from '../../hosts/connect/host-files.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { toShellLine } from '../../text/shell-line.ts';
import type { Layout } from './terminal/output.ts';
import { hangingText, joinSections } from './terminal/text-layout.ts';

export interface CheckedEntry {
  readonly host: ConnectableHost;
  readonly scope: ConfigScope;
  readonly path: string;
  /** What the entry says: an address or the words of a command. */
  readonly url: string | undefined;
  readonly words: readonly string[] | undefined;
  readonly attempt: Attempt;
  /** Where the attempt failed. */
  readonly fix: string | undefined;
  /** What the host waits for, although the server works. */
  readonly needs: readonly string[];
}

export const isWorking = ({ attempt, needs }: CheckedEntry): boolean => attempt.ok && needs.length === 0;

export const renderChecks = (
  checks: readonly CheckedEntry[],
  showPath: (path: string) => string,
  layout: Layout,
): string => joinSections(checks.map((check) => checkLines(check, showPath, layout)));

function checkLines(check: CheckedEntry, showPath: (path: string) => string, layout: Layout): readonly string[] {
  const { host, path, attempt, fix = '', needs } = check;
  const { paint, columns } = layout;
  const wrapped = (first: string, text: string) => hangingText(first, toOneLine(text), columns);
  const head = (mark: string, text: string) =>
    `${mark} ${paint.bold(`${host.title} ${text}`)}  ${paint.dim(toOneLine(showPath(path)))}`;
  const entry = shownEntry(check);
  const tries = entry === undefined ? [] : wrapped('  ', entry);
  if (!attempt.ok) {
    return [
      head(paint.red('✗'), failedText(attempt.failure)),
      ...tries,
      ...wrapped('  ', `${attempt.failure.message}.`),
      ...wrapped('  → ', `${fix}.`),
    ];
  }
  const met = wrapped('  ', metText(attempt.value));
  if (needs.length > 0)
    return [
      head(paint.yellow('▲'), 'needs your permission'),
      ...tries,
      ...met,
      ...needs.flatMap((need) => wrapped('  → ', need)),
    ];
  return [head(paint.green('✓'), 'works'), ...tries, ...met, ...wrapped('  ', nextText(host))];
}

function failedText({ cause }: Obstacle): string {
  if (cause === 'not-connected') return 'is not connected';
  return cause === 'not-started' || cause === 'variable-withheld' ? 'was not checked' : 'does not work';
}

/** Whether the host has read its file since cannot be seen from here. */
const nextText = ({ title, config }: ConnectableHost): string =>
  `If ${title} does not show it: ${config.next ?? `restart ${title}.`}`;

/** `repertoire 0.1.0 · 5 tools · as the agent "billing"` */
export function metText({ name = 'unnamed server', version, tools, caller }: Met): string {
  const server = version === undefined ? name : `${name} ${version}`;
  return [server, counted(tools.length, 'tool'), ...(caller === undefined ? [] : [`as ${caller}`])].join(' · ');
}

/** Without what looks like a secret. */
function shownEntry({ url, words }: Pick<CheckedEntry, 'url' | 'words'>): string | undefined {
  if (url !== undefined) return maskUrl(url);
  return words === undefined ? undefined : toShellLine(maskWords(words));
}

export function checkJson(check: CheckedEntry): unknown {
  const { host, scope, path, url, attempt, needs, fix } = check;
  return {
    host: host.id,
    title: host.title,
    scope,
    path,
    kind: url === undefined ? (check.words === undefined ? null : 'program') : 'http',
    entry: shownEntry(check) ?? null,
    works: isWorking(check),
    ...attemptJson(attempt, fix),
    needs,
  };
}

/** What is said of one attempt, also after `connect --http`. */
export const attemptJson = (attempt: Attempt, fix: string | undefined) => ({
  cause: attempt.ok ? null : attempt.failure.cause,
  message: attempt.ok ? null : attempt.failure.message,
  fix: fix ?? null,
  server: attempt.ok ? { name: attempt.value.name ?? null, version: attempt.value.version ?? null } : null,
  tools: attempt.ok ? attempt.value.tools.length : null,
  caller: attempt.ok ? (attempt.value.caller ?? null) : null,
});
