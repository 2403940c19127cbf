// What keeps a store in order: migrations, the sweep after dead processes, retention; on both databases (X7, F3).
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { recordOf } from '../../../src/store/invocation-record.ts';
import { recordBatch } from '../../../src/store/invocation-writes.ts';
import { removeProcess, renewLease } from '../../../src/store/lease.ts';
import { EVERYTHING, migrate, migrations, printMigrations } from '../../../src/store/migrate.ts';
import { type ProcessOwner, readProcessOwner } from '../../../src/store/process-owner.ts';
import { plain, postgresDialect, sql } from '../../../src/store/sql.ts';
import { openStore } from '../../../src/store/store.ts';
import { PATIENT } from '../../support/patience.ts';
import type { PostgresPlace } from '../../support/postgres-database.ts';
import { onDatabase } from './on-database.ts';
import { failureOf, invocationOf, logRun, moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

describe.each(['sqlite', 'postgres'] as const)('migrations on %s', (kind) => {
  const names = migrations.map(({ number, name }) => `${String(number).padStart(4, '0')}-${name}`);

  test('the first use applies all of them, the second none (X7)', async () => {
    const place = await world.place(kind);
    expect(await world.open(place).migrate()).toEqual(names);
    expect(await world.open(place).migrate()).toEqual([]);
  });

  test('stores that start at once on an empty database all come up, and each is applied once (F3)', async () => {
    const place = await world.place(kind);
    const applied = await Promise.all(Array.from({ length: 5 }, () => world.open(place).migrate()));
    expect(applied.flat().sort()).toEqual(names);
  });

  test('one that fails leaves nothing behind, and the next try goes on where it stopped (F3)', async () => {
    const place = await world.place(kind);
    const statements = { [kind]: ['CREATE TABLE half (a INTEGER)', 'CREATE TABLE half (a INTEGER)'] } as never;
    const broken = [...migrations, { number: migrations.length + 1, name: 'broken', part: 'log' as const, statements }];
    await onDatabase(place, async (database) => {
      await expect(migrate(database, { ...EVERYTHING, known: broken })).rejects.toMatchObject({
        name: 'StoreUnavailable',
      });
      await expect(database.read(plain('SELECT a FROM half'))).rejects.toThrow();
      expect(await migrate(database)).toEqual([]);
    });
  });

  test('failures that an older version records beside this one get their codes with the next sweep (X8)', async () => {
    const place = await world.place(kind);
    const store = world.open(place);
    const invocation = invocationOf();
    await logRun(store.invocations, invocation, failureOf(invocation, 'NOT_FOUND'));
    await onDatabase(place, (database) =>
      database.write(function* () {
        yield plain('UPDATE skill_invocations SET failure_code = NULL');
      }),
    );
    await store.sweep();
    const { invocations } = await store.invocations.list({ limit: 10, failureCode: 'NOT_FOUND' });
    expect(invocations.map((each) => each.invocation.id)).toEqual([invocation.id]);
  });

  test('a database of a newer version is refused with a sentence (X7)', async () => {
    const place = await world.place(kind);
    await world.open(place).migrate();
    await onDatabase(place, (database) =>
      database.write(function* () {
        yield sql`INSERT INTO repertoire_migrations (number, name) VALUES (${99}, ${'future'})`;
      }),
    );
    const store = world.open(place);
    const refusal = 'Cannot use the database: a newer version of Repertoire made it; update Repertoire';
    await expect(store.invocations.begin(invocationOf())).rejects.toThrow(refusal);
    expect(await store.health()).toEqual({ isReady: false, reason: refusal });
  });

  test('the printed script makes the same database (X7)', async () => {
    const place = await world.place(kind);
    await onDatabase(place, async (database) => {
      for (const statement of statementsOf(printMigrations(kind))) {
        await database.write(function* () {
          yield plain(statement);
        });
      }
      expect(await migrate(database)).toEqual([]);
    });
    const invocation = invocationOf();
    await logRun(world.open(place).invocations, invocation);
  });
});

test('on postgres a start that waits for the migration of another process says so and comes up by itself (F3, H6)', async () => {
  const place = (await world.place('postgres')) as PostgresPlace;
  const other = new pg.Client({ connectionString: place.url });
  await other.connect();
  // Short: it is the limit that is met here.
  const store = openStore(place, { operationLimitMs: 500 });
  try {
    await other.query('BEGIN');
    await other.query(postgresDialect.migrationLock?.text ?? '');
    const reason = 'Cannot use the database yet: its tables are being brought up to date; try again in a moment';
    await expect.poll(() => store.health()).toEqual({ isReady: false, reason });
    await other.query('COMMIT');
    await expect.poll(() => store.health()).toEqual({ isReady: true });
    expect(await world.open(place).migrate()).toEqual([]);
  } finally {
    await other.end();
    await store.close();
  }
});

/** Transactions are the driver's here. */
const statementsOf = (script: string) =>
  script
    .split(';\n')
    .map((text) => text.replace(/^\s*--.*$/gm, '').trim())
    .filter((text) => text !== '' && text !== 'BEGIN' && text !== 'COMMIT');

describe.each(['sqlite', 'postgres'] as const)('the sweep on %s', (kind) => {
  const self = readProcessOwner(randomUUID());
  // Above any pid that the system gives out.
  const deadHere = { ...self, id: randomUUID(), pid: 2 ** 22 + 1 };
  const elsewhere = { ...self, id: randomUUID(), machine: 'another machine' };

  /** A run of a process that was last seen so long ago. */
  const leaveRunning = async (place: StorePlace, owner: ProcessOwner, seenSecondsAgo: number) => {
    await world.open(place).migrate();
    const invocation = invocationOf();
    await onDatabase(place, (database) =>
      database.write(function* () {
        yield* renewLease(database.dialect, owner);
        yield sql`UPDATE repertoire_processes SET last_seen = ${database.dialect.secondsAgo(seenSecondsAgo)}
          WHERE id = ${owner.id}`;
        yield* recordBatch([{ record: recordOf(invocation), result: undefined }], owner.id);
      }),
    );
    return invocation.id;
  };

  test.each([
    ['a process of this machine that is gone', deadHere, 0],
    ['a pid that another process has now', { ...self, id: randomUUID(), started: '1' }, 0],
    ['a process elsewhere that was not seen for a minute', elsewhere, 61],
  ])('closes what ran in %s (X2)', async (_case, owner, secondsAgo) => {
    const place = await world.place(kind);
    const id = await leaveRunning(place, owner, secondsAgo);
    const store = world.open(place);
    expect(await store.sweep()).toBe(1);
    expect(await store.sweep()).toBe(0);
    expect(await store.invocations.find(id)).toMatchObject({
      invocation: { status: 'failed' },
      result: { success: false, failure: { code: 'INTERNAL_ERROR', details: { interrupted: true } } },
    });
  });

  test.each([
    ['a live process of this machine, however long ago it was seen', { ...self, id: randomUUID() }, 3_600],
    ['a process elsewhere that was seen', elsewhere, 30],
  ])('leaves what runs in %s (X2)', async (_case, owner, secondsAgo) => {
    const place = await world.place(kind);
    const id = await leaveRunning(place, owner, secondsAgo);
    expect(await world.open(place).sweep()).toBe(0);
    expect((await world.open(place).invocations.find(id))?.invocation.status).toBe('running');
  });

  test('a process that says it lives between the look and the claim is left (X2)', async () => {
    const place = await world.place(kind);
    await leaveRunning(place, elsewhere, 0);
    await onDatabase(place, async (database) => {
      expect(await database.write(() => removeProcess(database.dialect, elsewhere.id, true))).toBeUndefined();
      expect(await database.write(() => removeProcess(database.dialect, elsewhere.id, false))).toBeDefined();
    });
  });

  test('several sweepers at once close it once (X3)', async () => {
    const place = await world.place(kind);
    const id = await leaveRunning(place, deadHere, 0);
    const closed = await Promise.all([1, 2, 3].map(() => world.open(place).sweep()));
    expect(closed.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await world.open(place).invocations.find(id))?.result).toBeDefined();
  });

  test('leaves what this very process began (X2)', async () => {
    const store = world.open(await world.place(kind));
    const invocation = invocationOf();
    await store.invocations.begin(invocation);
    expect(await store.sweep()).toBe(0);
    expect((await store.invocations.find(invocation.id))?.invocation.status).toBe('running');
  });
});

