// The log of loads: one suite for every store (D9).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Load, LoadLog, LoadNote } from '../../../src/repertoire/load-log.ts';
import { createLoadRecorder } from '../../../src/repertoire/load-recorder.ts';
import { BadCursor } from '../../../src/skills/record/invocation-log.ts';
import { openLoadJournal } from '../../../src/store/load-journal.ts';
import type { Store } from '../../../src/store/store.ts';
import { moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();

const loadOf = (given: Partial<Load> = {}): Load => ({
  skillName: 'sql-review',
  digest: `sha256:${'0'.repeat(64)}`,
  client: 'claude-code 2.1',
  surface: 'skill',
  loadedAt: moment(),
  ...given,
});

const ALL_WRITTEN = { ok: true, value: 0 };

const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

describe.each(['memory', 'sqlite', 'postgres'] as const)('on %s', (kind) => {
  let log: LoadLog;
  beforeEach(async () => {
    log = (await world.logs(kind)).loads;
  });

  test('a load is there once it is recorded, as it was (D9)', async () => {
    expect(await log.record([loadOf()])).toEqual(ALL_WRITTEN);
    expect((await log.list({ limit: 10 })).loads).toEqual([loadOf()]);
  });

  test.each(['', '007', 'null', '["a", {"b": 1}]', `'; --`, 'c:\\u0041\\', 'Zoë 🤖\u0001\n'])(
    'the client %j is what it was (D9)',
    async (client) => {
      await log.record([loadOf({ client, skillName: client })]);
      expect((await log.list({ limit: 1 })).loads).toEqual([loadOf({ client, skillName: client })]);
      expect([...(await log.counts(moment(-1)))]).toEqual([[client, 1]]);
    },
  );

  test('many at once are all there, each once (D9)', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => loadOf({ skillName: `skill-${index % 7}` }));
    expect(await Promise.all([log.record(many.slice(0, 400)), log.record(many.slice(400))])).toEqual([
      ALL_WRITTEN,
      ALL_WRITTEN,
    ]);
    expect(sumOf(await log.counts(moment(-1)))).toBe(1_001);
    const first = await log.list({ limit: 1_000 });
    const rest = await log.list({ limit: 1_000, cursor: first.nextCursor ?? '' });
    expect(first.loads.length + rest.loads.length).toBe(1_001);
  });

  test('lists the newest first, by each filter and page by page', async () => {
    const loads = [0, 1, 1, 2, 3].map((second, index) =>
      loadOf({ loadedAt: moment(second * 1_000), client: index % 2 ? 'codex' : 'goose', skillName: `skill-${index}` }),
    );
    await log.record(loads);
    const namesBy = async (query: object) =>
      (await log.list({ limit: 10, ...query })).loads.map(({ skillName }) => skillName);
    expect(await namesBy({})).toEqual(['skill-4', 'skill-3', 'skill-2', 'skill-1', 'skill-0']);
    expect(await namesBy({ client: 'codex' })).toEqual(['skill-3', 'skill-1']);
    expect(await namesBy({ skill: 'skill-2' })).toEqual(['skill-2']);
    expect(await namesBy({ since: moment(2_000) })).toEqual(['skill-4', 'skill-3']);
    const { nextCursor: cursor } = await log.list({ limit: 3 });
    expect(await namesBy({ cursor })).toEqual(['skill-1', 'skill-0']);
  });

  test('counts loads per skill from any moment on, across hours', async () => {
    const hour = 3_600_000;
    const loads = [-hour - 1, -hour, -1, 0, 1, hour].map((at) => loadOf({ loadedAt: moment(at) }));
    await log.record([...loads, loadOf({ skillName: 'other', loadedAt: moment(5) })]);
    const counted = async (since: number) => Object.fromEntries(await log.counts(moment(since)));
    expect(await counted(-hour)).toEqual({ 'sql-review': 5, other: 1 });
    expect(await counted(-1)).toEqual({ 'sql-review': 4, other: 1 });
    expect(await counted(0)).toEqual({ 'sql-review': 3, other: 1 });
    expect(await counted(2)).toEqual({ 'sql-review': 1, other: 1 });
    expect(await counted(2 * hour)).toEqual({});
  });

  test('texts of clients are bounded and cleaned, never refused (D9)', async () => {
    expect(await log.record([loadOf({ client: `\0\ud800${'x'.repeat(1_000)}` })])).toEqual(ALL_WRITTEN);
    expect((await log.list({ limit: 1 })).loads[0]?.client).toBe(`\ufffd\ufffd${'x'.repeat(254)}`);
  });

  test('a cursor of another list is refused', async () => {
    await expect(log.list({ limit: 1, cursor: 'nonsense' })).rejects.toBeInstanceOf(BadCursor);
  });
});

/** As a server records: behind the answers. */
const recorderOn = (store: Store) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'repertoire-journal-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const now = () => moment();
  return createLoadRecorder({
    openLog: async () => store.loads,
    openJournal: async () => openLoadJournal({ dataDirectory, storePlace: { kind: 'sqlite', dataDirectory }, now }),
    now,
    onFailure: () => {},
  });
};

const note: LoadNote = { skillName: 'sql-review', text: '# SQL review', client: 'goose', surface: 'skill' };

test('what waits is written when the server closes (D9)', async () => {
  const place = await world.place('sqlite');
  const store = world.open(place);
  const recorder = recorderOn(store);
  for (let index = 0; index < 1_234; index++) recorder.note(note);
  await recorder.close();
  await store.close();
  expect(Object.fromEntries(await world.open(place).loads.counts(moment()))).toEqual({ 'sql-review': 1_234 });
  expect(recorder.lost()).toBe(0);
});

test('with the store away loads wait up to a bound, at the end for another process; the others are counted (F4, U7)', async () => {
  const recorder = recorderOn(world.open({ kind: 'postgres', url: 'postgres://postgres@127.0.0.1:9/none' }));
  for (let index = 0; index < 10_050; index++) recorder.note(note);
  await expect.poll(recorder.lost).toBe(50);
  const left = await recorder.close();
  expect(left).toBeGreaterThan(1_000);
  expect(recorder.lost()).toBe(10_050 - left);
});
