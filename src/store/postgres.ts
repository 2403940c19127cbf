// PostgreSQL behind the port in sql.ts: the only file that imports pg. A connection that hangs is cut, never waited for.
import pg from 'pg';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { sleep } from '../async/sleep.ts';
import { withTimeLimit } from './limits.ts';
import { type Driver, postgresDialect, type Row, type Statement, type Steps } from './sql.ts';
import { isConflict, toConnectFailure, tooSlow, toPostgresFailure } from './store-errors.ts';

const MOST_CONNECTIONS = 4;
const MOST_TRIES = 3;
/** Little compared with the second that PostgreSQL takes to notice that two writers wait for each other. */
const CONFLICT_REST_MS = 50;

/** Nothing is opened before the first statement. `operationLimitMs`: of a read, and of the wait for a connection. */
export function createPostgres(url: string, operationLimitMs: number): Driver {
  const pool = createPool(url, operationLimitMs);
  const onClient = <T>(work: (client: pg.PoolClient) => Promise<T>, limitMs: number) =>
    useClient(pool, work, limitMs).catch((error: unknown) => {
      throw toPostgresFailure(error);
    });
  return {
    dialect: postgresDialect,
    read: (statement) => onClient((client) => run(client, statement), operationLimitMs),
    write: (steps, limitMs) => onClient((client) => runTransaction(client, steps, limitMs), limitMs),
    close: () => pool.end(),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

function createPool(url: string, operationLimitMs: number): pg.Pool {
  try {
    const pool = new pg.Pool({
      connectionString: url,
      max: MOST_CONNECTIONS,
      connectionTimeoutMillis: operationLimitMs,
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

/** The limit includes the wait for a connection. */
async function useClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>, limitMs: number): Promise<T> {
  const started = monotonicMs();
  const client = await connect(pool);
  try {
    const value = await withTimeLimit(work(client), limitMs - (monotonicMs() - started), tooSlow);
    client.release();
    return value;
  } catch (error) {
    client.release(!leavesConnectionUsable(error));
    throw error;
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    // Reads the address only now, and throws at once when it is wrong.
    return await pool.connect();
  } catch (error) {
    throw toConnectFailure(error);
  }
}

/** PostgreSQL answered with an error and goes on listening. */
const leavesConnectionUsable = (error: unknown) => error instanceof pg.DatabaseError && error.severity === 'ERROR';

async function runTransaction<T>(client: pg.PoolClient, steps: () => Steps<T>, limitMs: number): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(client, steps, limitMs);
    } catch (error) {
      if (!isConflict(error) || tries === MOST_TRIES) throw error;
      // Tried again at once, it would take its rows before the other writer continues, and both would wait as before.
      await sleep(tries * CONFLICT_REST_MS);
    }
  }
}

async function runOnce<T>(client: pg.PoolClient, steps: () => Steps<T>, limitMs: number): Promise<T> {
  // The last setting frees our locks if this process is halted in between.
  await client.query(
    `BEGIN; SET LOCAL statement_timeout = ${limitMs}; SET LOCAL idle_in_transaction_session_timeout = ${limitMs}`,
  );
  try {
    const value = await take(client, steps());
    await client.query('COMMIT');
    return value;
  } catch (error) {
    if (leavesConnectionUsable(error)) await client.query('ROLLBACK');
    throw error;
  }
}

async function take<T>(client: pg.PoolClient, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await run(client, step.value));
  return step.value;
}

async function run(client: pg.PoolClient, { text, values }: Statement): Promise<readonly Row[]> {
  let number = 0;
  const numbered = text.replace(/\?/g, () => `$${++number}`);
  const { rows } = await client.query<Row>(numbered, [...values]);
  return rows;
}

const { INT8, NUMERIC, JSONB, TIMESTAMPTZ } = pg.types.builtins;

/** The same values as SQLite gives; see `Row`. */
function parserFor(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (type === INT8 || type === NUMERIC) return Number;
  if (type === JSONB) return (text) => text;
  const parse: (text: string) => unknown = pg.types.getTypeParser(type, format as 'text');
  return type === TIMESTAMPTZ ? (text) => Number(parse(text)) : parse;
}
