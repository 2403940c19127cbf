// PostgreSQL behind the port in sql.ts: with postgres-listener.ts the only file that imports pg. A connection that hangs is cut, never waited for.
import pg from 'pg';
import { createBoundedMap } from '../async/bounded-map.ts';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { sleep } from '../async/sleep.ts';
import { within } from '../async/within.ts';
import { longestSilenceOf, withTimeLimit } from './limits.ts';
import { openPostgresListener } from './postgres-listener.ts';
import { createSilence, type Silence } from './silence.ts';
import {
  type Driver,
  type ForeignRows,
  postgresDialect,
  type Row,
  type SqlValue,
  type Statement,
  type Steps,
} from './sql.ts';
import {
  busyPool,
  endsConnection,
  isConflict,
  isDivisionByZero,
  toConnectFailure,
  tooSlow,
  toPostgresFailure,
  unfitValues,
  Withheld,
} from './store-errors.ts';

const MOST_CONNECTIONS = 4;
const MOST_TRIES = 3;
/** Little compared with the second that PostgreSQL takes to notice that two writers wait for each other. */
const CONFLICT_REST_MS = 50;

/** Nothing is opened before the first statement. `operationLimitMs`: of a read, and of the wait for a connection. */
export function createPostgres(url: string, operationLimitMs: number): Driver {
  const silence = createSilence({
    mostMs: longestSilenceOf(operationLimitMs),
    probe: () => saysAnything(url, operationLimitMs),
    monotonicMs,
  });
  const pool = createPool(url, operationLimitMs);
  pool.on('connect', (client) => {
    // A new connection is an answer, too. `drain`: to whatever was asked on it.
    silence.heard();
    client.on('drain', silence.heard);
  });
  const connections: Connections = { pool, silence, answeredMs: Number.NEGATIVE_INFINITY };
  const numbered = createNumbering();
  const onClient = <T>(work: (client: pg.PoolClient, leftMs: () => number) => Promise<T>, limitMs: number) =>
    useClient(connections, work, limitMs).catch((error: unknown) => {
      throw toPostgresFailure(error);
    });
  return {
    dialect: postgresDialect,
    read: (statement) => onClient((client) => run(client, statement, numbered), operationLimitMs),
    write: (steps, limitMs) =>
      onClient((client, leftMs) => runTransaction({ client, leftMs, numbered }, steps), limitMs),
    // With pg's own types: a library takes its rows as pg gives them.
    execute: (text, values) => onClient((client) => runForeign(client, text, values), operationLimitMs),
    close: () => {
      silence.close();
      return pool.end();
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    // Not one of the pool: it listens for as long as the process runs.
    listen: (hear, onLost) => openPostgresListener(url, operationLimitMs, hear, onLost),
  };
}

function createPool(url: string, operationLimitMs: number): pg.Pool {
  try {
    const pool = new pg.Pool({
      connectionString: url,
      max: MOST_CONNECTIONS,
      // Sends what it is given without waiting for the answer to what it was given before.
      pipeline: true,
      // Who waits for a connection has a limit of its own. This one frees the place of one that never comes about.
      connectionTimeoutMillis: 2 * operationLimitMs,
      // For reads: when we cut the connection of a slow one, PostgreSQL would work on. Writes set their own.
      statement_timeout: operationLimitMs,
      allowExitOnIdle: true,
      keepAlive: true,
      types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
    });
    // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  } catch (error) {
    throw toConnectFailure(error);
  }
}

interface Connections {
  readonly pool: pg.Pool;
  readonly silence: Silence;
  /** When it last answered one of them. */
  answeredMs: number;
}

/** The limit includes the wait for a connection. */
async function useClient<T>(
  connections: Connections,
  work: (client: pg.PoolClient, leftMs: () => number) => Promise<T>,
  limitMs: number,
): Promise<T> {
  const { silence } = connections;
  // Whether it is back is found out beside this: no caller waits for it.
  if (silence.isTooLong()) throw tooSlow();
  const started = monotonicMs();
  const leftMs = () => limitMs - (monotonicMs() - started);
  silence.asked();
  try {
    const client = await takeClient(connections, limitMs);
    // No later than we give up, be it for its silence: from now on that lasts so long at least.
    const leftThereMs = () => Math.min(leftMs(), longestSilenceOf(limitMs));
    const value = await workOn(client, () => silence.wait(work(client, leftThereMs), leftMs(), tooSlow));
    connections.answeredMs = monotonicMs();
    return value;
  } finally {
    silence.over();
  }
}

/** One that comes after its caller has left is given back unused: nothing is written for a caller that was refused. */
async function takeClient(connections: Connections, limitMs: number): Promise<pg.PoolClient> {
  const { pool, silence } = connections;
  // One is free: it comes at once, and a limit would cost a timer.
  if (pool.idleCount > pool.waitingCount) return connect(pool);
  const startedMs = monotonicMs();
  const connecting = connect(pool);
  // No connection was free although the database answered others meanwhile: it is not away.
  const late = () => (connections.answeredMs >= startedMs ? busyPool() : tooSlow());
  try {
    // Less than the whole: the reason comes before others say that it took long.
    return await silence.wait(connecting, limitMs * 0.95, late);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined, // It is the reason itself, or comes too late to be told.
    );
    throw error;
  }
}

async function workOn<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    const value = await work();
    client.release();
    return value;
  } catch (error) {
    if (leavesConnectionUsable(error)) client.release();
    else cut(client);
    throw error;
  }
}

/** Now: `release(true)` alone would wait for all that was asked on it. PostgreSQL takes back what was not committed in time. */
function cut(client: pg.PoolClient): void {
  client.connection.stream.destroy();
  client.release(true);
}

