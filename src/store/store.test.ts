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
