// Connects one host, or takes the connection out: reads its file, plans the change, keeps a copy, writes.
import { dirname, join, relative, sep } from 'node:path';
import { ok, type Result } from '../../values/result.ts';
import {
  backupPathOf,
  type ConfigFile,
  openConfigFile,
  removeBackup,
  removeEmptyFolders,
  writeBackup,
  writeConfigFile,
} from './config-file.ts';
import { entryName } from './entry.ts';
import { type Fields, findValue, isFields } from './fields.ts';
import { type ConnectTarget, createEntry, findEntryKeys } from './host-entry.ts';
import type { ConfigScope, ConnectableHost } from './host-files.ts';
import { openConfig, withinStack } from './open-config.ts';
import {
  type EntryPath,
  isOnlyAddition,
  type PlannedChange,
  type PresentConfig,
  planPut,
  planRemoval,
} from './plan-change.ts';

export interface ConnectRequest {
  readonly host: ConnectableHost;
  readonly scope: ConfigScope;
  /** Absolute: where the file of this host and scope is. */
  readonly path: string;
  /** Absolute: the home directory or the project. No folder but those below it is ever removed. */
  readonly base: string;
  /** `undefined`: take the entry out. */
  readonly server: ConnectTarget | undefined;
  /** False: plan only. */
  readonly write: boolean;
}

/** What was done to the file, or would be. */
export interface HostChange extends EntryPath {
  /** Where the bytes are: at the end of a link. */
  readonly path: string;
  readonly action: PlannedChange['action'];
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
  readonly isNewFile: boolean;
  /** The file is gone: it held nothing else. */
  readonly isFileRemoved: boolean;
  /** The host's folders that were empty without the file, nearest first. */
  readonly removedFolders: readonly string[];
  readonly written: boolean;
  /** The copy of the file as it was without our entry, or before this change. */
  readonly backup: string | undefined;
  /** How many others stand beside our entry. */
  readonly otherServers: number;
  /** Others on this machine may read the file. */
  readonly isReadableByOthers: boolean;
}

export function connectHost(request: ConnectRequest): Result<HostChange, string> {
  const file = openConfigFile(request.path);
  if (!file.ok) return file;
  const config = readConfig(request, file.value.text);
  if (!config.ok) return config;
  const planned = withinStack(() => plan(request, config.value, file.value));
  if (!planned.ok) return planned;
  const change = planned.value;
  const isChange = change.action !== 'unchanged' && change.action !== 'absent';
  const written = isChange && request.write ? write(request, file.value, config.value, change) : ok(undefined);
  if (!written.ok) return written;
  const isFileRemoved = change.text === undefined && file.value.text !== undefined;
  return ok({
    format: config.value.format,
    keys: config.value.keys,
    path: file.value.path,
    action: change.action,
    before: change.before,
    after: change.after,
    isNewFile: file.value.text === undefined,
    isFileRemoved,
    removedFolders:
      isFileRemoved && request.write ? removeEmptyFolders(findOwnFolders(request.path, request.base)) : [],
    written: isChange && request.write,
    backup: written.value,
    otherServers: serversIn(config.value).filter((name) => name !== entryName).length,
    isReadableByOthers: ((file.value.stats?.mode ?? 0) & 0o044) !== 0,
  });
}

/** Whether the file has our entry. A file that cannot be read has none that is known of. */
export function isConnected(request: Pick<ConnectRequest, 'host' | 'scope' | 'path'>): boolean {
  const file = openConfigFile(request.path);
  const config = file.ok ? readConfig(request, file.value.text) : file;
  return config.ok && serversIn(config.value).includes(entryName);
}

/** Our entry as it is in the file; `undefined`: there is none. */
export function readEntry(
  request: Pick<ConnectRequest, 'host' | 'scope' | 'path'>,
): Result<Fields | undefined, string> {
  const file = openConfigFile(request.path);
  const config = file.ok ? readConfig(request, file.value.text) : file;
  if (!config.ok) return config;
  const entry = findValue(config.value.open.fields, config.value.keys);
  return ok(isFields(entry) ? entry : undefined);
}

/** Where the entry belongs may depend on what is in the file. */
function readConfig(
  { host, scope }: Pick<ConnectRequest, 'host' | 'scope'>,
  text: string | undefined,
): Result<PresentConfig, string> {
  const { format = 'json' } = host.config;
  const open = openConfig(text ?? '', format);
  if (!open.ok) return open;
  const keys = findEntryKeys(host, scope, open.value.fields);
  return keys.ok ? ok({ format, keys: keys.value, text, open: open.value }) : keys;
}

/** Their names alone: what else they say may be secret. */
function serversIn({ open, keys }: PresentConfig): readonly string[] {
  const servers = findValue(open.fields, keys.slice(0, -1));
  return isFields(servers) ? Object.keys(servers).filter((name) => isFields(servers[name])) : [];
}

function plan({ host, scope, server }: ConnectRequest, config: PresentConfig, { backup }: ConfigFile) {
  if (server === undefined) return planRemoval(config, backup);
  return planPut(config, (present) => createEntry(host, server, { scope, keys: config.keys }, present));
}

/** Answers where the copy of the former text is. */
function write(
  { host, server }: ConnectRequest,
  file: ConfigFile,
  path: EntryPath,
  change: PlannedChange,
): Result<string | undefined, string> {
  const isRestored = change.text !== undefined && change.text === file.backup;
  const backup = server === undefined || file.text === undefined ? ok(undefined) : keepBackup(file, path, change);
  if (!backup.ok) return backup;
  const hasToken = server !== undefined && 'url' in server && server.token !== undefined;
  const written = writeConfigFile(file, change.text, hasToken || host.config.isPrivate ? 0o600 : 0o666);
  if (!written.ok) return written;
  if (server === undefined && isRestored) removeBackup(file);
  return backup;
}

/** A copy that lacks nothing but our own entry stays: with it the file can be restored byte for byte. */
function keepBackup(file: ConfigFile, path: EntryPath, { before }: PlannedChange): Result<string | undefined, string> {
  const { backup, text = '' } = file;
  const isWithoutUs = (base: string | undefined) => before !== undefined && isOnlyAddition(base, text, path, before);
  if (backup !== undefined && isWithoutUs(backup)) return ok(backupPathOf(file.path));
  // All that is in it is ours.
  return isWithoutUs(undefined) ? ok(undefined) : writeBackup(file);
}

/** Other programs keep things there, too. */
const sharedFolders: ReadonlySet<string> = new Set([
  '.config',
  '.local',
  '.github',
  'Library',
  'Application Support',
  'AppData',
  'Roaming',
]);

/**
 * The folders on the way to a host's file that only this host has a use for, nearest first. `base`: the home directory
 * or the project. What a variable has moved to a plain folder is the user's.
 */
export function findOwnFolders(path: string, base: string): readonly string[] {
  const names = relative(base, dirname(path)).split(sep);
  const start = names.findLastIndex((name) => sharedFolders.has(name)) + 1;
  const isHidden = /^\.[^.]/.test(names[0] ?? '');
  if (names[0] === '..' || (start === 0 && !isHidden)) return [];
  return names.slice(start).map((_name, index) => join(base, ...names.slice(0, names.length - index)));
}
