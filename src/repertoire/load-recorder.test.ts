// Loads are written behind the answers, and what cannot be written is counted (D9).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { digestOf } from '../document/manifest.ts';
import type { Load, LoadLog, LoadNote } from './load-log.ts';
import { createLoadRecorder } from './load-recorder.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const NOW = new Date('2026-11-15T12:00:00Z');
const note = (skillName: string): LoadNote => ({ skillName, text: 'text', client: 'probe', surface: 'skill' });

function openRecorder(openLog?: () => Promise<LoadLog>) {
  const recorded: Load[] = [];
  const failures: unknown[] = [];
  const store = { isAway: false, lost: 0, at: NOW };
  const log: LoadLog = {
    record: (load) => recorded.push(load),
    list: async () => ({ loads: recorded, nextCursor: undefined }),
    counts: async () => {
      if (store.isAway) throw new Error('the store is away');
      return new Map([['pdf', 7]]);
    },
    get lost() {
      return store.lost;
    },
  };
  const open = vi.fn(openLog ?? (async () => log));
  const onFailure = (error: unknown) => failures.push(error);
  const recorder = createLoadRecorder({ openLog: open, now: () => store.at, onFailure });
  return { recorder, recorded, failures, open, store, log };
}

test('nothing is opened before the first load, and the answer does not wait for it (D9)', async () => {
  const { recorder, recorded, open } = openRecorder();
  recorder.note(note('pdf'));
  expect(open).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(open).toHaveBeenCalledOnce();
  expect(recorded).toEqual([
    { skillName: 'pdf', digest: digestOf(Buffer.from('text')), client: 'probe', surface: 'skill', loadedAt: NOW },
  ]);
  expect(recorder.countOf('pdf')).toBe(7);
  expect(recorder.countOf('other')).toBe(0);
});

test('what waits is handed over at the end (F11)', async () => {
  const { recorder, recorded } = openRecorder();
  recorder.note(note('pdf'));
  await recorder.close();
  expect(recorded).toHaveLength(1);
});

test('a store that does not open costs the loads, counted, and one line (F1, F4)', async () => {
  const { recorder, failures } = openRecorder(() => Promise.reject(new Error('no store')));
  for (let index = 0; index < 10_005; index += 1) recorder.note(note('pdf'));
  await vi.advanceTimersByTimeAsync(200);
  recorder.note(note('pdf'));
  await recorder.close();
  expect(recorder.lost()).toBe(10_006);
  expect(failures).toHaveLength(1);
});

test('the end waits for a hand-over that is under way, and for what came meanwhile (F11)', async () => {
  let opened: (log: LoadLog) => void = () => {};
  const { recorder, recorded, log } = openRecorder(
    () =>
      new Promise<LoadLog>((resolve) => {
        opened = resolve;
      }),
  );
  recorder.note(note('pdf'));
  await vi.advanceTimersByTimeAsync(200);
  recorder.note(note('docx'));
  let isClosed = false;
  const closing = recorder.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(500);
  expect(isClosed).toBe(false);
  opened(log);
  await vi.advanceTimersByTimeAsync(0);
  opened(log);
  await closing;
  expect(recorded.map(({ skillName }) => skillName)).toEqual(['pdf', 'docx']);
});

test('what is being handed over counts as waiting, too: the memory has one bound (F4)', async () => {
  const { recorder } = openRecorder(() => new Promise(() => {}));
  for (let index = 0; index < 6_000; index += 1) recorder.note(note('pdf'));
  await vi.advanceTimersByTimeAsync(200);
  for (let index = 0; index < 6_000; index += 1) recorder.note(note('pdf'));
  await vi.advanceTimersByTimeAsync(200);
  expect(recorder.lost()).toBe(2_000);
});

test('loads that the log has are not lost when only their counts cannot be read; what the log loses is (D9)', async () => {
  const { recorder, recorded, failures, store } = openRecorder();
  store.isAway = true;
  recorder.note(note('pdf'));
  await vi.advanceTimersByTimeAsync(200);
  expect({ recorded: recorded.length, lost: recorder.lost(), failures: failures.length }).toEqual({
    recorded: 1,
    lost: 0,
    failures: 1,
  });
  store.lost = 3;
  expect(recorder.lost()).toBe(3);
});

test('each time that the store is away is said once, also when counts are known (F1)', async () => {
  const { recorder, failures, store } = openRecorder();
  const load = async (minutes: number) => {
    store.at = new Date(store.at.getTime() + minutes * 60_000);
    recorder.note(note('pdf'));
    await vi.advanceTimersByTimeAsync(200);
  };
  await load(0);
  store.isAway = true;
  for (let time = 0; time < 3; time += 1) await load(6);
  expect(failures).toHaveLength(1);
  expect(recorder.countOf('pdf')).toBe(7);
  store.isAway = false;
  await load(1);
  store.isAway = true;
  await load(1);
  expect(failures).toHaveLength(1);
  await load(6);
  expect(failures).toHaveLength(2);
});
