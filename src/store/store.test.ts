// A store as a whole: opened by its first use, and closed for good.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PATIENT } from '../../tests/support/patience.ts';
import { openStore } from './store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = { skillName: 'a', digest: 'sha256:0', client: 'goose', surface: 'skill', loadedAt: new Date() };

test('nothing is made on the disk before the first use, nor by closing (D9)', async () => {
  const dataDirectory = join(folder, 'data');
  const store = openStore({ kind: 'sqlite', dataDirectory }, PATIENT);
  expect(existsSync(dataDirectory)).toBe(false);
  await store.close();
  expect(existsSync(dataDirectory)).toBe(false);
});

test('closing moves everything into the one file', async () => {
  const store = openStore({ kind: 'sqlite', dataDirectory: folder }, PATIENT);
  await store.loads.record([load]);
  await store.close();
  expect(statSync(join(folder, 'repertoire.db')).size).toBeGreaterThan(20_000);
  expect(statSync(join(folder, 'repertoire.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

test('a closed store answers with a sentence and stays closed', async () => {
  const store = openStore({ kind: 'sqlite', dataDirectory: folder }, PATIENT);
  expect(await store.health()).toEqual({ isReady: true });
  await store.close();
  await store.close();
  expect(await store.health()).toEqual({ isReady: false, reason: 'Cannot use the store: it is closed' });
  expect(await store.loads.record([load])).toMatchObject({
    failure: { message: 'Cannot use the store: it is closed' },
  });
});

const HOUR = 3_600_000;

test.each([
  [4, 3, '3 hours'],
  [48, 47, '47 hours'],
  [72, 48, '2 days'],
  [24 * 30, 24 * 40 + 5, '40 days'],
])('with --keep of %i hours and a clock %i hours ahead, the warning says %s (A9)', async (keep, ahead, said) => {
  const notices: string[] = [];
  let aheadMs = 0;
  const start = Date.now();
  const store = openStore(
    { kind: 'sqlite', dataDirectory: folder },
    {
      ...PATIENT,
      now: () => new Date(start + aheadMs),
      onSurprise: (notice: string) => notices.push(notice),
    },
  );
  await store.pruneKept(keep * HOUR);
  aheadMs = ahead * HOUR;
  await store.pruneKept(keep * HOUR);
  expect(notices).toEqual([
    `The clock is ${said} ahead of the log, or nothing was recorded for that long: nothing more is deleted until it has stayed so for a day; set it right if it is wrong`,
  ]);
  await store.close();
});
