// The files of the embedded store deleted, replaced or moved while a process uses them: what is acknowledged is in the file
// that lies there.
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { taskOf, userOf } from '../../tests/contracts/stores/accounts-world.ts';
import { invocationOf, logRun } from '../../tests/contracts/stores/store-world.ts';
import { PATIENCE_MS, PATIENT } from '../../tests/support/patience.ts';
import { skipAloud } from '../../tests/support/skip-aloud.ts';
import { plain, type Steps } from './sql.ts';
import { createSqlite } from './sqlite.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
let open: Store[];
let notices: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-surprise-'));
  open = [];
  notices = [];
});
afterEach(async () => {
  await Promise.all(open.map((store) => store.close()));
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, 'data', name);

function openHere(surpriseMs = 100): Store {
  const store = openStore(
    { kind: 'sqlite', dataDirectory: join(folder, 'data') },
    { ...PATIENT, surpriseMs, onSurprise: (notice: string) => notices.push(notice) },
  );
  open.push(store);
  return store;
}

/** Answers the id of a run that the log took. */
async function acknowledged(store: Store): Promise<string> {
  const invocation = invocationOf();
  await logRun(store.invocations, invocation);
  return invocation.id;
}

const eventually = (store: Store): Promise<string> => {
  const tried = { timeout: PATIENCE_MS, interval: 5 };
  let id: string | undefined;
  return expect
    .poll(async () => {
      id = await acknowledged(store).catch(() => undefined);
      return id;
    }, tried)
    .toBeDefined()
    .then(() => id as string);
};

/** As another process sees it that starts now. */
async function idsAtPath(): Promise<readonly string[]> {
  const { invocations } = await openHere().invocations.list({ limit: 1_000 });
  return invocations.map(({ invocation }) => invocation.id);
}

const removeAll = () => {
  for (const name of readdirSync(join(folder, 'data'))) rmSync(at(name));
};

test.each([
  ['the database is deleted', () => rmSync(at('repertoire.db')), 'repertoire.db was deleted'],
  ['the database and what lies beside it are deleted', removeAll, 'repertoire.db was deleted'],
  ['the folder is deleted', () => rmSync(join(folder, 'data'), { recursive: true }), 'repertoire.db was deleted'],
  ['the log beside it is deleted', () => rmSync(at('repertoire.db-wal')), 'repertoire.db-wal'],
  ['the index beside it is deleted', () => rmSync(at('repertoire.db-shm')), 'repertoire.db-shm'],
])(
  '%s: the next call is refused with a sentence, then a run that is acknowledged is there (A8)',
  async (_case, spoil, said) => {
    const store = openHere();
    await acknowledged(store);
    spoil();
    await expect(acknowledged(store)).rejects.toThrow(said);
    const id = await eventually(store);
    expect(await idsAtPath()).toContain(id);
    expect(notices).toEqual([expect.stringContaining(said)]);
  },
);

test.each(['repertoire.db', 'repertoire.db-wal', 'repertoire.db-shm'])(
  'health sees that %s is gone, without any call, and that it works again (A8)',
  async (name) => {
    const store = openHere();
    await acknowledged(store);
    rmSync(at(name));
    expect(await store.health()).toEqual({ isReady: false, reason: expect.stringContaining(name) });
    await expect.poll(() => store.health(), { timeout: PATIENCE_MS }).toEqual({ isReady: true });
  },
);

test('health says it to everyone who looks, also when another call has met it before and all is well again (A8)', async () => {
  const store = openHere(PATIENCE_MS);
  await acknowledged(store);
  rmSync(at('repertoire.db'));
  await eventually(store);
  for (let looks = 0; looks < 3; looks += 1)
    expect(await store.health()).toEqual({ isReady: false, reason: expect.stringContaining('was deleted') });
});

test('health is good again some time after a database was deleted and made anew (A8)', async () => {
  const store = openHere(100);
  await acknowledged(store);
  rmSync(at('repertoire.db'));
  await eventually(store);
  await expect.poll(() => store.health(), { timeout: PATIENCE_MS }).toEqual({ isReady: true });
});

test.each(['repertoire.db-wal', 'repertoire.db-shm'])(
  'what was acknowledged before %s went is kept (A8)',
  async (name) => {
    const store = openHere();
    const before = [await acknowledged(store), await acknowledged(store)];
    rmSync(at(name));
    const after = await eventually(store);
    expect(await idsAtPath()).toEqual(expect.arrayContaining([...before, after]));
  },
);

const agentOf = (name: string) => ({
  name,
  tokenDigest: name.repeat(64),
  roles: [],
  scopes: [],
  createdAt: new Date(0),
  expiresAt: undefined,
});

const besides = ['repertoire.db-wal', 'repertoire.db-shm'];

test.each(besides.flatMap((name) => [1, 2].map((processes) => [name, processes] as const)))(
  'an agent that is refused because %s went is not there, and can be added again, with %i processes (A8)',
  async (name, processes) => {
    const [store] = Array.from({ length: processes }, openHere) as [Store];
    for (const other of open) await acknowledged(other);
    await store.agents.add(agentOf('a'), 'local');
    rmSync(at(name));
    await expect(store.agents.add(agentOf('b'), 'local')).rejects.toThrow(name);
    await Promise.all(open.splice(0).map((each) => each.close()));
    const { agents } = openHere();
    expect((await agents.list()).map((agent) => agent.name)).toEqual(['a']);
    expect(await agents.add(agentOf('b'), 'local')).toBe(true);
  },
);

test.each(besides)(
  'a task that is refused because %s went is there once when it is created again (A8)',
  async (name) => {
    const store = openHere();
    const user = userOf();
    await store.users.create(user);
    rmSync(at(name));
    await expect(store.tasks.create(taskOf(user.id))).rejects.toThrow(name);
    const task = taskOf(user.id);
    await expect.poll(() => store.tasks.create(task).catch(() => false), { timeout: PATIENCE_MS }).toBe(true);
    const page = await store.tasks.list({ userId: user.id, status: undefined, limit: 10, offset: 0 });
    expect(page?.tasks.map(({ id }) => id)).toEqual([task.id]);
  },
);

/** What a write came to, with `work` between its last look at the files and its commit. */
async function writeWith(work: () => void) {
  const told: string[] = [];
  const driver = createSqlite(join(folder, 'data'), PATIENCE_MS, ({ notice }) => told.push(notice));
  const write = (text: string) =>
    driver.write(function* (): Steps<string> {
      yield plain(text);
      return 'written';
    }, PATIENCE_MS);
  let beforeCommit = () => {};
  const { prepare } = Database.prototype;
  const spy = vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, text) {
    const statement = prepare.call(this, text);
    const all = statement.all.bind(statement);
    if (text === 'COMMIT')
      statement.all = (values: object) => {
        beforeCommit();
        return all(values);
      };
    return statement;
  });
  // By this table a file counts as ours.
  await write('CREATE TABLE repertoire_migrations (name TEXT)');
  beforeCommit = work;
  const outcome = await write("INSERT INTO repertoire_migrations VALUES ('kept')")
    .catch((error: Error) => error.message)
    .finally(() => spy.mockRestore());
  return { driver, told, outcome };
}

