// The one way bytes and listings come from the disk: regular files only, from inside the fence only, bounded, never blocking.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { sep } from 'node:path';
import { codeOf } from '../../values/error-code.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { Allocate } from './byte-arena.ts';

/** Real paths of the directories that bytes may come from. */
export type Fence = readonly string[];

/** What tells one state of a file from the next without reading it. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

export interface SafeFile {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
}

/** `busy`: it changed under the reader, or this process is out of descriptors. Worth another try; the rest is not. */
export type ReadFailure = 'missing' | 'denied' | 'not-a-file' | 'outside' | 'too-large' | 'busy';

type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** O_NOFOLLOW: a name that became a link is refused. O_NONBLOCK: a FIFO does not hold us. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const failureByErrno: Readonly<Record<string, ReadFailure>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENAMETOOLONG: 'missing',
  EACCES: 'denied',
  EPERM: 'denied',
  ELOOP: 'outside',
  ENXIO: 'not-a-file',
  EISDIR: 'not-a-file',
};

/**
 * `path` must be a real path (links resolved): its last step is never followed, the others are checked after opening.
 * `allocate`: where the bytes go, for callers that read thousands of files.
 */
export function readSafe(
  path: string,
  fence: Fence,
  maxBytes: number,
  allocate: Allocate = Buffer.allocUnsafe,
): Result<SafeFile, ReadFailure> {
  return whileOpen(path, (descriptor) => readOpened(descriptor, path, { fence, maxBytes, allocate }));
}

/** Some bytes of a file, by the same rules, with the stamp of the file they are from: fewer where it ends. */
export function readSafePiece(
  path: string,
  fence: Fence,
  { position, length }: { readonly position: number; readonly length: number },
): Result<SafeFile, ReadFailure> {
  return whileOpen(path, (descriptor) => {
    const stamp = checkOpened(descriptor, path, fence);
    if (!stamp.ok) return stamp;
    return ok({ bytes: readWhole(descriptor, Buffer.allocUnsafe(length), position), stamp: stamp.value });
  });
}

function whileOpen<T>(path: string, read: (descriptor: number) => Result<T, ReadFailure>): Result<T, ReadFailure> {
  let descriptor: number;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
  } catch (error) {
    return fail(readFailureOf(error));
  }
  try {
    return read(descriptor);
  } catch (error) {
    return fail(readFailureOf(error));
  } finally {
    closeSync(descriptor);
  }
}

/** In the order of the disk. */
export function listFolder(path: string): Result<Entry[], ReadFailure> {
  try {
    const entries: Entry[] = [];
    for (const entry of readdirSync(path, { withFileTypes: true }))
      entries.push({ name: entry.name, kind: kindOf(entry) });
    return ok(entries);
  } catch (error) {
    return fail(readFailureOf(error));
  }
}

export interface LinkTarget {
  readonly kind: 'file' | 'folder' | 'other';
  readonly real: string;
  readonly inode: number;
}

/** Where a link leads, all its steps resolved. `missing`: nowhere, or in a circle. */
export function findLinkTarget(path: string): Result<LinkTarget, ReadFailure> {
  try {
    const real = realpathSync.native(path);
    const stats = statSync(real);
    return ok({ kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other', real, inode: stats.ino });
  } catch (error) {
    const failure = readFailureOf(error);
    return fail(failure === 'outside' ? 'missing' : failure);
  }
}

/** Whole path segments: `/a/root-evil` is not inside `/a/root`. */
export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);

export const isFenced = (path: string, fence: Fence): boolean => fence.some((directory) => isInside(path, directory));

/** File times are coarse (4 ms and more): a change within this many milliseconds may leave no trace in them. */
export const COARSE_MS = 50;

/** Changed so shortly before `now`, or after it, that an equal stamp later would prove nothing. */
export const isYoung = (stamp: FileStamp, now: Date): boolean => changedMs(stamp) > now.getTime() - COARSE_MS;

/** Tools that copy set the modification time back; the time of the change itself cannot be set. */
export const changedMs = ({ mtimeMs, ctimeMs }: FileStamp): number => Math.max(mtimeMs, ctimeMs);

export const sameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;

/** Of the entry itself, not of what it links to. `undefined` when it is gone or hidden. */
export function findStamp(path: string): FileStamp | undefined {
  try {
    return stampOf(lstatSync(path));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** By its owner; false where that cannot be seen. */
export function isExecutableFile(path: string): boolean {
  try {
    return (statSync(path).mode & 0o100) !== 0;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

const stampOf = (stats: FileStamp): FileStamp => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  ino: stats.ino,
});

function readFailureOf(error: unknown): ReadFailure {
  const code = codeOf(error);
  // Anything unforeseen (EMFILE, EIO, ESTALE …) is a passing state of the machine, not a fact about the file.
  return (code !== undefined && failureByErrno[code]) || 'busy';
}

interface ReadRules {
  readonly fence: Fence;
  readonly maxBytes: number;
  readonly allocate: Allocate;
}

function readOpened(descriptor: number, path: string, rules: ReadRules): Result<SafeFile, ReadFailure> {
  const { fence, maxBytes, allocate } = rules;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = checkOpened(descriptor, path, fence);
    if (!before.ok) return before;
    if (before.value.size > maxBytes) return fail('too-large');
    const bytes = readWhole(descriptor, allocate(before.value.size));
    const after = stampOf(fstatSync(descriptor));
    if (sameStamp(before.value, after) && bytes.length === after.size) return ok({ bytes, stamp: after });
  }
  return fail('busy');
}

function checkOpened(descriptor: number, path: string, fence: Fence): Result<FileStamp, ReadFailure> {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return fail('not-a-file');
  // Checked after opening, on what was opened: a folder swapped for a link on the way is caught here.
  return isFenced(openedPath(descriptor, path), fence) ? ok(stampOf(stats)) : fail('outside');
}

/** At most what `fstat` said: whether it grew meanwhile is seen by asking `fstat` again. */
function readWhole(descriptor: number, buffer: Buffer, position = 0): Buffer {
  const expected = buffer.length;
  let length = 0;
  while (length < expected) {
    const count = readSync(descriptor, buffer, length, expected - length, position + length);
    if (count === 0) break;
    length += count;
  }
  return length === expected ? buffer : buffer.subarray(0, length);
}

function openedPath(descriptor: number, path: string): string {
  return findDescriptorPath(descriptor) ?? realpathSync.native(path);
}

/** Linux says what a descriptor is open on; other systems, and sandboxes without /proc, do not. */
function findDescriptorPath(descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
