// Reads and writes a host's configuration file: whole or not at all, through links, with its mode, and only if no other
// program has written it meanwhile. The only file here that touches the disk.
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { makeDirectory } from '../../files/make-directory.ts';
import { clearLeftovers, nameBeside, placeAnew, withWholeFile } from '../../files/whole-file.ts';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { FolderVariables } from '../host-paths.ts';
import type { Machine } from './host-files.ts';

export interface ConfigFile {
  /** Where the bytes are: at the end of a link. */
  readonly path: string;
  /** `undefined`: there is no file. */
  readonly text: string | undefined;
  readonly stats: Stats | undefined;
  /** The copy from before an earlier change, if there is one that can be read. */
  readonly backup: string | undefined;
}

export const pathExists = (path: string): boolean => existsSync(path);

export const machineWith = ({ home, variables }: FolderVariables): Machine => ({
  home,
  variables,
  platform: process.platform,
  exists: pathExists,
});

export const backupPathOf = (path: string): string => `${path}.bak-repertoire`;

/** Hosts keep their history in the same file: some are long. */
const largestSize = 32 * 1024 * 1024;

export function openConfigFile(given: string): Result<ConfigFile, string> {
  try {
    const path = existsSync(given) ? realpathSync(given) : given;
    if (path === given && isLink(given)) return fail('it is a broken link');
    const read = readText(path);
    if (!read.ok) return read;
    return ok({ path, ...read.value, backup: readBackup(path) });
  } catch (error) {
    return fail(toReason(error));
  }
}

/** `text` undefined: the file is deleted. `mode`: for a new file. */
export function writeConfigFile(file: ConfigFile, text: string | undefined, mode: number): Result<undefined, string> {
  try {
    if (isReadOnly(file)) return fail(readOnly);
    clearLeftovers(file.path);
    // Before anything is written, too: most changes are seen here.
    if (hasChanged(file)) return fail(changed);
    return (text === undefined ? deleteFile(file) : exchangeFile(file, text, mode)) ? ok(undefined) : fail(changed);
  } catch (error) {
    return fail(error instanceof KeptBeside ? error.message : toReason(error));
  }
}

/** Only the copy of the latest state is kept. */
export function writeBackup(file: ConfigFile): Result<string, string> {
  const { path, text = '', stats } = file;
  if (isReadOnly(file)) return fail(readOnly); // No copy of what stays as it is.
  const backup = backupPathOf(path);
  try {
    clearLeftovers(backup);
    withNewFile({ path: backup, stats }, text, 0o600, (temporary) => renameSync(temporary, backup));
    return ok(backup);
  } catch (error) {
    return fail(`its backup cannot be written: ${toReason(error)}`);
  }
}

export function removeBackup({ path }: ConfigFile): void {
  rmSync(backupPathOf(path), { force: true });
}

/** Nearest first, up to the first that holds something. Answers those that are gone. */
export function removeEmptyFolders(folders: readonly string[]): readonly string[] {
  const kept = folders.findIndex((folder) => !isRemoved(folder));
  return kept === -1 ? folders : folders.slice(0, kept);
}

/** The system itself refuses a folder that is not empty, so nothing can be lost in between. */
function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    toReason(error); // Throws what is a fault of ours; a folder that stays does no harm.
    return false;
  }
}

function readBackup(path: string): string | undefined {
  try {
    const read = readText(backupPathOf(path));
    return read.ok ? read.value.text : undefined;
  } catch (error) {
    toReason(error); // Throws what is a fault of ours; a copy that cannot be read is as good as none.
    return undefined;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** A pipe without a writer must not hold us; a file that grows while it is read must not fill the memory. */
function readText(path: string): Result<Pick<ConfigFile, 'text' | 'stats'>, string> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ok({ text: undefined, stats: undefined });
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return fail(stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    if (stats.size > largestSize) return fail('it is larger than 32 MB');
    return ok({
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBytes(descriptor, stats.size)),
      stats,
    });
  } finally {
    closeSync(descriptor);
  }
}

