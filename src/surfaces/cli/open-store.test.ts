// Whether there is a store to read, without making one (C).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENT } from '../../../tests/support/patience.ts';
import { OPERATION_LIMIT_MS } from '../../store/limits.ts';
import { openStore } from '../../store/store.ts';
import { createCommandWorld } from './fixtures/command-world.ts';
import { findDataFault, isStoreThere, withStore } from './open-store.ts';

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'repertoire-place-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
};
const placed = (data: string) => createCommandWorld({ given: { data }, values: { data } }).context;

test('isStoreThere() sees the file that the store makes, and no other (C)', async () => {
  const data = folder();
  expect(isStoreThere(placed(data).settings)).toBe(false);
  const store = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
  await store.migrate();
  await store.close();
  expect(isStoreThere(placed(data).settings)).toBe(true);
});

test('findDataFault() tells a folder that is missing from a file, and leaves the default alone (C)', () => {
  const data = folder();
  const file = join(data, 'file');
  writeFileSync(file, '');
  expect(findDataFault(placed(data))).toBeUndefined();
  expect(findDataFault(placed(join(data, 'none')))).toMatch(/: the folder ".*none" does not exist; check /);
  expect(findDataFault(placed(join(file, 'below')))).toMatch(/: the folder .* does not exist/);
  expect(findDataFault(placed(file))).toMatch(/: ".*file" is not a folder; name one /);
  expect(findDataFault(createCommandWorld().context)).toBeUndefined();
});

test('withStore() warns of an entry in the trail with another key than the one before, and no other time (L5)', async () => {
  const [data, elsewhere] = [folder(), folder()];
  const server = (secret?: string) =>
    openStore({ kind: 'sqlite', dataDirectory: data }, { ...PATIENT, trailKey: { dataDirectory: elsewhere, secret } });
  const enter = async () => {
    const { context, stderr } = createCommandWorld({ given: { data } });
    const note = { actor: 'local', action: 'agent.revoke', subject: 'ci' } as const;
    await withStore(context, ({ trail }) => trail.note(note).then(() => 0));
    return stderr();
  };
  expect(await enter()).toBe('');
  const store = server('a secret of thirty-two bytes, or more');
  await store.trail.note({ actor: 'local', action: 'agent.revoke', subject: 'ci' });
  await store.close();
  expect(await enter()).toMatch(
    /^Warning: The trail has another key now than before: set REPERTOIRE_SECRET to the same/,
  );
  expect(await enter()).toBe('');
});

test('withStore() waits for another process that holds the file longer than a request would (C)', async () => {
  const data = folder();
  const { context } = createCommandWorld({ given: { data }, values: { data } });
  await withStore(context, (store) => store.migrate().then(() => 0));
  const other = new Database(join(data, 'repertoire.db'));
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const written = withStore(context, async (store) => ((await store.sweep()) === 0 ? 0 : 1));
  await sleep(OPERATION_LIMIT_MS + 300);
  other.exec('COMMIT');
  expect(await written).toBe(0);
});
