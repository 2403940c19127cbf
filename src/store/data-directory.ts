// The file of the embedded store: made readable for its owner alone, before SQLite opens it. Deletes nothing.
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
    // Another process that starts now was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
