// The end of a server whose store another process keeps locked: what waits is written, or kept for the next process (F11).
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENT } from '../../tests/support/patience.ts';
import type { Settings } from '../settings/config.ts';
import type { RuntimeEvent } from '../skills/record/runtime-log.ts';
import { openStore } from '../store/store.ts';
import { keepRecords } from './records.ts';
import { writeLeftLoads } from './store.ts';

async function openLocked() {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { kind: 'sqlite', dataDirectory: folder } as const;
  // Short: the wait for the lock at the end is not its own.
  const store = openStore(place, { operationLimitMs: 200 });
  await expect.poll(() => store.health()).toEqual({ isReady: true });
  onTestFinished(() => store.close());
  const lines: RuntimeEvent[] = [];
  // Of all settings only these are looked at.
  const settings = { isLogged: true, keepMs: 86_400_000, dataDirectory: folder, storePlace: place } as Settings;
  const records = keepRecords(settings, store, (event) => lines.push(event));
  const other = new Database(join(folder, 'repertoire.db'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  records.noteLoad({ skillName: 'pdf', text: 'text', client: 'probe', surface: 'skill' });
  return { place, records, lines, unlock: () => other.exec('ROLLBACK') };
}

test('a store that is locked at the end and free a moment later has the loads (A14, F11)', async () => {
  const { place, records, unlock } = await openLocked();
  setTimeout(unlock, 300);
  await records.close();
  expect(records.lost()).toBe(0);
  const after = openStore(place, PATIENT);
  onTestFinished(() => after.close());
  expect((await after.loads.list({ limit: 10 })).loads).toHaveLength(1);
});

test('loads of a store that stays locked wait for the next process, and a line says how many (A14, F11, U7)', async () => {
  const { place, records, lines, unlock } = await openLocked();
  await records.close();
  unlock();
  expect(records.lost()).toBe(0);
  const message = expect.stringContaining('Loads are not in the log yet: the store was away at the end');
  expect(lines).toContainEqual({ level: 'warn', message, left: 1 });
  const after = openStore(place, PATIENT);
  onTestFinished(() => after.close());
  await writeLeftLoads(after, { dataDirectory: place.dataDirectory, storePlace: place });
  expect((await after.loads.list({ limit: 10 })).loads).toHaveLength(1);
  expect(readdirSync(place.dataDirectory).filter((name) => name.startsWith('reads.'))).toEqual([]);
});
