// What `connect` says: the hosts to choose from, and one change with what to do next. Pure; no secret is shown whole.

import { configFormats } from '../../hosts/connect/config-format.ts';
import type { Connection } from '../../hosts/connect/connect-host.ts';
import { maskSecrets } from '../../hosts/connect/entry.ts';
import type { Fields } from '../../hosts/connect/fields.ts';
import { counted } from '../../text/counted.ts';
import { toOneLine } from '../../text/one-line.ts';
import { notesOn, servedLines } from './connect-notes.ts';
import { type ConnectionReport, isChange } from './connect-report.ts';
import type { Layout } from './terminal/output.ts';
import { toVisibleText } from './terminal/safe-text.ts';
import { displayWidth, hangingText, padToWidth } from './terminal/text-layout.ts';

export interface HostRow {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly shownPath: string;
  readonly found: boolean;
  /** Its configuration has this server in it. */
  readonly connected: boolean;
}

/** `numbered`: to be chosen from by number. */
export function renderHosts(rows: readonly HostRow[], numbered: boolean, { paint }: Layout): string {
  const idWidth = Math.max(...rows.map(({ id }) => id.length));
  const titleWidth = Math.max(...rows.map(({ title }) => displayWidth(title)));
  const lines = rows.map(({ id, title, shownPath, found, connected }, index) => {
    const number = numbered ? `${String(index + 1).padStart(String(rows.length).length)}  ` : '';
    const left = `  ${number}${id.padEnd(idWidth)}  ${padToWidth(title, titleWidth)}`;
    const mark = connected ? `  ${paint.green('connected')}` : '';
    return { found, text: `${found ? left : paint.dim(left)}  ${paint.dim(toOneLine(shownPath))}${mark}` };
  });
  const here = lines.filter(({ found }) => found).map(({ text }) => text);
  const others = lines.filter(({ found }) => !found).map(({ text }) => text);
  const isNoneHere = here.length === 0;
  return [
    ...(isNoneHere ? [paint.bold('No host was found here')] : [paint.bold('Hosts found here'), ...here]),
    ...(others.length > 0 ? ['', paint.bold(isNoneHere ? 'Known hosts' : 'Others that are known'), ...others] : []),
    '',
    '',
  ].join('\n');
}

export function renderConnection(report: ConnectionReport, layout: Layout): string {
  const sections = [
    [headline(report, layout)],
    changeLines(report.connection, layout),
    [...copyLines(report), ...servedLines(report), ...nextLines(report), ...noteLines(report)].flatMap((text) =>
      hangingText('', toOneLine(text), layout.columns),
    ),
  ];
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}

const noteLines = (report: ConnectionReport): readonly string[] => notesOn(report).map((note) => `Note: ${note}`);

function headline({ host, connection, showPath }: ConnectionReport, { paint }: Layout): string {
  const file = toOneLine(showPath(connection.path));
  const isPlan = isChange(connection) && !connection.written;
  const sentence = (isPlan ? plans : headlines)[connection.action];
  return `${paint.bold(`${host.title} ${sentence}`)}  ${paint.dim(file)}${isPlan ? paint.yellow('  not written') : ''}`;
}

const headlines = {
  added: 'is connected',
  replaced: 'is connected: its former entry is replaced',
  unchanged: 'is already connected, nothing to change',
  removed: 'is disconnected',
  absent: 'is not connected, nothing to remove',
} as const satisfies Record<Connection['action'], string>;

/** With `--print`. */
const plans: Readonly<Record<Connection['action'], string>> = {
  ...headlines,
  added: 'would be connected',
  replaced: 'would be connected, and its former entry replaced',
  removed: 'would be disconnected',
};

/** The entry rather than the file's lines: those of others may hold their secrets. */
function changeLines(connection: Connection, { paint }: Layout): readonly string[] {
  if (!isChange(connection)) return [];
  const { format, keys, before, after, otherServers } = connection;
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
} as const satisfies Record<Connection['format'], (keyCount: number) => Ends>;

function commonEnds(a: readonly string[], b: readonly string[]): Ends {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [head, tail];
}

function copyLines({ connection, showPath }: ConnectionReport): readonly string[] {
  const { written, isNewFile, isFileRemoved, removedFolders, backup } = connection;
  if (!written) return [];
  const topmost = removedFolders.at(-1);
  if (isFileRemoved && topmost) return [`The file held nothing else and is gone, with the empty ${showPath(topmost)}.`];
  if (isFileRemoved) return ['The file held nothing else and is gone.'];
  if (isNewFile) return ['The file is new.'];
  return backup === undefined ? [] : [`The file as it was before: ${showPath(backup)}`];
}

function nextLines({ host, server, connection }: ConnectionReport): readonly string[] {
  if (!connection.written) return [];
  if (server === undefined) return [`Next: restart ${host.title}.`];
  return [`Next: ${nextSteps[host.id] ?? `restart ${host.title}; it lists "repertoire" among its MCP servers.`}`];
}

const nextSteps: Readonly<Record<string, string>> = {
  'claude-code': 'start a new session in Claude Code; /mcp shows "repertoire".',
  codex: 'start a new session in Codex; /mcp shows "repertoire".',
  'gemini-cli': 'restart Gemini CLI; /mcp shows "repertoire".',
  'github-copilot-cli': 'restart Copilot CLI; /mcp show lists "repertoire".',
  opencode: 'restart OpenCode; `opencode mcp list` shows "repertoire".',
  pi: 'type /reload in Pi; /mcp shows "repertoire".',
  vscode: 'run "MCP: List Servers" in VS Code and start "repertoire".',
};

export function connectionJson(report: ConnectionReport): unknown {
  const { host, scope, served, connection } = report;
  const { path, action, written, backup, removedFolders, before, after } = connection;
  return {
    host: host.id,
    title: host.title,
    scope,
    path,
    action,
    changed: isChange(connection),
    written,
    backup: backup ?? null,
    removed_folders: removedFolders,
    before: before ? maskSecrets(before) : null,
    after: after ? maskSecrets(after) : null,
    skill_count: served?.skillCount ?? null,
    notes: notesOn(report),
  };
}
