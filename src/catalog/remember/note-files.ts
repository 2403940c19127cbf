// Notes in the data directory, one file for each root: for their owner alone, whole or not at all, never in the way.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../values/error-code.ts';
import type { Memory } from '../scan/memory.ts';
import { decodeNote, encodeNote, type Note } from './note.ts';

export interface NoteFiles {
  /** `undefined`: there is none, or none that may be believed. `real`: the real path of the root. */
  read(real: string): Memory | undefined;
  /** Does nothing where nothing can be written. */
  write(real: string, note: Note): void;
}

const MOST_BYTES = 128 * 1024 * 1024;
/** A note that nothing had to be added to for this long is made anew once: those of roots that are gone go with it. */
const KEPT_MS = 60 * 86_400_000;
/** A note is written in milliseconds: what is left of one after this long is of a process that was killed. */
const UNFINISHED_MS = 3_600_000;
const SUFFIX = '.note';

/** `version`: of the program; the notes of another one, or of another build of it, are not read. */
export function openNoteFiles(dataDirectory: string, version: string): NoteFiles {
  const program = `${version} ${buildOf(import.meta.url)}`;
  const directory = join(dataDirectory, 'remembered');
  const pathOf = (real: string): string => join(directory, `${nameOf(real)}${SUFFIX}`);
  return {
    read: (real) => {
      const bytes = readPrivate(pathOf(real));
      return bytes && decodeNote(bytes, { program: `${program} ${real}`, real, sumOf });
    },
    write: (real, note) => {
      unlessForbidden(() => {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        writeWhole(pathOf(real), encodeNote(note, `${program} ${real}`, sumOf));
        forgetOld(directory);
      });
    },
  };
}

/** Changes with every build, where the version does not. */
function buildOf(url: string): string {
  const stats = statSync(new URL(url), { throwIfNoEntry: false });
  return `${stats?.mtimeMs}-${stats?.size}`;
}

/** 0.2 ms for 600 kB. `node:crypto` alone would take longer to load. */
const sumOf = (bytes: Buffer): number => process.getBuiltinModule('node:zlib').crc32(bytes);

/** Two roots of one name would read each other's as of another program: nothing worse. */
const nameOf = (real: string): string => {
  const bytes = Buffer.from(real);
  const backwards = Buffer.from(bytes).reverse();
  return sumOf(bytes).toString(16).padStart(8, '0') + sumOf(backwards).toString(16).padStart(8, '0');
};

/** Another user's file, one that others may read or write, a link, a pipe: not believed. */
function readPrivate(path: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
    if (!stats.isFile() || !isOwn || stats.size > MOST_BYTES) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(descriptor, bytes, length, bytes.length - length, length);
      if (count === 0) return undefined;
      length += count;
    }
    return bytes;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Not flushed to the disk, unlike files/whole-file.ts: what a power cut leaves of it has another sum, and is not believed. */
function writeWhole(path: string, bytes: Buffer): void {
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function forgetOld(directory: string): void {
  const now = Date.now();
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const kind = /\.note(\.[\w-]+\.tmp)?$/.exec(name);
    const stats = kind ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stats?.isFile() && stats.mtimeMs < now - (kind?.[1] ? UNFINISHED_MS : KEPT_MS)) rmSync(path, { force: true });
  }
}

/** A disk that is full, read-only or another user's: the next start is a little slower, and nothing else happens. */
function unlessForbidden(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}