describe.each(['sqlite', 'postgres'] as const)('a missing table on %s', (kind) => {
  test.each(['skill_loads', 'repertoire_agents', 'repertoire_processes'])(
    '%s makes the store unready, with a sentence that names it, until it is back (A14, H6)',
    async (table) => {
      const place = await world.place(kind);
      const store = world.open(place);
      expect(await store.health()).toEqual({ isReady: true });
      const run = (text: string) =>
        onDatabase(place, (database) =>
          database.write(function* () {
            yield plain(text);
          }),
        );
      await run(`ALTER TABLE ${table} RENAME TO elsewhere`);
      const reason = expect.stringMatching(
        new RegExp(`^Cannot use the (?:log|database): its table ${table} is missing; `),
      );
      expect(await store.health()).toEqual({ isReady: false, reason });
      await run(`ALTER TABLE elsewhere RENAME TO ${table}`);
      await expect.poll(() => store.health()).toEqual({ isReady: true });
    },
  );

  test('is why a call is refused (A14)', async () => {
    const place = await world.place(kind);
    const store = world.open(place);
    await store.migrate();
    await onDatabase(place, (database) =>
      database.write(function* () {
        yield plain('DROP TABLE skill_loads');
      }),
    );
    const load = { skillName: 'a', digest: '', client: '', surface: 'skill', loadedAt: new Date() };
    expect(await store.loads.record([load])).toMatchObject({
      failure: { message: expect.stringMatching(/^Cannot use the (?:log|database): one of its tables is missing; /) },
    });
  });
});

