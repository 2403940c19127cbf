// Where the search index is kept between two starts: in the data directory, beside the notes, a file for each set of roots.
import { join } from 'node:path';
import { nameOf } from '../catalog/remember/note-files.ts';
import { buildOf } from '../files/build-of.ts';
import { sumOf } from '../files/checksum.ts';
import { readPrivateFile, writePrivateFile } from '../files/private-file.ts';

export interface IndexFile {
  /** Who writes it: version and build of the program, and the roots. */
  readonly program: string;
  readonly sumOf: (bytes: Uint8Array, before: number) => number;
  /** In steps. `undefined`: there is none, or none that may be believed. */
  read(): Generator<void, Buffer | undefined>;
  /** In steps. Does nothing where nothing can be written. */
  write(pieces: Iterable<Uint8Array>): Generator<void, void>;
}

const MOST_BYTES = 512 * 1024 * 1024;

/** `roots`: their absolute paths. */
export function openIndexFile(dataDirectory: string, version: string, roots: readonly string[]): IndexFile {
  const all = roots.join('\n');
  // The suffix of notes: those that were not written for long are taken away together.
  const path = join(dataDirectory, 'remembered', `${nameOf(all)}-search.note`);
  return {
    program: `${version} ${buildOf(import.meta.filename)} ${all}`,
    sumOf,
    read: () => readPrivateFile(path, MOST_BYTES),
    write: (pieces) => writePrivateFile(path, pieces),
  };
}
