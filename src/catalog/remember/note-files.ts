// Notes in the data directory, one file for each root: for their owner alone, whole or not at all, never in the way.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildOf } from '../../files/build-of.ts';
import { sumOf } from '../../files/checksum.ts';
import { openPrivateBytes, openPrivateFile, type PrivateFile, unlessForbidden } from '../../files/private-file.ts';
import type { Memory } from '../scan/memory.ts';
import { decodeNote, NoteEncoder } from './note.ts';

export interface NoteFiles {
  /** `undefined`: there is none, or none that may be believed. */
  read(place: NotePlace): Memory | undefined;
  /** `take`: gives the note in pieces, and ends with false where it is not to be kept. False: there is no new note. */
  write(place: NotePlace, take: (encoder: NoteEncoder) => AsyncGenerator<Buffer, boolean>): Promise<boolean>;
}

/** Which root a note tells of. */
export interface NotePlace {
  readonly key: string;
  /** The real path of the root. */
  readonly real: string;
}

const MOST_BYTES = 128 * 1024 * 1024;
/** A note that nothing had to be added to for this long is made anew once: those of roots that are gone go with it. */
const KEPT_MS = 60 * 86_400_000;
/** A note is written in milliseconds: what is left of one after this long is of a process that was killed. */
const UNFINISHED_MS = 3_600_000;
const SUFFIX = '.note';

/** `version`: of the program; the notes of another one, or of another build of it, are not read. */
export function openNoteFiles(dataDirectory: string, version: string): NoteFiles {
  const program = `${version} ${buildOf(import.meta.filename)}`;
  const directory = join(dataDirectory, 'remembered');
  const pathOf = (key: string): string => join(directory, `${nameOf(key)}${SUFFIX}`);
  return {
    read: ({ key, real }) => {
      const bytes = openPrivateBytes(pathOf(key), MOST_BYTES);
      return bytes && decodeNote(bytes, { program: `${program} ${key}`, real, sumOf });
    },
    write: async ({ key }, take) => {
      const isWritten = await writeTaken(pathOf(key), take(new NoteEncoder(`${program} ${key}`, sumOf)));
      if (isWritten) unlessForbidden(() => forgetOld(directory));
      return isWritten;
    },
  };
}

/** Opened for the first piece: where there is none, nothing is touched. */
async function writeTaken(path: string, pieces: AsyncGenerator<Buffer, boolean>): Promise<boolean> {
  let file: PrivateFile | undefined;
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value && file?.place() === true;
      file ??= openPrivateFile(path);
      if (!file?.write(value)) return false;
    }
  } finally {
    file?.close();
  }
}

/** Two roots of one name would read each other's as of another program: nothing worse. */
export const nameOf = (real: string): string => {
  const bytes = Buffer.from(real);
  const backwards = Buffer.from(bytes).reverse();
  return sumOf(bytes).toString(16).padStart(8, '0') + sumOf(backwards).toString(16).padStart(8, '0');
};

function forgetOld(directory: string): void {
  const now = Date.now();
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const kind = /\.(?:note|code)(\.[\w-]+\.tmp)?$/.exec(name);
    const stats = kind ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stats?.isFile() && stats.mtimeMs < now - (kind?.[1] ? UNFINISHED_MS : KEPT_MS)) rmSync(path, { force: true });
  }
}
