// Files that only their owner may read, whole or not at all, of what can be made again: notes for the next start. In steps, so
// that a process with others to answer may do so between two of them.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../values/error-code.ts';

/** Some milliseconds of work. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** `undefined`: another user's file, one that others may read or write, a link, a pipe, too large, or none. */
export function* readPrivateFile(path: string, mostBytes: number): Generator<void, Buffer | undefined> {
  const descriptor = openUnlinked(path);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
    if (!stats.isFile() || !isOwn || stats.size > mostBytes) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(descriptor, bytes, length, Math.min(PIECE_BYTES, bytes.length - length), length);
      if (count === 0) return undefined;
      length += count;
      if (length < bytes.length) yield;
    }
    return bytes;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function openUnlinked(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Throws what the disk says. Not flushed, unlike whole-file.ts: what a power cut leaves of it has another checksum, and is not
 * believed.
 */
export function* writePrivateFile(path: string, pieces: Iterable<Uint8Array>): Generator<void, void> {
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(temporary, { force: true });
  try {
    yield* fill(temporary, pieces);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function* fill(path: string, pieces: Iterable<Uint8Array>): Generator<void, void> {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at);
      yield;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** To its end, at once. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Of the module with this URL: changes with every build, where the version of the program does not. */
export function buildOf(url: string): string {
  const stats = statSync(new URL(url), { throwIfNoEntry: false });
  return `${stats?.mtimeMs}-${stats?.size}`;
}

/** CRC-32: 0.2 ms for 600 kB. `node:crypto` alone would take longer to load. */
export const sumOf = (bytes: Uint8Array, before = 0): number =>
  process.getBuiltinModule('node:zlib').crc32(bytes, before);
