// What PostgreSQL and the network say, as sentences for people: no password, no address, no SQL.
import { StoreUnavailable } from '../skills/invocation-log.ts';
import { RecordRefused, unfitValues } from './record-refused.ts';

const UNREACHABLE =
  'Cannot reach the database: no PostgreSQL answers at the address given (DATABASE_URL or --database-url); start it or mend the address';
const REFUSED = 'Cannot use the database: it refuses the user or the password in DATABASE_URL; mend them';
const STOPPED = 'Cannot use the database: PostgreSQL is stopping or starting; try again';
const NO_ROOM = 'Cannot write to the database: its disk is full; make room on it';
const BUSY = 'Cannot use the database: it has no connection left; raise its max_connections';
const SLOW = 'Cannot use the database: it takes too long to answer; look whether it is overloaded or stopped';
const READ_ONLY = 'Cannot write to the database: it is read-only; name its primary in DATABASE_URL';
const NO_RIGHTS = 'Cannot use the database: its user may not use our tables; grant the rights on them';
const NO_TLS =
  'Cannot use the database: no safe connection comes about; mend sslmode or the certificate in DATABASE_URL';
const BAD_URL = 'Cannot use the database: DATABASE_URL is no address of a PostgreSQL; mend it';
const POOLER =
  'Cannot use the database: the pooler before it refuses statement_timeout; add it to its ignore_startup_parameters';
const UNKNOWN = 'Cannot use the database: PostgreSQL reports an error; look at its log';

/** By SQLSTATE, its class (first two characters) or Node's code. */
const sentences: Readonly<Record<string, string>> = {
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
  '53100': NO_ROOM,
  '53300': BUSY,
  '57014': SLOW,
  '57': STOPPED,
  '25006': READ_ONLY,
  '25P03': SLOW,
  '42501': NO_RIGHTS,
  '55P03': SLOW,
  ERR_INVALID_URL: BAD_URL,
  ERR_SOCKET_BAD_PORT: BAD_URL,
};

/** Looked for before the codes: this one comes as a fault of the protocol. */
const UNSUPPORTED_SETTING = /unsupported startup parameter.*statement_timeout/i;

/** Of the messages that pg gives no code. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/connection terminated|connection ended|connection error|client was closed|received unexpected/i, STOPPED],
  [/timeout exceeded when trying to connect|timeout expired/i, UNREACHABLE],
  [/SSL|TLS|certificate/i, NO_TLS],
  [/SASL|SCRAM|password/i, REFUSED],
];

/** What a statement came to. A fault of our own code stays what it is. */
export const toPostgresFailure = (error: unknown): unknown => findFailure(error) ?? error;

/** Why there is no connection: whatever it is, the address, the server or the network is to blame. */
export const toConnectFailure = (error: unknown): unknown =>
  findFailure(error) ?? new StoreUnavailable(UNKNOWN, { cause: error });

function findFailure(error: unknown): StoreUnavailable | RecordRefused | undefined {
  if (error instanceof StoreUnavailable || error instanceof RecordRefused) return error;
  const code = codeOf(error);
  if (/^(?:22|23)/.test(code)) return unfitValues(error);
  const sentence = sentenceFor(code, error);
  return sentence === undefined ? undefined : new StoreUnavailable(sentence, { cause: error });
}

/** Two writers stood in each other's way: worth another try. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

function sentenceFor(code: string, error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : '';
  if (UNSUPPORTED_SETTING.test(text)) return POOLER;
  const known = sentences[code] ?? sentences[code.slice(0, 2)];
  if (known !== undefined) return known;
  const likely = shapes.find(([shape]) => shape.test(`${code} ${text}`))?.[1];
  return likely ?? (OUTSIDE.test(code) ? UNKNOWN : undefined);
}

/** PostgreSQL's codes and those of the system; Node's own for wrong arguments (`ERR_…`) are not among them. */
const OUTSIDE = /^(?:[0-9A-Z]{5}|E[A-Z0-9]+)$/;

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
