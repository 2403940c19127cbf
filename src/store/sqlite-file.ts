// The file of the embedded store: made readable for its owner alone, before SQLite opens it. Deletes nothing.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** SQLite gives the files beside it (-wal, -shm) the same rights. */
export function prepareSqliteFile(dataDirectory: string): string {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const path = join(dataDirectory, 'repertoire.db');
  closeSync(openSync(path, 'a', 0o600));
  return path;
}
