// A store without a log keeps users, tasks, agents and secrets, and has no table for anything else (X7).
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { StorePlace } from '../../../src/settings/store-place.ts';
import { plain } from '../../../src/store/sql.ts';
import { openStore } from '../../../src/store/store.ts';
import { PATIENT } from '../../support/patience.ts';
import { tablesWithoutLog } from '../../support/store-tables.ts';
import { onDatabase } from './on-database.ts';
import { invocationOf, logRun, moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const TABLES = {
  // Without SQLite's own.
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
  postgres: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
};

const tablesOf = (place: StorePlace) =>
  onDatabase(place, async (database) => {
    const rows = await database.read(plain(`${TABLES[place.kind]} ORDER BY 1`));
    return rows.map(({ name }) => String(name));
  });

describe.each(['sqlite', 'postgres'] as const)('without a log, %s (X7)', (kind) => {
  test('has the tables that are needed, and is ready (X7, M17)', async () => {
    const place = await world.place(kind);
    const store = openStore(place, { ...PATIENT, isLogged: false });
    const user = { id: randomUUID(), email: 'ada@example.com', displayName: null, createdAt: moment() };
    expect(await store.users.create({ ...user, passwordHash: 'x' })).toBe(true);
    expect(await store.secrets.getOrAdd('key', () => 'made')).toBe('made');
    expect(await store.agents.list()).toEqual([]);
    expect(await store.health()).toEqual({ isReady: true });
    await store.close();
    expect(await tablesOf(place)).toEqual(tablesWithoutLog(kind));
  });

  test('gets the others when it is opened with a log, and keeps what it has (X7)', async () => {
    const place = await world.place(kind);
    const before = openStore(place, { ...PATIENT, isLogged: false });
    expect(await before.migrate()).toEqual([
      '0005-accounts',
      '0006-identities',
      '0018-events',
      '0019-shared-limits',
      '0020-mcp-sessions',
      '0021-grants',
      '0022-trail',
      '0025-library',
      '0026-oauth',
    ]);
    await before.secrets.getOrAdd('key', () => 'made');
    await before.close();
    const store = world.open(place);
    await logRun(store.invocations, invocationOf());
    expect((await store.invocations.list({ limit: 5 })).invocations).toHaveLength(1);
    expect(await store.secrets.getOrAdd('key', () => 'other')).toBe('made');
    const fresh = await world.place(kind);
    await world.open(fresh).migrate();
    expect(await tablesOf(place)).toEqual(await tablesOf(fresh));
  });

  test('leaves a log that is there as it is (X7)', async () => {
    const place = await world.place(kind);
    const logging = world.open(place);
    await logRun(logging.invocations, invocationOf());
    const store = openStore(place, { ...PATIENT, isLogged: false });
    expect(await store.migrate()).toEqual([]);
    expect(await store.health()).toEqual({ isReady: true });
    await store.close();
    expect((await logging.invocations.list({ limit: 5 })).invocations).toHaveLength(1);
  });
});