test.each(besides)(
  'what was committed when %s went is acknowledged, for it is kept; the operator is told (A8)',
  async (name) => {
    const { driver, told, outcome } = await writeWith(() => rmSync(at(name)));
    expect(outcome).toBe('written');
    expect(told).toEqual([expect.stringContaining(name)]);
    expect(await driver.read(plain('SELECT name FROM repertoire_migrations'))).toEqual([{ name: 'kept' }]);
    await driver.close();
  },
);

test('what was committed when the database itself went is refused (A8)', async () => {
  const { driver, outcome } = await writeWith(() => rmSync(at('repertoire.db')));
  expect(outcome).toContain('repertoire.db was deleted');
  await driver.close();
});

test('a copy put in its place is served as it is, and the records beside it do not get into it (A8)', async () => {
  const store = openHere();
  const copied = await acknowledged(store);
  await store.close();
  cpSync(at('repertoire.db'), join(folder, 'copy.db'));
  const running = openHere();
  const later = await acknowledged(running);
  renameSync(join(folder, 'copy.db'), at('repertoire.db'));
  await expect(acknowledged(running)).rejects.toThrow('repertoire.db was replaced');
  const id = await eventually(running);
  const ids = await idsAtPath();
  expect(ids).toEqual(expect.arrayContaining([copied, id]));
  expect(ids).not.toContain(later);
  expect(notices).toEqual([expect.stringContaining('repertoire.db was replaced')]);
});

