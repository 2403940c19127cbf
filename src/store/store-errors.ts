// Why the store does not take something: errors whose message is a sentence without a value, a path, an address or SQL. The
// only file that knows the codes of SQLite and PostgreSQL. A fault of our own code is none of these and stays what it is.
import type { StoreKind } from '../settings/store-place.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { codeOf } from '../values/error-code.ts';

/** The store works, but does not take this record: its values do not fit, or what it says is there already. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
  readonly reason: 'double' | 'unfit';

  constructor(reason: 'double' | 'unfit', message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Not now, though the database is well: it says nothing about what others ask of it. */
export class Withheld extends StoreUnavailable {}

/** The trail cannot be keyed: nothing is changed that has to be entered into it (L5). */
export class KeyUnavailable extends Withheld {}

/** A process that lost its run learns of it when it renews its lease, and stops. */
export const lostRun = () => new Withheld('Cannot keep a step of a run: another process runs it now');

export const doubleInvocation = () =>
  new RecordRefused('double', 'Cannot record the invocation: there is one with its id already');

export const doubleResult = () =>
  new RecordRefused('double', 'Cannot record the result: the invocation has one already');

export const unfitValues = (cause?: unknown) =>
  new RecordRefused('unfit', 'Cannot record it: the database does not take its values', cause);

const SLOW = 'Cannot use the database: it takes too long to answer; look whether it is overloaded or stopped';

export const tooSlow = () => new StoreUnavailable(SLOW);

/** This process has more for it to do than it has connections. */
class PoolBusy extends Withheld {}

export const busyPool = () =>
  new PoolBusy('Cannot use the database now: this process asks for more at once than it takes; try again in a moment');

export const isPoolBusy = (error: unknown): boolean => error instanceof PoolBusy;

/** Found out by us or by the database. */
export const isTooSlow = ({ message }: StoreUnavailable): boolean => message === SLOW;

/** What was written can be read meanwhile (F5). */
export const hindersOnlyWriting = ({ message }: StoreUnavailable): boolean => ONLY_WRITING.has(message);

export const missingTable = (kind: StoreKind, name: string) =>
  new StoreUnavailable(missingSentences[kind].replace('one of its tables', `its table ${name}`));

/** What SQLite or the file system reported. */
export function toSqliteFailure(error: unknown): unknown {
  const code = sqliteCodeOf(error);
  // SQLite has no code of its own for it.
  const isMissing = code === 'SQLITE_ERROR' && error instanceof Error && error.message.startsWith('no such table');
  return findFailure(error, code, isMissing ? missingSentences.sqlite : sqlite.sentences[code], sqlite) ?? error;
}

/** What a statement of PostgreSQL came to. */
export const toPostgresFailure = (error: unknown): unknown => findPostgresFailure(error) ?? error;

/** Why PostgreSQL cannot be reached: whatever it is, the address, the server or the network is to blame. */
export const toConnectFailure = (error: unknown): unknown =>
  findPostgresFailure(error) ?? new StoreUnavailable(postgres.unknown, { cause: error });

/** SQLite: another process has locked the file. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)$/.test(sqliteCodeOf(error));

/** SQLite: after these the file has to be opened again. */
export const isBroken = (error: unknown): boolean =>
  /^SQLITE_(?:NOTADB|CORRUPT|CANTOPEN|IOERR|READONLY|MISUSE|ERROR|INTERNAL)$/.test(sqliteCodeOf(error));

/** PostgreSQL: two writers stood in each other's way; worth another try. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(postgresCodeOf(error));

/** PostgreSQL: what a statement of ours comes to when it is meant to fail. */
export const isDivisionByZero = (error: unknown): boolean => postgresCodeOf(error) === '22012';

/** PostgreSQL: it leaves us, or is in no state to be asked more. */
export const endsConnection = (error: unknown): boolean => /^(?:08|25P0[34]|57P|XX)/.test(postgresCodeOf(error));

interface Codes {
  /** Of values that the database does not take. */
  readonly unfit: RegExp;
  /** Of the database or the system. Node's own for wrong arguments (`ERR_…`) are not among them. */
  readonly outside: RegExp;
  /** By code, or for PostgreSQL by class (the first two characters). */
  readonly sentences: Readonly<Record<string, string>>;
  /** For every other code from outside. */
  readonly unknown: string;
}

const DAMAGED = 'Cannot use the log: its file is damaged; move repertoire.db out of the data directory and start again';
const FULL = 'Cannot write the log: the disk is full; make room on it';
const FORBIDDEN = 'Cannot use the log: the data directory cannot be written; give this user the right to write there';
const LOCKED = 'Cannot write the log: another process keeps it locked; end that process';
const UNREADABLE = 'Cannot use the log: the disk reports an error; check the disk of the data directory';

const missingSentences: Readonly<Record<StoreKind, string>> = {
  sqlite:
    'Cannot use the log: one of its tables is missing; put a copy of repertoire.db in its place, or move it out of the data directory',
  postgres: 'Cannot use the database: one of its tables is missing; restore it from a backup',
};

