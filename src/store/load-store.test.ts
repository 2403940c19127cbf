// Loads are written in batches, and one bad load costs no other (D9).
import { expect, test } from 'vitest';
import type { Load } from '../repertoire/load-log.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createLoadStore } from './load-store.ts';
import { type Sql, sqliteDialect } from './sql.ts';

const load = (skillName: string): Load => ({
  skillName,
  digest: 'sha256:0',
  client: 'goose',
  surface: 'skill',
  loadedAt: new Date(),
});

test('a load on which our own code stumbles costs itself, is counted, and stops nothing (D9)', async () => {
  const written: string[] = [];
  const database: Sql = {
    dialect: sqliteDialect,
    read: async () => [],
    async write(steps) {
      const names = namesIn(steps);
      if (names.includes('bad')) throw new TypeError('not a function');
      written.push(...names);
      return undefined as never;
    },
  };
  const store = createLoadStore(database);
  expect(await store.record(['a', 'b', 'bad', 'c'].map(load))).toEqual({ ok: true, value: 1 });
  expect(written).toEqual(['a', 'b', 'c']);
});

test('with the store away none is written, and the reason is told (D9, F1)', async () => {
  const away = new StoreUnavailable('away');
  const store = createLoadStore({
    dialect: sqliteDialect,
    read: async () => [],
    write: async () => {
      throw away;
    },
  });
  expect(await store.record([load('a'), load('b')])).toEqual({ ok: false, failure: away });
});

/** Bound as one JSON text: see `insertLoads`. */
function namesIn(steps: Parameters<Sql['write']>[0]): readonly string[] {
  const first = steps().next();
  const [rows] = first.done ? [] : first.value.values;
  return (JSON.parse(String(rows)) as [string][]).map(([name]) => name);
}
