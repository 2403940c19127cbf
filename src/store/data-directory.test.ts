// A database that is a link: what is made lies where the link leads, readable for its owner alone.
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { invocationOf, logRun } from '../../tests/contracts/stores/store-world.ts';
import { PATIENCE_MS, PATIENT } from '../../tests/support/patience.ts';
import { openStore, type Store } from './store.ts';

let folder: string;
let store: Store;
let notices: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-linked-'));
  notices = [];
  mkdirSync(join(folder, 'data'));
  store = openStore(
    { kind: 'sqlite', dataDirectory: join(folder, 'data') },
    { ...PATIENT, onSurprise: (notice: string) => notices.push(notice) },
  );
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const rightsOf = (path: string) => statSync(path).mode & 0o777;

test.each([
  ['a link', () => join(folder, 'disk', 'log.db')],
  ['a relative link', () => join('..', 'disk', 'log.db')],
  [
    'a link to a link',
    () => {
      symlinkSync(join('disk', 'log.db'), join(folder, 'between'));
      return join(folder, 'between');
    },
  ],
])(
  '%s to a file that is not there yet: the first call makes that file, for its owner alone (A8)',
  async (_case, to) => {
    mkdirSync(join(folder, 'disk'));
    const target = to();
    symlinkSync(target, join(folder, 'data', 'repertoire.db'));
    await logRun(store.invocations, invocationOf());
    expect(readlinkSync(join(folder, 'data', 'repertoire.db'))).toBe(target);
    expect(['log.db', 'log.db-wal', 'log.db-shm'].map((name) => rightsOf(join(folder, 'disk', name)))).toEqual([
      0o600, 0o600, 0o600,
    ]);
    expect(notices).toEqual([]);
  },
);

test('a link into a directory that is not there is refused with what to do, until it is there (A8)', async () => {
  symlinkSync(join(folder, 'disk', 'log.db'), join(folder, 'data', 'repertoire.db'));
  await expect(logRun(store.invocations, invocationOf())).rejects.toThrow(
    'Cannot use the log: repertoire.db is a link into a directory that is not there; make that directory or remove the link',
  );
  mkdirSync(join(folder, 'disk'));
  await expect.poll(() => store.health(), { timeout: PATIENCE_MS }).toEqual({ isReady: true });
});
