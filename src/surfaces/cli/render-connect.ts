// What `connect` says: the hosts to choose from, and one change with what to do next. Pure; no secret is shown whole.

import type { HostChange } from '../../hosts/connect/connect-host.ts';
import { maskSecrets } from '../../hosts/connect/entry.ts';
import type { Fields } from '../../hosts/connect/fields.ts';
import { configFormats } from '../../hosts/connect/open-config.ts';
import type { SurveyedHost } from '../../hosts/connect/survey-hosts.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { isBroken, isSignIn } from './connect-address.ts';
import { type ConnectReport, isChange, notesOn, servedLines } from './connect-notes.ts';
import { attemptJson, metText } from './render-check.ts';
import type { Layout } from './terminal/output.ts';
import { toVisibleText } from './terminal/safe-text.ts';
import { breakCells } from './terminal/table.ts';
import { displayWidth, hangingText, padToWidth } from './terminal/text-layout.ts';

/** `numbered`: to be chosen from by number. */
export function renderHosts(
  rows: readonly SurveyedHost[],
  { numbered, showPath }: { readonly numbered: boolean; readonly showPath: (path: string) => string },
  { paint, columns }: Layout,
): string {
  const idWidth = Math.max(...rows.map(({ host }) => host.id.length));
  const titleWidth = Math.max(...rows.map(({ host }) => displayWidth(host.title)));
  const lines = rows.map(({ host, path, isHere, isConnected }, index) => {
    const number = numbered ? `${String(index + 1).padStart(String(rows.length).length)}  ` : '';
    const left = `  ${number}${host.id.padEnd(idWidth)}  ${padToWidth(host.title, titleWidth)}`;
    const mark = isConnected ? `  ${paint.green('connected')}` : '';
    const cells = [isHere ? left : paint.dim(left), paint.dim(toOneLine(showPath(path))) + mark];
    return { isHere, text: breakCells(cells, columns, 4).join('\n') };
  });
  const here = lines.filter(({ isHere }) => isHere).map(({ text }) => text);
  const others = lines.filter(({ isHere }) => !isHere).map(({ text }) => text);
  const isNoneHere = here.length === 0;
  return [
    ...(isNoneHere
      ? [paint.bold('No hosts found on this machine')]
      : [paint.bold('Hosts found on this machine'), ...here]),
    ...(others.length > 0 ? ['', paint.bold(isNoneHere ? 'Known hosts' : 'Other known hosts'), ...others] : []),
    '',
    '',
  ].join('\n');
}

export function renderConnect(report: ConnectReport, layout: Layout): string {
  const sections = [
    [headline(report, layout)],
    changeLines(report.change, layout),
    [
      ...copyLines(report),
      ...servedLines(report),
      ...reachedLines(report),
      ...nextLines(report),
      ...noteLines(report),
    ].flatMap((text) => hangingText('', toOneLine(text), layout.columns)),
  ];
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}

const noteLines = (report: ConnectReport): readonly string[] => notesOn(report).map((note) => `Note: ${note}`);

function headline({ host, change, reached, showPath }: ConnectReport, { paint }: Layout): string {
  const file = toOneLine(showPath(change.path));
  const isPlan = isChange(change) && !change.written;
  const sentence = isBroken(reached)
    ? 'has the entry, but it does not work yet'
    : (isPlan ? plans : headlines)[change.action];
  return `${paint.bold(`${host.title} ${sentence}`)}  ${paint.dim(file)}${isPlan ? paint.yellow('  not written') : ''}`;
}

const headlines = {
  added: 'is connected',
  replaced: 'is connected; its previous entry was replaced',
  unchanged: 'is already connected; nothing to change',
  removed: 'is disconnected',
  absent: 'is not connected; nothing to remove',
} as const satisfies Record<HostChange['action'], string>;

/** With `--print`. */
const plans: Readonly<Record<HostChange['action'], string>> = {
  ...headlines,
  added: 'would be connected',
  replaced: 'would be connected, replacing its previous entry',
  removed: 'would be disconnected',
};

