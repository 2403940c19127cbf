// What SQLite and the file system say, as sentences for people. The only place that knows SQLite's codes.
import { StoreUnavailable } from '../skills/invocation-log.ts';
import { unfitValues } from './record-refused.ts';

const DAMAGED = 'Cannot use the log: its file is damaged; move repertoire.db out of the data directory and start again';
const FULL = 'Cannot write the log: the disk is full; make room on it';
const FORBIDDEN = 'Cannot use the log: the data directory cannot be written; give this user the right to write there';
const LOCKED = 'Cannot write the log: another process keeps it locked; end that process';
const UNREADABLE = 'Cannot use the log: the disk reports an error; check the disk of the data directory';
const UNKNOWN = 'Cannot use the log: the database reports an error; look at the data directory';

/** By SQLite's primary code, errno or Node's code. */
const sentences: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: DAMAGED,
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_FULL: FULL,
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  SQLITE_READONLY: FORBIDDEN,
  SQLITE_CANTOPEN: FORBIDDEN,
  SQLITE_PERM: FORBIDDEN,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: FORBIDDEN,
  ENOTDIR: 'Cannot use the log: the data directory is below a file; name another directory',
  EEXIST: 'Cannot use the log: the data directory is a file; name another directory',
  EISDIR: 'Cannot use the log: repertoire.db is a directory; move it out of the data directory',
  SQLITE_BUSY: LOCKED,
  SQLITE_LOCKED: LOCKED,
  SQLITE_IOERR: UNREADABLE,
  EIO: UNREADABLE,
};

/** A fault of our own code stays what it is. */
export function toSqliteFailure(error: unknown): unknown {
  const code = primaryCode(error);
  if (code === 'SQLITE_CONSTRAINT' || code === 'SQLITE_TOOBIG' || code === 'SQLITE_MISMATCH') return unfitValues(error);
  return OUTSIDE.test(code) ? new StoreUnavailable(sentences[code] ?? UNKNOWN, { cause: error }) : error;
}

/** SQLite's codes and those of the system; Node's own for wrong arguments (`ERR_…`) are not among them. */
const OUTSIDE = /^(?:SQLITE_[A-Z]+|E[A-Z0-9]+)$/;

export const isBusy = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)$/.test(primaryCode(error));

/** After these the connection is of no use: it is opened anew. */
export const isBroken = (error: unknown): boolean =>
  /^SQLITE_(?:NOTADB|CORRUPT|CANTOPEN|IOERR|READONLY|MISUSE|ERROR|INTERNAL)$/.test(primaryCode(error));

/** `SQLITE_IOERR_WRITE` → `SQLITE_IOERR`. */
function primaryCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // libsql gives no code when it cannot open a file, but ends its text with SQLite's number for it.
  if (code === '' && error instanceof Error && error.message.includes('ConnectionFailed('))
    return /: 14"\)/.test(error.message) ? 'SQLITE_CANTOPEN' : 'SQLITE_ERROR';
  return code.startsWith('SQLITE_') ? code.split('_').slice(0, 2).join('_') : code;
}
