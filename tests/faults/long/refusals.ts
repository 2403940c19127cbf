// Every question to a store that cannot answer is refused within two seconds (F1, H6): nothing listens, it hangs, it is slow, it is locked.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { StoreUnavailable } from '../../../src/skills/record/invocation-log.ts';
import { OPERATION_LIMIT_MS } from '../../../src/store/limits.ts';
import { createPostgres } from '../../../src/store/postgres.ts';
import { plain } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { ok } from '../../../src/values/result.ts';
import { taskOf, userOf } from '../../contracts/stores/accounts-world.ts';
import { invocationOf, logRun, moment } from '../../contracts/stores/store-world.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { backendsOf, signalAll } from '../postgres-backends.ts';
import { expectWithin, type FaultContext, type FaultPart } from './fault-part.ts';

const LIMIT_MS = 2_000;

export const refusalFaults: FaultPart = async (context) => {
  const postgres = await startPostgres({ fsync: true });
  try {
    await context.check('refusals: nothing listens', () => askUnused());
    await context.check('refusals: PostgreSQL hangs', () => askHanging(postgres));
    await context.check('refusals: an endless question', () => askEndlessly(postgres));
    await context.check('refusals: SQLite locked by another process', () => askLocked(context));
  } finally {
    await postgres.stop();
  }
};

const id = randomUUID();

/** All that a store can be asked. */
const questions: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'an invocation': ({ invocations }) => logRun(invocations, invocationOf()),
  'invocations.list': ({ invocations }) => invocations.list({ limit: 1 }),
  'loads.list': ({ loads }) => loads.list({ limit: 1 }),
  'agents.findByDigest': ({ agents }) => agents.findByDigest('a'),
  'agents.list': ({ agents }) => agents.list(),
  'agents.revoke': ({ agents }) => agents.revoke('a', moment(), 'local'),
  'secrets.getOrAdd': ({ secrets }) => secrets.getOrAdd('a', () => 'b'),
  'tasks.create': ({ tasks }) => tasks.create(taskOf(id)),
  'tasks.list': ({ tasks }) => tasks.list({ userId: id, status: undefined, limit: 1, offset: 0 }),
  'tasks.update': ({ tasks }) => tasks.update(id, id, () => ok({}), moment()),
  'tasks.delete': ({ tasks }) => tasks.delete(id, id),
  'users.create': ({ users }) => users.create(userOf()),
  'users.find': ({ users }) => users.find(id),
  'users.delete': ({ users }) => users.delete(id),
};

/** One after the other, so that each meets the fault itself and not only the gate that the first one closed. */
async function askAll(newStore: () => Store): Promise<string> {
  let slowestMs = 0;
  for (const [name, ask] of Object.entries(questions)) {
    const store = newStore();
    slowestMs = Math.max(slowestMs, await expectRefusal(name, ask(store)));
    void store.close();
  }
  return `${Object.keys(questions).length} kinds of questions refused, the slowest after ${Math.round(slowestMs)} ms`;
}

async function expectRefusal(name: string, asking: Promise<unknown>): Promise<number> {
  const started = performance.now();
  const said = await asking.then(
    () => 'answered',
    (error: unknown) => error,
  );
  if (!(said instanceof StoreUnavailable)) throw new Error(`${name} was not refused: ${said}`);
  const ms = performance.now() - started;
  expectWithin(LIMIT_MS, name, ms);
  return ms;
}

const askUnused = (): Promise<string> =>
  askAll(() => openStore({ kind: 'postgres', url: 'postgres://postgres@127.0.0.1:9/none' }));

async function askHanging(postgres: TestPostgres): Promise<string> {
  const place = await createDatabase(postgres);
  const first = openStore(place);
  await first.migrate();
  await first.close();
  const halted = [postgres.pid(), ...(await backendsOf(place.url))];
  signalAll(halted, 'SIGSTOP');
  try {
    return await askAll(() => openStore(place));
  } finally {
    signalAll(halted, 'SIGCONT');
  }
}

async function askEndlessly(postgres: TestPostgres): Promise<string> {
  const { url } = await createDatabase(postgres);
  const database = createPostgres(url, OPERATION_LIMIT_MS);
  try {
    const ms = await expectRefusal('an endless question', database.read(plain('SELECT pg_sleep(60)')));
    return `refused after ${Math.round(ms)} ms`;
  } finally {
    await database.close();
  }
}

async function askLocked(context: FaultContext): Promise<string> {
  const place = { kind: 'sqlite', dataDirectory: context.folder('locked') } as const;
  const store = openStore(place);
  await logRun(store.invocations, invocationOf());
  const other = new Database(join(place.dataDirectory, 'repertoire.db'));
  other.exec('BEGIN IMMEDIATE');
  try {
    const ms = await expectRefusal('a locked log', logRun(store.invocations, invocationOf()));
    return `refused after ${Math.round(ms)} ms`;
  } finally {
    other.exec('ROLLBACK');
    other.close();
    await store.close();
  }
}