/** Anything at all, be it a refusal, on a connection of its own: those of the pool may all be held by slow statements. */
async function saysAnything(url: string, limitMs: number): Promise<boolean> {
  const pool = createPool(url, limitMs);
  const said = askNothing(pool, limitMs).then(
    () => true,
    () => true, // What cannot be reached is no silence: everyone is told so at once.
  );
  return within(said, limitMs * 0.9, () => false).finally(() => void pool.end());
}

async function askNothing(pool: pg.Pool, limitMs: number): Promise<void> {
  const client = await connect(pool);
  const asked = withTimeLimit(client.query('SELECT 1'), limitMs, tooSlow);
  await asked.finally(() => cut(client));
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    // Reads the address only now, and throws at once when it is wrong.
    return await pool.connect();
  } catch (error) {
    throw toConnectFailure(error);
  }
}

/** PostgreSQL answered with an error and goes on listening. Its severity alone does not tell: it is in the server's language. */
const leavesConnectionUsable = (error: unknown) =>
  error instanceof Withheld ||
  (error instanceof pg.DatabaseError && !/^(?:FATAL|PANIC)$/.test(error.severity ?? '') && !endsConnection(error));

interface Transaction {
  readonly client: pg.PoolClient;
  /** From now on, how long PostgreSQL may take: what comes later is refused, and must not be written. */
  readonly leftMs: () => number;
  readonly numbered: Numbering;
}

async function runTransaction<T>(transaction: Transaction, steps: () => Steps<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(transaction, steps);
    } catch (error) {
      if (!isConflict(error) || tries === MOST_TRIES) throw error;
      // Tried again at once, it would take its rows before the other writer continues, and both would wait as before.
      await sleep(tries * CONFLICT_REST_MS);
    }
  }
}

async function runOnce<T>(transaction: Transaction, steps: () => Steps<T>): Promise<T> {
  const { client, leftMs } = transaction;
  try {
    const limitMs = Math.ceil(Math.max(1, leftMs()));
    // READ COMMITTED whatever the database's default: our statements lock what they depend on. The last setting frees our locks if
    // this process is halted in between.
    await client.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${limitMs}; SET LOCAL idle_in_transaction_session_timeout = ${limitMs}`,
    );
    return await takeAll(transaction, steps(), commitWithin(leftMs()));
  } catch (error) {
    if (leavesConnectionUsable(error)) await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * Commits, unless it is too late, by the clock of PostgreSQL and from the beginning of the transaction on: what was sent is done when
 * it arrives, also when we have given up. Both in one text: that is one statement less to send.
 */
const commitWithin = (leftMs: number): string =>
  `SELECT 1 / CAST(clock_timestamp() < now() + interval '${Math.floor(leftMs)} milliseconds' AS INTEGER); COMMIT`;

/** A text of several statements may begin a transaction and fail in it: the next who gets the connection must not be in there. */
async function runForeign(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<ForeignRows> {
  try {
    return await client.query({ text, values: [...values], types: pg.types });
  } catch (error) {
    if (leavesConnectionUsable(error)) await client.query('ROLLBACK');
    throw error;
  }
}

/** To the commit. Behind a statement that failed, PostgreSQL takes none of the transaction, and a commit is a rollback. */
async function takeAll<T>({ client, numbered }: Transaction, steps: Steps<T>, commit: string): Promise<T> {
  const ask = (statement: Statement) => run(client, statement, numbered);
  let step = steps.next();
  for (;;) {
    const sent: Promise<unknown>[] = [];
    const { stream } = client.connection;
    // What is sent until here goes out at once: each way into the network costs as much as the work on what is sent.
    stream.cork();
    try {
      for (; !step.done && step.value.isUnread; step = steps.next([])) sent.push(ask(step.value));
      sent.push(step.done ? client.query(commit).catch(toTooSlow) : ask(step.value));
    } finally {
      stream.uncork();
      // Also when a step throws: nothing else is asked before all is answered.
      await Promise.allSettled(sent);
    }
    const last = (await Promise.all(sent)).at(-1);
    if (step.done) return step.value;
    step = steps.next(last as readonly Row[]); // of `ask`
  }
}

function toTooSlow(error: unknown): never {
  throw isDivisionByZero(error) ? tooSlow() : error;
}

/** Throws at once when pg could not send the values: it would send a commit behind them all the same. */
const run = (client: pg.PoolClient, { text, values }: Statement, numbered: Numbering): Promise<readonly Row[]> =>
  client.query<Row>(numbered(text), values.map(toSendable)).then(({ rows }) => rows);

function toSendable(value: SqlValue): SqlValue {
  if (value instanceof Date && Number.isNaN(value.getTime())) throw unfitValues();
  return value;
}

/** `$1, $2` for `?, ?`: as PostgreSQL wants them. */
type Numbering = (text: string) => string;

/** The texts are our own, and a batch has at most 256 rows: most come again and again. */
function createNumbering(): Numbering {
  // With its text as the key, each counts twice.
  const known = createBoundedMap<string, string>({ most: 4 * 2 ** 20, weigh: ({ length }) => 2 * length });
  return (text) => {
    let number = 0;
    const made = known.get(text) ?? text.replace(/\?/g, () => `$${++number}`);
    // What was used last is kept.
    known.set(text, made);
    return made;
  };
}

const { INT8, NUMERIC, JSONB, TIMESTAMPTZ } = pg.types.builtins;

/** The same values as SQLite gives; see `Row`. */
function parserFor(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (type === INT8 || type === NUMERIC) return Number;
  if (type === JSONB) return (text) => text;
  const parse: (text: string) => unknown = pg.types.getTypeParser(type, format as 'text');
  return type === TIMESTAMPTZ ? (text) => Number(parse(text)) : parse;
}
