// Files for their owner alone of what can be made again: whole or not there, and nothing fails because of them. In steps, so that
// a process with others to answer may do so between two of them.
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../values/error-code.ts';
import { makeDirectory } from './make-directory.ts';

/** Some milliseconds of work. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** `undefined`: there is none, or another user's, one that others may read or write, a link, a pipe, one that is too large. */
export function* readPrivateFile(path: string, mostBytes: number): Generator<void, Buffer | undefined> {
  const descriptor = unlessForbidden(() => openSync(path, READ_FLAGS));
  if (descriptor === undefined) return undefined;
  try {
    const size = unlessForbidden(() => sizeOfOwn(descriptor));
    return size === undefined || size > mostBytes ? undefined : yield* readBytes(descriptor, size);
  } finally {
    closeSync(descriptor);
  }
}

/** `undefined`: not a file of this user's alone. */
function sizeOfOwn(descriptor: number): number | undefined {
  const stats = fstatSync(descriptor);
  const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
  return stats.isFile() && isOwn ? stats.size : undefined;
}

/** `undefined`: it is shorter now, or cannot be read. */
function* readBytes(descriptor: number, size: number): Generator<void, Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(size);
  for (let length = 0; length < size; ) {
    const most = Math.min(PIECE_BYTES, size - length);
    const count = unlessForbidden(() => readSync(descriptor, bytes, length, most, length));
    if (!count) return undefined;
    length += count;
    if (length < size) yield;
  }
  return bytes;
}

export interface PrivateBytes {
  readonly size: number;
  /** Until the next call. `undefined`: there are fewer now, or they cannot be read. */
  read(start: number, length: number): Buffer | undefined;
}

/** What is read at a time, for the next few who ask. */
const WINDOW_BYTES = 128 * 1024;

/** Some of its bytes at a time, by the same rules. Between two reads it is closed: it may be another file then. */
export function openPrivateBytes(path: string, mostBytes: number): PrivateBytes | undefined {
  const size = whileOpen(path, sizeOfOwn);
  if (size === undefined || size > mostBytes) return undefined;
  let window = Buffer.alloc(0);
  let [from, to] = [0, 0];
  const fill = (start: number, length: number): boolean => {
    // Some before and some behind: the next who ask may go either way.
    const begin = Math.max(0, start - (WINDOW_BYTES >> 1));
    const wanted = Math.min(Math.max(start + length - begin, WINDOW_BYTES), size - begin);
    if (window.length < wanted) window = Buffer.allocUnsafe(wanted);
    const count = whileOpen(path, (descriptor) =>
      sizeOfOwn(descriptor) === size ? readSync(descriptor, window, 0, wanted, begin) : 0,
    );
    [from, to] = [begin, begin + (count ?? 0)];
    return start + length <= to;
  };
  return {
    size,
    read: (start, length) => {
      const isThere = (start >= from && start + length <= to) || (start + length <= size && fill(start, length));
      return isThere ? window.subarray(start - from, start - from + length) : undefined;
    },
  };
}

function whileOpen<T>(path: string, use: (descriptor: number) => T): T | undefined {
  const descriptor = unlessForbidden(() => openSync(path, READ_FLAGS));
  if (descriptor === undefined) return undefined;
  try {
    return unlessForbidden(() => use(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface PrivateFile {
  /** False: the disk takes no more. */
  write(piece: Uint8Array): boolean;
  /** Gives it its name: it is whole. False: there is something in the way. */
  place(): boolean;
  /** What has no name by then is gone. */
  close(): void;
}

/**
 * A new one under this path, once it is whole. `undefined`: nothing can be written there. Not flushed to the disk, unlike
 * whole-file.ts: readers compare a sum, and what a power cut leaves has another one.
 */
export function openPrivateFile(path: string): PrivateFile | undefined {
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  const descriptor = unlessForbidden(() => {
    makeDirectory(dirname(path));
    return openSync(temporary, 'wx', 0o600);
  });
  if (descriptor === undefined) return undefined;
  return {
    write: (piece) => {
      for (let at = 0; at < piece.length; ) {
        const count = unlessForbidden(() => writeSync(descriptor, piece, at));
        if (!count) return false;
        at += count;
      }
      return true;
    },
    place: () => unlessForbidden(() => renameSync(temporary, path) ?? true) === true,
    close: () => {
      closeSync(descriptor);
      // Nothing, where it has its name.
      rmSync(temporary, { force: true });
    },
  };
}

/** Does nothing where nothing can be written. */
export function* writePrivateFile(path: string, pieces: Iterable<Uint8Array>): Generator<void, void> {
  const file = openPrivateFile(path);
  try {
    for (const piece of pieces) {
      if (!file?.write(piece)) return;
      yield;
    }
    file?.place();
  } finally {
    file?.close();
  }
}

/** To its end, at once. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A disk that is full, read-only or another user's: the next start is a little slower, and nothing else happens. */
export function unlessForbidden<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