function readBytes(descriptor: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** Its folder may let us replace it all the same, but a person made it read-only on purpose. */
const isReadOnly = ({ stats }: ConfigFile): boolean => stats !== undefined && (stats.mode & 0o222) === 0;

const readOnly = 'the file itself is read-only; make it writable first';

const changed = 'another program changed it in the meantime; try again';

function hasChanged({ path, text }: ConfigFile): boolean {
  if (!existsSync(path)) return text !== undefined;
  return text === undefined || readFileSync(path, 'utf8') !== text;
}

/** Also not while it was being compared: a long text takes its time. */
function isAsPlanned(file: ConfigFile): boolean {
  const before = stampOf(file.path);
  return !hasChanged(file) && stampOf(file.path) === before;
}

function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? [stats.ino, stats.size, stats.mtimeNs].join() : '';
}

/**
 * No host locks its file, and the system has no "rename if unchanged". So the new text is on the disk before the last look,
 * and nothing lies between that look and the renaming. The old file is kept under another name meanwhile: one that was
 * written after all is put back. False: another program was faster.
 */
function exchangeFile(file: ConfigFile, text: string, mode: number): boolean {
  const { path } = file;
  return withNewFile(file, text, mode, (temporary) => {
    if (file.text === undefined) return isAsPlanned(file) && placeAnew(temporary, path);
    const former = nameBeside(path, 'old');
    const isKept = isLinked(path, former);
    const { ino } = statSync(temporary);
    if (!isExchanged(file, temporary, former)) return false;
    return !isKept || wasUnchanged(file, former, () => statSync(path, { throwIfNoEntry: false })?.ino === ino);
  });
}

function isExchanged(file: ConfigFile, temporary: string, former: string): boolean {
  let isDone = false;
  try {
    if (!isAsPlanned(file)) return false;
    renameSync(temporary, file.path);
    isDone = true;
    return true;
  } finally {
    if (!isDone) rmSync(former, { force: true });
  }
}

/** The former text is looked at once more. One that another program wrote is put back, if ours is still there. */
function wasUnchanged({ path, text }: ConfigFile, former: string, isOurs: () => boolean): boolean {
  return keepingFormer(former, () => {
    const isPlanned = readFileSync(former, 'utf8') === text;
    if (!isPlanned && isOurs()) renameSync(former, path);
    else rmSync(former, { force: true });
    return isPlanned;
  });
}

/** Another program's text that could not be put back: it is not deleted, and the failure says where it is. */
class KeptBeside extends Error {
  constructor(former: string, cause: unknown) {
    super(`it could not be restored; its previous text is beside it, in ${basename(former)}`, {
      cause,
    });
  }
}

function keepingFormer<T>(former: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    toReason(error); // Throws what is a fault of ours.
    throw new KeptBeside(former, error);
  }
}

/** Some disks know no links: there the looks before have to do. */
function isLinked(path: string, other: string): boolean {
  try {
    linkSync(path, other);
    return true;
  } catch (error) {
    toReason(error);
    return false;
  }
}

/** Taken away first, looked at then: what another program has written meanwhile is put back. */
function deleteFile({ path, text }: ConfigFile): boolean {
  const former = nameBeside(path, 'old');
  renameSync(path, former);
  const read = attemptRead(former);
  const isPlanned = read.ok && read.value === text;
  // One that is there by now is newer.
  if (!isPlanned) keepingFormer(former, () => placeAnew(former, path));
  rmSync(former);
  if (!read.ok) throw read.failure;
  return isPlanned;
}

function attemptRead(path: string): Result<string, unknown> {
  try {
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    return fail(error);
  }
}

/** Hands over a finished file of this text, with the mode and owner of the one that is to be replaced. */
function withNewFile<T>(
  { path, stats }: Pick<ConfigFile, 'path' | 'stats'>,
  text: string,
  mode: number,
  place: (temporary: string) => T,
): T {
  makeDirectory(dirname(path), mode === 0o600 ? 0o700 : 0o777);
  return withWholeFile(path, text, stats ? 0o600 : mode, (temporary) => {
    if (stats) chmodSync(temporary, stats.mode & 0o7777);
    if (stats && (stats.uid !== process.getuid?.() || stats.gid !== process.getgid?.())) giveTo(temporary, stats);
    return place(temporary);
  });
}

/** With sudo the file stays its owner's. A user who may not give files away keeps what is written. */
function giveTo(path: string, { uid, gid }: Stats): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

function toReason(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (code in reasons) return reasons[code] ?? code;
  if (code.startsWith('E')) return `the system reports ${code}`;
  throw error;
}

const reasons: Readonly<Record<string, string>> = {
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a parent of this path is a file, not a folder',
  ELOOP: 'its links form a loop',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  EEXIST: 'another process is changing it; try again',
};
