// F2, F3, F5 on SQLite: killed writers, several processes on one file, a full disk, a damaged file.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { StorePlace } from '../../src/settings/store-place.ts';
import { openStore } from '../../src/store/store.ts';
import { invocationOf, logRun } from '../contracts/stores/store-world.ts';
import { makeFifo } from '../support/make-fifo.ts';
import { PATIENCE_MS, PATIENT } from '../support/patience.ts';
import { skipAloud } from '../support/skip-aloud.ts';
import { examine, idsAfter, killWriter, startWriter } from './store-processes.ts';

let folder: string;
let place: StorePlace & { readonly kind: 'sqlite' };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-faults-'));
  place = { kind: 'sqlite', dataDirectory: join(folder, 'data') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([false, true])(
  'kill -9 loses nothing that was acknowledged; beginnings waited for: %s (F2, F3)',
  async (slow) => {
    const writer = startWriter(place, { count: 1e6, together: 16, slow });
    await killWriter(writer, 50, 50);
    const { missing, torn, total, counted } = await examine(place, writer.words);
    expect({ missing, torn }).toEqual({ missing: [], torn: [] });
    expect(total).toBeGreaterThanOrEqual(50);
    expect(counted).toBe(total);
  },
);

test('two processes on one data directory lose nothing (F2)', async () => {
  const writers = [1, 2].map(() => startWriter(place, { count: 200, together: 8, limits: PATIENT }));
  expect(await Promise.all(writers.map(({ exit }) => exit))).toEqual([0, 0]);
  const words = writers.flatMap((writer) => writer.words);
  expect(idsAfter(words, 'ended')).toHaveLength(400);
  expect(await examine(place, words)).toEqual({ missing: [], torn: [], total: 400, counted: 400 });
});

test('the log beside the database, deleted again and again under a writer, loses nothing acknowledged (A8)', async () => {
  const writer = startWriter(place, { count: 1e6, together: 4, limits: PATIENT });
  for (let times = 1; times <= 4; times += 1) {
    const before = idsAfter(writer.words, 'ended').length;
    await expect
      .poll(() => idsAfter(writer.words, 'ended').length, { timeout: PATIENCE_MS })
      .toBeGreaterThan(before + 20);
    rmSync(join(place.dataDirectory, times % 2 === 0 ? 'repertoire.db-shm' : 'repertoire.db-wal'), { force: true });
  }
  await killWriter(writer, 50, idsAfter(writer.words, 'ended').length + 20);
  const { missing, torn } = await examine(place, writer.words);
  expect({ missing, torn }).toEqual({ missing: [], torn: [] });
});

test.each(['repertoire.db', 'repertoire.db-wal', 'repertoire.db-shm'])(
  'a pipe called %s is refused with a sentence, not waited for (A14)',
  async (name) => {
    mkdirSync(place.dataDirectory);
    makeFifo(join(place.dataDirectory, name));
    const writer = startWriter(place, { count: 2, together: 1 });
    onTestFinished(() => void writer.child.kill('SIGKILL'));
    expect(await writer.exit, writer.stderr()).toBe(0);
    const refusal = `Cannot use the log: ${name} is no regular file; move it out of the data directory`;
    expect(idsAfter(writer.words, 'refused')).toEqual([refusal, refusal]);
  },
);

test('five processes that start at once on nothing all come up (F3)', async () => {
  const writers = Array.from({ length: 5 }, () => startWriter(place, { count: 5, together: 5, limits: PATIENT }));
  expect(await Promise.all(writers.map(({ exit }) => exit))).toEqual([0, 0, 0, 0, 0]);
  expect(
    (
      await examine(
        place,
        writers.flatMap(({ words }) => words),
      )
    ).total,
  ).toBe(25);
});

test('files that may not grow are a refusal with a sentence, and the process lives on (F5)', async () => {
  const writer = startWriter(place, { count: 1_000, together: 4, limits: PATIENT }, 'ulimit -f 400; trap "" XFSZ');
  expect(await writer.exit, writer.stderr()).toBe(0);
  const refusals = new Set(idsAfter(writer.words, 'refused'));
  expect(refusals.size).toBeGreaterThan(0);
  for (const refusal of refusals) expect(refusal).toMatch(/^Cannot (?:use|write) the log: the disk /);
  const { missing, torn } = await examine(place, writer.words);
  expect({ missing, torn }).toEqual({ missing: [], torn: [] });
});

test('a full disk is a refusal with a sentence; with room again it goes on (F5)', async (context) => {
  mkdirSync(place.dataDirectory);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', place.dataDirectory]);
  skipAloud(context, mounted.status !== 0, 'no file system of three megabytes: mounting one takes root');
  try {
    const ballast = join(place.dataDirectory, 'ballast');
    writeFileSync(ballast, Buffer.alloc(1_500_000));
    const store = openStore(place, PATIENT);
    const written: string[] = [];
    const writeUntilFull = async () => {
      for (;;) {
        const invocation = invocationOf({ inputPayload: 'x'.repeat(10_000) });
        await logRun(store.invocations, invocation);
        written.push(invocation.id);
      }
    };
    await expect(writeUntilFull()).rejects.toThrow('Cannot write the log: the disk is full; make room on it');
    rmSync(ballast);
    await expect.poll(() => store.health()).toEqual({ isReady: true });
    await logRun(store.invocations, invocationOf());
    for (const id of written) expect((await store.invocations.find(id))?.result).toBeDefined();
    expect(written.length).toBeGreaterThan(10);
    await store.close();
  } finally {
    spawnSync('umount', ['-l', place.dataDirectory]);
  }
});

test('a damaged file is reported and left as it is', async () => {
  mkdirSync(place.dataDirectory);
  const path = join(place.dataDirectory, 'repertoire.db');
  const damaged = 'not a database at all '.repeat(500);
  writeFileSync(path, damaged);
  const store = openStore(place, PATIENT);
  const refusal =
    /^Cannot use the log: its file is damaged; move repertoire\.db out of the data directory and start again$/;
  await expect(logRun(store.invocations, invocationOf())).rejects.toThrow(refusal);
  await store.close();
  expect(readFileSync(path, 'utf8')).toBe(damaged);
});

test.each([
  ['is a file', () => writeFileSync(join(folder, 'data'), '')],
  ['is below a file', () => writeFileSync(join(folder, 'data'), ''), 'data/below'],
])('a data directory that %s is reported, and is used once it is put right', async (_case, spoil, below = 'data') => {
  spoil();
  const store = openStore({ kind: 'sqlite', dataDirectory: join(folder, below) }, PATIENT);
  await expect(logRun(store.invocations, invocationOf())).rejects.toThrow(
    /^Cannot use the log: the data directory is /,
  );
  rmSync(join(folder, 'data'));
  await expect.poll(() => store.health()).toEqual({ isReady: true });
  await logRun(store.invocations, invocationOf());
  await store.close();
});

test('a place where nothing can be made is reported, not waited for', async (context) => {
  skipAloud(context, process.platform !== 'linux', 'only Linux has /proc');
  const store = openStore({ kind: 'sqlite', dataDirectory: '/proc/repertoire/data' }, PATIENT);
  await expect(logRun(store.invocations, invocationOf())).rejects.toThrow(/^Cannot use the log: /);
  await store.close();
});

test('a data directory without the right to write is reported', async (context) => {
  skipAloud(context, process.getuid?.() === 0, 'root may write everywhere, so no right can be missing');
  mkdirSync(place.dataDirectory, { mode: 0o500 });
  const store = openStore(place, PATIENT);
  await expect(logRun(store.invocations, invocationOf())).rejects.toThrow(
    /cannot be written; give this user the right/,
  );
  await store.close();
  chmodSync(place.dataDirectory, 0o700);
});

test('the data directory and its files are for their owner alone', async () => {
  const store = openStore(place, PATIENT);
  await logRun(store.invocations, invocationOf());
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(place.dataDirectory)).toBe('700');
  for (const name of ['repertoire.db', 'repertoire.db-wal']) {
    expect(modeOf(join(place.dataDirectory, name))).toBe('600');
  }
  await store.close();
});

test('a writer that another process locks out waits with a free event loop, gives up, and is let in again (F1)', async () => {
  const [patient, usual] = [openStore(place, PATIENT), openStore(place)];
  await logRun(patient.invocations, invocationOf());
  const other = new Database(join(place.dataDirectory, 'repertoire.db'));
  other.exec('BEGIN IMMEDIATE');
  let isOver = false;
  const waiting = logRun(patient.invocations, invocationOf()).finally(() => {
    isOver = true;
  });
  await expect(logRun(usual.invocations, invocationOf())).rejects.toMatchObject({ name: 'StoreUnavailable' });
  for (let ticks = 0; ticks < 50; ticks += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  // A wait inside SQLite would have held the ticks up until it was over.
  expect(isOver).toBe(false);
  other.exec('ROLLBACK');
  other.close();
  await waiting;
  await expect.poll(() => usual.health()).toEqual({ isReady: true });
  await Promise.all([patient.close(), usual.close()]);
});