test('a database that is moved away takes along all that was acknowledged (A8)', async () => {
  const store = openHere();
  const before = await acknowledged(store);
  renameSync(at('repertoire.db'), join(folder, 'moved.db'));
  await eventually(store);
  const moved = new Database(join(folder, 'moved.db'));
  expect(moved.prepare('SELECT id FROM skill_invocations').all([])).toContainEqual({ id: before });
  moved.close();
});

test('a folder that may not be looked into for a while is no surprise (A8)', async (context) => {
  skipAloud(context, process.getuid?.() !== 0, 'only root can step down and up again');
  const store = openHere();
  const before = await acknowledged(store);
  chmodSync(folder, 0);
  process.seteuid?.(65_534);
  try {
    await acknowledged(store).catch(() => undefined);
  } finally {
    process.seteuid?.(0);
    chmodSync(folder, 0o700);
  }
  const after = await eventually(store);
  expect(await idsAtPath()).toEqual(expect.arrayContaining([before, after]));
  expect(notices).toEqual([]);
});

test('a folder in whose place a file lies is a deleted database (A8)', async () => {
  const store = openHere();
  await acknowledged(store);
  renameSync(join(folder, 'data'), join(folder, 'aside'));
  writeFileSync(join(folder, 'data'), '');
  await expect(acknowledged(store)).rejects.toThrow('repertoire.db was deleted');
  rmSync(join(folder, 'data'));
  const id = await eventually(store);
  expect(await idsAtPath()).toEqual([id]);
});

test('two processes that lose their database meet in the new one (A8)', async () => {
  const [one, two] = [openHere(), openHere()];
  await Promise.all([acknowledged(one), acknowledged(two)]);
  rmSync(at('repertoire.db'));
  const ids = [await eventually(one), await eventually(two), await eventually(one), await eventually(two)];
  expect(await idsAtPath()).toEqual(expect.arrayContaining(ids));
});

test('reads see the new file, too (A8)', async () => {
  const store = openHere();
  await acknowledged(store);
  removeAll();
  await expect
    .poll(() => store.invocations.list({ limit: 10 }).then(({ invocations }) => invocations.length), {
      timeout: PATIENCE_MS,
    })
    .toBe(0);
});

test('a file in its place that is no database is reported and left alone, and a good one is used again (A8)', async () => {
  const store = openHere();
  await acknowledged(store);
  removeAll();
  writeFileSync(at('repertoire.db'), 'not a database at all '.repeat(500));
  await expect
    .poll(() => store.health(), { timeout: PATIENCE_MS })
    .toEqual({ isReady: false, reason: expect.stringContaining('is damaged') });
  removeAll();
  expect(await idsAtPath()).toEqual([]);
  expect(await eventually(store).then(async (id) => (await idsAtPath()).includes(id))).toBe(true);
});

test('a database of another program is not written to (A8)', async () => {
  const store = openHere();
  await acknowledged(store);
  removeAll();
  const other = new Database(at('repertoire.db'));
  other.exec('CREATE TABLE songs (title TEXT)');
  other.close();
  await expect
    .poll(() => store.health(), { timeout: PATIENCE_MS })
    .toEqual({ isReady: false, reason: expect.stringContaining('repertoire.db belongs to another program') });
  const looked = new Database(at('repertoire.db'));
  expect(looked.prepare('SELECT name FROM sqlite_master').all([])).toEqual([{ name: 'songs' }]);
  looked.close();
  expect(existsSync(at('repertoire.db'))).toBe(true);
});
