// Loads are written behind the answers, and what cannot be written is counted (D9).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { digestOf } from './document/manifest.ts';
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
  const log: LoadLog = {
    record: (load) => recorded.push(load),
    list: async () => ({ loads: recorded, nextCursor: undefined }),
    counts: async () => new Map([['pdf', 7]]),
    lost: 0,
  };
  const open = vi.fn(openLog ?? (async () => log));
  const recorder = createLoadRecorder({ openLog: open, now: () => NOW, onFailure: (error) => failures.push(error) });
  return { recorder, recorded, failures, open };
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