const sqlite: Codes = {
  unfit: /^SQLITE_(?:CONSTRAINT|TOOBIG|MISMATCH)$/,
  outside: /^(?:SQLITE_[A-Z]+|E[A-Z0-9]+)$/,
  sentences: {
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
  },
  unknown: 'Cannot use the log: the database reports an error; look at the data directory',
};

const UNREACHABLE =
  'Cannot reach the database: no PostgreSQL answers at the address given (DATABASE_URL or --database-url); start it or fix the address';
const REFUSED = 'Cannot use the database: it refuses the user or the password in DATABASE_URL; fix them';
const STOPPED = 'Cannot use the database: PostgreSQL is stopping or starting; try again';
const BAD_URL = 'Cannot use the database: DATABASE_URL is no address of a PostgreSQL; fix it';
const NO_TLS =
  'Cannot use the database: no safe connection comes about; fix sslmode or the certificate in DATABASE_URL';
const POOLER =
  'Cannot use the database: the pooler before it refuses statement_timeout; add it to its ignore_startup_parameters';
const FULL_DATABASE = 'Cannot write to the database: its disk is full; make room on it';
const READ_ONLY_DATABASE = 'Cannot write to the database: it is read-only; name its primary in DATABASE_URL';

const ONLY_WRITING: ReadonlySet<string> = new Set([FULL, LOCKED, FULL_DATABASE, READ_ONLY_DATABASE]);

const postgres: Codes = {
  unfit: /^(?:22|23)/,
  outside: /^(?:[0-9A-Z]{5}|E[A-Z0-9]+)$/,
  sentences: {
    ECONNREFUSED: UNREACHABLE,
    ENOTFOUND: UNREACHABLE,
    EAI_AGAIN: UNREACHABLE,
    EHOSTUNREACH: UNREACHABLE,
    ENETUNREACH: UNREACHABLE,
    ENOENT: UNREACHABLE,
    ETIMEDOUT: UNREACHABLE,
    ECONNRESET: STOPPED,
    EPIPE: STOPPED,
    '08': STOPPED,
    '28': REFUSED,
    '3D': 'Cannot use the database: the one that DATABASE_URL names does not exist; create it',
    '53100': FULL_DATABASE,
    '53300': 'Cannot use the database: it has no connection left; raise its max_connections',
    '57014': SLOW,
    '57': STOPPED,
    '25006': READ_ONLY_DATABASE,
    '25P03': SLOW,
    '42501': 'Cannot use the database: its user may not use our tables; grant the rights on them',
    '42P01': missingSentences.postgres,
    '55P03': SLOW,
    ERR_INVALID_URL: BAD_URL,
    ERR_SOCKET_BAD_PORT: BAD_URL,
  },
  unknown: 'Cannot use the database: PostgreSQL reports an error; look at its log',
};

/** Looked for before the codes: the pooler's refusal comes as a fault of the protocol. */
const UNSUPPORTED_SETTING = /unsupported startup parameter.*statement_timeout/i;

/** Of the messages that pg gives no code. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/connection terminated|connection ended|connection error|client was closed|received unexpected/i, STOPPED],
  [/timeout exceeded when trying to connect|timeout expired/i, UNREACHABLE],
  [/SSL|TLS|certificate/i, NO_TLS],
  [/SASL|SCRAM|password/i, REFUSED],
];

function findPostgresFailure(error: unknown): Error | undefined {
  const code = postgresCodeOf(error);
  const text = error instanceof Error ? error.message : '';
  const { sentences } = postgres;
  const sentence = UNSUPPORTED_SETTING.test(text)
    ? POOLER
    : (sentences[code] ?? sentences[code.slice(0, 2)] ?? shapes.find(([shape]) => shape.test(`${code} ${text}`))?.[1]);
  return findFailure(error, code, sentence, postgres);
}

function findFailure(
  error: unknown,
  code: string,
  known: string | undefined,
  { unfit, outside, unknown }: Codes,
): Error | undefined {
  if (error instanceof StoreUnavailable || error instanceof RecordRefused) return error;
  if (unfit.test(code)) return unfitValues(error);
  const sentence = known ?? (outside.test(code) ? unknown : undefined);
  return sentence === undefined ? undefined : new StoreUnavailable(sentence, { cause: error });
}

function postgresCodeOf(error: unknown): string {
  return codeOf(error instanceof AggregateError ? error.errors[0] : error) ?? '';
}

/** `SQLITE_IOERR_WRITE` → `SQLITE_IOERR`. */
function sqliteCodeOf(error: unknown): string {
  const code = codeOf(error) ?? '';
  // libsql gives no code when it cannot open a file, but ends its text with SQLite's number for it.
  if (code === '' && error instanceof Error && error.message.includes('ConnectionFailed('))
    return /: 14"\)/.test(error.message) ? 'SQLITE_CANTOPEN' : 'SQLITE_ERROR';
  return code.startsWith('SQLITE_') ? code.split('_').slice(0, 2).join('_') : code;
}
