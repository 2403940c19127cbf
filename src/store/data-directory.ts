// The data directory and the file of the embedded store in it: made readable for their owner alone. Deletes nothing.
import { closeSync, existsSync, lstatSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { codeOf } from '../values/error-code.ts';

/** SQLite gives the files beside it (-wal, -shm) the same rights. */
export function prepareSqliteFile(dataDirectory: string): string {
  makeDirectory(dataDirectory);
  const path = join(dataDirectory, 'repertoire.db');
  for (const suffix of ['', '-wal', '-shm', '-journal']) refuseOddFile(`${path}${suffix}`, `repertoire.db${suffix}`);
  if (!existsSync(path)) makeFile(path);
  return path;
}

/** Before anything opens it: to open a pipe is to wait for its other end. */
function refuseOddFile(path: string, name: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  const kind = stats.isDirectory() ? 'a directory' : 'no regular file';
  throw new StoreUnavailable(`Cannot use the log: ${name} is ${kind}; move it out of the data directory`);
}

/** An existing one is not opened: to close it would take away the locks that another store in this process has on it. */
function makeFile(path: string): void {
  // Where a link leads nothing is yet: made by SQLite, everyone could read it. Only this way follows the link.
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  try {
    closeSync(openSync(path, isLink ? 'a' : 'wx', 0o600));
  } catch (error) {
    if (isLink && codeOf(error) === 'ENOENT') throw new StoreUnavailable(LEADS_NOWHERE, { cause: error });
    // Another process that starts at the same time has made it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const LEADS_NOWHERE =
  'Cannot use the log: repertoire.db is a link into a directory that is not there; make that directory or remove the link';
