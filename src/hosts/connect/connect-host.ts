// Connects one host, or takes the connection out: reads its file, plans the change, keeps a copy, writes.
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
import { createFields, type Fields, findValue, isFields } from './fields.ts';
import type { Host, Scope, Server } from './host-config.ts';
import { findOwnFolders } from './own-folders.ts';
import { parseConfig, withinStack } from './parse-config.ts';
import { isOnlyAddition, type Place, type PlannedChange, planPut, planRemoval } from './plan-change.ts';

export interface ConnectRequest {
  readonly host: Host;
  readonly scope: Scope;
  /** Absolute: where the file of this host and scope is. */
  readonly path: string;
  /** Absolute: the home directory or the project. No folder but those below it is ever removed. */
  readonly base: string;
  /** `undefined`: take the entry out. */
  readonly server: Server | undefined;
  /** False: plan only. */
  readonly write: boolean;
}

export interface Connection extends Place {
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

export function connectHost(request: ConnectRequest): Result<Connection, string> {
  const opened = openConfigFile(request.path);
  if (!opened.ok) return opened;
  const planned = withinStack(() => plan(request, opened.value));
  if (!planned.ok) return planned;
  const { place, change } = planned.value;
  const isChange = change.action !== 'unchanged' && change.action !== 'absent';
  const written = isChange && request.write ? write(request, opened.value, place, change) : ok(undefined);
  if (!written.ok) return written;
  const isFileRemoved = change.text === undefined && opened.value.text !== undefined;
  return ok({
    ...place,
    path: opened.value.path,
    action: change.action,
    before: change.before,
    after: change.after,
    isNewFile: opened.value.text === undefined,
    isFileRemoved,
    removedFolders:
      isFileRemoved && request.write ? removeEmptyFolders(findOwnFolders(request.path, request.base)) : [],
    written: isChange && request.write,
    backup: written.value,
    otherServers: countServers(opened.value.text, place).others,
    isReadableByOthers: ((opened.value.stats?.mode ?? 0) & 0o044) !== 0,
  });
}

/** Whether the file has our entry. A file that cannot be read has none that is known of. */
export function isConnected({ host, scope, path }: Pick<ConnectRequest, 'host' | 'scope' | 'path'>): boolean {
  const opened = openConfigFile(path);
  const text = opened.ok ? opened.value.text : undefined;
  if (!text?.includes(entryName)) return false;
  const place = withinStack(() => findPlace(host, scope, text));
  return place.ok && countServers(text, place.value).hasOurs;
}

/** The servers beside ours, too: they are not shown. */
function countServers(text: string | undefined, { format, keys }: Place) {
  const parsed = text === undefined ? undefined : parseConfig(text, format);
  const servers = parsed?.ok ? findValue(parsed.value, keys.slice(0, -1)) : undefined;
  if (!isFields(servers)) return { hasOurs: false, others: 0 };
  const names = Object.keys(servers).filter((name) => isFields(servers[name]));
  const others = names.filter((name) => name !== keys.at(-1)).length;
  return { hasOurs: others < names.length, others };
}

interface Planned {
  readonly place: Place;
  readonly change: PlannedChange;
}

function plan({ host, scope, server }: ConnectRequest, file: ConfigFile): Result<Planned, string> {
  const place = findPlace(host, scope, file.text);
  if (!place.ok) return place;
  const change =
    server === undefined
      ? planRemoval(file.text, place.value, file.backup)
      : planPut(file.text, place.value, (present) => host.createEntry(server, place.value, scope, present));
  return change.ok ? ok({ place: place.value, change: change.value }) : change;
}

/** Some hosts have more than one place; which is theirs depends on what is in the file. */
function findPlace(host: Host, scope: Scope, text: string | undefined): Result<Place, string> {
  const usual = host.findPlace(scope, createFields([]));
  if (!usual.ok || text === undefined) return usual;
  const parsed = parseConfig(text, usual.value.format);
  return parsed.ok ? host.findPlace(scope, parsed.value) : parsed;
}

/** Answers where the copy of the former text is. */
function write(
  { host, server }: ConnectRequest,
  file: ConfigFile,
  place: Place,
  change: PlannedChange,
): Result<string | undefined, string> {
  const isRestored = change.text !== undefined && change.text === file.backup;
  const backup = server === undefined || file.text === undefined ? ok(undefined) : keepBackup(file, place, change);
  if (!backup.ok) return backup;
  const hasToken = server !== undefined && 'url' in server && server.token !== undefined;
  const written = writeConfigFile(file, change.text, hasToken || host.isPrivate ? 0o600 : 0o666);
  if (!written.ok) return written;
  if (server === undefined && isRestored) removeBackup(file);
  return backup;
}

/** A copy that lacks nothing but our own entry stays: with it the file can be restored byte for byte. */
function keepBackup(file: ConfigFile, place: Place, { before }: PlannedChange): Result<string | undefined, string> {
  const { backup, text = '' } = file;
  const isWithoutUs = (base: string | undefined) => before !== undefined && isOnlyAddition(base, text, place, before);
  if (backup !== undefined && isWithoutUs(backup)) return ok(backupPathOf(file.path));
  // All that is in it is ours.
  return isWithoutUs(undefined) ? ok(undefined) : writeBackup(file);
}
