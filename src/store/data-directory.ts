// The data directory and the file of the embedded store in it: made readable for their owner alone. Deletes nothing.
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../values/error-code.ts';

/** SQLite gives the files beside it (-wal, -shm) the same rights. */
export function prepareSqliteFile(dataDirectory: string): string {
  makeDirectory(dataDirectory);
  const path = join(dataDirectory, 'repertoire.db');
  closeSync(openSync(path, 'a', 0o600));
  return path;
}

/** Level by level: where nothing can be made (`/proc`), Node's own `recursive` tries for ever. */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time has made it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