describe.each(['sqlite', 'postgres'] as const)('retention on %s', (kind) => {
  test('deletes what is older, keeps what is younger or runs', async () => {
    const store = world.open(await world.place(kind));
    const hour = 3_600_000;
    const [old, young, running] = [invocationOf(), invocationOf({ timestamp: moment(5 * hour) }), invocationOf()];
    const many = Array.from({ length: 1_100 }, (_, index) => invocationOf({ timestamp: moment(-index * 1_000) }));
    await Promise.all([...many, old, young].map((invocation) => logRun(store.invocations, invocation)));
    await store.invocations.begin(running);
    const load = { skillName: 'a', digest: '', client: '', surface: 'skill' };
    await store.loads.record([0, 5 * hour].map((at) => ({ ...load, loadedAt: moment(at) })));
    expect(await store.prune(moment(2 * hour))).toEqual({ invocations: 1_101, loads: 1 });
    const kept = await store.invocations.list({ limit: 10 });
    expect(kept.invocations.map(({ invocation }) => invocation.id)).toEqual([young.id, running.id]);
    expect(Object.fromEntries(await store.loads.counts(moment(-hour)))).toEqual({ a: 1 });
    const { skills } = await store.invocations.stats({ since: moment(-hour), until: moment(6 * hour) });
    expect(skills[0]?.count).toBe(1);
  });

  const DAY = 86_400_000;
  const load = { skillName: 'a', digest: '', client: '', surface: 'skill' };

  /** What a process does that starts with such a clock. */
  const houseKeptAt = async (place: StorePlace, now: Date, notices: string[] = []) => {
    const store = openStore(place, { ...PATIENT, now: () => now, onSurprise: (notice) => notices.push(notice) });
    try {
      return await store.pruneKept(30 * DAY);
    } finally {
      await store.close();
    }
  };

  test('a start with the clock 40 days ahead deletes nothing, though it records something first (A9, F12)', async () => {
    const place = await world.place(kind);
    const [now, ahead] = [new Date(), new Date(Date.now() + 40 * DAY)];
    const store = world.open(place);
    const fresh = invocationOf({ timestamp: now });
    await logRun(store.invocations, fresh);
    await store.loads.record([{ ...load, loadedAt: now }]);
    await houseKeptAt(place, now);
    await store.loads.record([{ ...load, loadedAt: ahead }]);
    const notices: string[] = [];
    for (let starts = 0; starts < 3; starts += 1)
      expect(await houseKeptAt(place, ahead, notices)).toEqual({ invocations: 0, loads: 0 });
    // PostgreSQL has a clock of its own, which is right.
    expect(notices).toEqual(
      kind === 'postgres' ? [] : [expect.stringMatching(/^The clock is 40 days ahead of the log/)],
    );
    expect(await houseKeptAt(place, now)).toEqual({ invocations: 0, loads: 0 });
    expect(await store.invocations.find(fresh.id)).toBeDefined();
  });

  test('a database that no clock was noted in believes its newest record (A9)', async () => {
    const place = await world.place(kind);
    const before = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === 'believed-clock'),
    );
    await onDatabase(place, async (database) => {
      await migrate(database, { ...EVERYTHING, known: before });
      await database.write(function* () {
        yield sql`INSERT INTO skill_loads (skill_name, digest, client, surface, loaded_at)
          VALUES ('a', '', '', 'skill', ${new Date()})`;
      });
    });
    expect(await houseKeptAt(place, new Date(Date.now() + 40 * DAY))).toEqual({ invocations: 0, loads: 0 });
  });

  test('after a long pause what is old is deleted, once the clock has stood by its word for a day (A9)', async () => {
    const place = await world.place(kind);
    const store = world.open(place);
    const pause = 40 * DAY;
    await store.loads.record([{ ...load, loadedAt: new Date(Date.now() - pause) }]);
    await onDatabase(place, (database) =>
      database.write(function* () {
        yield sql`UPDATE repertoire_clock SET believed = ${new Date(Date.now() - pause)}`;
      }),
    );
    const [now, hours, tomorrow] = [0, 0.9, 1.1].map((days) => new Date(Date.now() + days * DAY)) as [Date, Date, Date];
    expect(await houseKeptAt(place, now)).toEqual({ invocations: 0, loads: 0 });
    expect(await houseKeptAt(place, hours)).toEqual({ invocations: 0, loads: 0 });
    // The clock of PostgreSQL cannot be set: its claim is made older instead.
    await onDatabase(place, (database) =>
      database.write(function* () {
        if (kind === 'postgres') yield sql`UPDATE repertoire_clock SET claimed = ${new Date(Date.now() - 1.1 * DAY)}`;
      }),
    );
    expect(await houseKeptAt(place, tomorrow)).toEqual({ invocations: 0, loads: 1 });
  });
});