/** The entry rather than the file's lines: those of others may hold their secrets. */
function changeLines(change: HostChange, { paint }: Layout): readonly string[] {
  if (!isChange(change)) return [];
  const { format, keys, before, after, otherServers } = change;
  const linesOf = (entry: Fields | undefined) =>
    entry === undefined ? [] : toVisibleText(configFormats[format].render(keys, maskSecrets(entry))).split('\n');
  const [old, now] = [linesOf(before), linesOf(after)];
  const whole = now.length > 0 ? now : old;
  const [head, tail] = before && after ? commonEnds(old, now) : linesAround[format](keys.length);
  const middle = (lines: readonly string[]) => lines.slice(head, lines.length - tail);
  return [
    ...whole.slice(0, head).map((line) => paint.dim(`    ${line}`)),
    ...middle(old).map((line) => paint.red(`  - ${line}`)),
    ...middle(now).map((line) => paint.green(`  + ${line}`)),
    ...whole.slice(whole.length - tail).map((line) => paint.dim(`    ${line}`)),
    ...(otherServers === 0 ? [] : [paint.dim(`    … ${counted(otherServers, 'other server')} as before`)]),
  ];
}

type Ends = readonly [head: number, tail: number];

/** How many lines above and below the entry only say where it belongs. */
const linesAround = {
  json: (keyCount) => [keyCount, keyCount],
  yaml: (keyCount) => [keyCount - 1, 0],
  toml: () => [0, 0],
} as const satisfies Record<HostChange['format'], (keyCount: number) => Ends>;

function commonEnds(a: readonly string[], b: readonly string[]): Ends {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [head, tail];
}

function copyLines({ change, showPath }: ConnectReport): readonly string[] {
  const { written, isNewFile, isFileRemoved, removedFolders, backup } = change;
  if (!written) return [];
  const topmost = removedFolders.at(-1);
  if (isFileRemoved && topmost)
    return [`The file had nothing else in it and was deleted, with the empty folder ${showPath(topmost)}.`];
  if (isFileRemoved) return ['The file had nothing else in it and was deleted.'];
  if (isNewFile) return ['The file was created.'];
  return backup === undefined ? [] : [`Backup of the file: ${showPath(backup)}`];
}

function reachedLines({ reached }: ConnectReport): readonly string[] {
  if (reached !== undefined && isSignIn(reached)) return ['Tried it: the server asks to sign in by OAuth.'];
  return reached?.attempt?.ok ? [`Tried it: ${metText(reached.attempt.value)}`] : [];
}

/** An entry that does not work has another next step, which standard error says. */
function nextLines({ host, server, reached, needs, checkLine, change }: ConnectReport): readonly string[] {
  if (isBroken(reached)) return [];
  if (!change.written) return needs.map((need) => `First: ${need}`);
  if (server === undefined) return [`Next: restart ${host.title}.`];
  return [
    ...needs.map((need) => `First: ${need}`),
    `Next: ${host.config.next ?? `restart ${host.title}; it lists "repertoire" among its MCP servers.`}`,
    ...(reached !== undefined && isSignIn(reached)
      ? [`Then: sign in in the browser when ${host.title} asks. A host that does not ask needs a token: --token.`]
      : []),
    ...(reached === undefined ? [`Check: \`${checkLine}\` tries it as ${host.title} would.`] : []),
  ];
}

export function connectJson(report: ConnectReport): unknown {
  const { host, scope, served, reached, needs, change } = report;
  const { path, action, written, backup, removedFolders, before, after } = change;
  return {
    host: host.id,
    title: host.title,
    scope,
    path,
    action,
    changed: isChange(change),
    written,
    backup: backup ?? null,
    removed_folders: removedFolders,
    before: before ? maskSecrets(before) : null,
    after: after ? maskSecrets(after) : null,
    skill_count: served?.skillCount ?? null,
    check: reached?.attempt ? { works: reached.attempt.ok, ...attemptJson(reached.attempt, reached.fix) } : null,
    needs,
    notes: notesOn(report),
  };
}
