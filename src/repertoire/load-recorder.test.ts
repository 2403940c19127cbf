// Loads are written behind the answers, and what cannot be written is counted (D9).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTurn } from '../async/next-turn.ts';
import { digestOf } from '../document/manifest.ts';
import { fail, ok } from '../values/result.ts';
import type { Load, LoadJournal, LoadLog, LoadNote } from './load-log.ts';
import { createLoadRecorder } from './load-recorder.ts';

// Turns of the event loop go on by themselves.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const NOW = new Date('2026-11-15T12:00:00Z');
const note = (skillName: string): LoadNote => ({ skillName, text: 'text', client: 'probe', surface: 'skill' });

function openRecorder(openLog?: () => Promise<LoadLog>) {
  const recorded: Load[] = [];
  const failures: unknown[] = [];
  const store = { isAway: false, isCountless: false, refused: 0, at: NOW };
  const log: LoadLog = {
    record: async (loads) => {
      if (store.isAway) return fail(new Error('the store is away'));
      recorded.push(...loads.slice(store.refused));
      return ok(store.refused);
    },
    list: async () => ({ loads: recorded, nextCursor: undefined }),
    counts: async () => {
      if (store.isAway || store.isCountless) throw new Error('the store is away');
      return new Map([['pdf', 7]]);
    },
  };
  const open = vi.fn(openLog ?? (async () => log));
  const onFailure = (error: unknown) => failures.push(error);
  const journal = openTestJournal();
  const openJournal = async () => journal;
  const recorder = createLoadRecorder({ openLog: open, openJournal, now: () => store.at, onFailure });
  return { recorder, recorded, failures, open, store, log, journal };
}

/** What a killed process would leave is in `kept`. */
function openTestJournal(): LoadJournal & { readonly kept: Set<Load>; readonly left: Load[] } {
  const kept = new Set<Load>();
  const left: Load[] = [];
  return {
    kept,
    left,
    add: (load) => void kept.add(load),
    settle: (loads) => {
      for (const load of loads) kept.delete(load);
    },
    takeUp: async (hand) => {
      const loads = [...left];
      if (!hand(loads)) return;
      left.length = 0;
      for (const load of loads) kept.add(load);
    },
    close: async () => kept.size,
  };
}

/** The time after which loads are written. */
async function passBehind(ms = 200): Promise<void> {
  await nextTurn();
  await vi.advanceTimersByTimeAsync(ms);
}

test('nothing is opened before the first load, and the answer does not wait for it (D9)', async () => {
  const { recorder, recorded, open } = openRecorder();
  recorder.note(note('pdf'));
  expect(open).not.toHaveBeenCalled();
  await passBehind();
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
  await passBehind();
  recorder.note(note('pdf'));
  await recorder.close();
  expect(recorder.lost()).toBe(10_006);
  expect(failures).toHaveLength(1);
});

test('while the store is away loads wait, and are written when it is back (D9)', async () => {
  const { recorder, recorded, store } = openRecorder();
  store.isAway = true;
  for (const name of ['pdf', 'docx']) recorder.note(note(name));
  await passBehind(5_000);
  expect({ recorded, lost: recorder.lost() }).toEqual({ recorded: [], lost: 0 });
  store.isAway = false;
  await passBehind(1_000);
  expect(recorded.map(({ skillName }) => skillName)).toEqual(['pdf', 'docx']);
  await recorder.close();
  expect(recorder.lost()).toBe(0);
});

test('a store that is away at the end is waited for, if it ever took something (A14, F11)', async () => {
  const { recorder, recorded, store } = openRecorder();
  recorder.note(note('pdf'));
  await passBehind();
  store.isAway = true;
  recorder.note(note('docx'));
  await nextTurn();
  const closed = recorder.close();
  await vi.advanceTimersByTimeAsync(500);
  store.isAway = false;
  await vi.advanceTimersByTimeAsync(500);
  await closed;
  expect(recorded.map(({ skillName }) => skillName)).toEqual(['pdf', 'docx']);
  expect(recorder.lost()).toBe(0);
});

test('a store that was never there is not waited for at the end (A14, F11)', async () => {
  const { recorder, store } = openRecorder();
  store.isAway = true;
  recorder.note(note('pdf'));
  await passBehind();
  expect(await recorder.close()).toBe(1);
});

test('what the store did not take by the end stays in the journal and is not lost (U7)', async () => {
  const { recorder, store, journal } = openRecorder();
  store.isAway = true;
  recorder.note(note('pdf'));
  await passBehind();
  expect([await recorder.close(), recorder.lost()]).toEqual([1, 0]);
  expect([...journal.kept].map(({ skillName }) => skillName)).toEqual(['pdf']);
});

test('what another process left is not taken at the end, and not lost (U7)', async () => {
  const { recorder, journal } = openRecorder();
  const load = { skillName: 'left', digest: 'sha256:0', client: 'killed', surface: 'skill', loadedAt: NOW };
  journal.left.push(load);
  const takeUp = journal.takeUp.bind(journal);
  vi.spyOn(journal, 'takeUp').mockImplementation(async (hand) => {
    await recorder.close();
    await takeUp(hand);
  });
  await recorder.takeUp();
  expect([journal.left, recorder.lost()]).toEqual([[load], 0]);
});

test('takeUp() writes what another process left, without a load of its own (U7)', async () => {
  const { recorder, recorded, journal } = openRecorder();
  journal.left.push({ skillName: 'left', digest: 'sha256:0', client: 'killed', surface: 'skill', loadedAt: NOW });
  await recorder.takeUp();
  await passBehind();
  expect(recorded.map(({ skillName }) => skillName)).toEqual(['left']);
  expect(journal.kept.size).toBe(0);
});

test('a load that is noted after the end is counted as lost, not written (D9)', async () => {
  const { recorder, recorded } = openRecorder();
  await recorder.close();
  recorder.note(note('pdf'));
  await passBehind();
  expect({ recorded, lost: recorder.lost() }).toEqual({ recorded: [], lost: 1 });
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
  await passBehind();
  recorder.note(note('docx'));
  let isClosed = false;
  const closing = recorder.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(500);
  expect(isClosed).toBe(false);
  opened(log);
  await passBehind(0);
  opened(log);
  await closing;
  expect(recorded.map(({ skillName }) => skillName)).toEqual(['pdf', 'docx']);
});

test('what is being handed over counts as waiting, too: the memory has one bound (F4)', async () => {
  const { recorder } = openRecorder(() => new Promise(() => {}));
  for (let index = 0; index < 6_000; index += 1) recorder.note(note('pdf'));
  await passBehind();
  for (let index = 0; index < 6_000; index += 1) recorder.note(note('pdf'));
  await passBehind();
  expect(recorder.lost()).toBe(2_000);
});

test('loads that the log has are not lost when only their counts cannot be read; what the log refuses is (D9)', async () => {
  const { recorder, recorded, failures, store } = openRecorder();
  store.isCountless = true;
  for (const name of ['pdf', 'docx']) {
    recorder.note(note(name));
    await passBehind();
  }
  expect({ recorded: recorded.length, lost: recorder.lost(), failures: failures.length }).toEqual({
    recorded: 2,
    lost: 0,
    failures: 1,
  });
  store.refused = 1;
  recorder.note(note('pdf'));
  await passBehind();
  expect(recorder.lost()).toBe(1);
});

test('each time that the store is away is said once, also when counts are known (F1)', async () => {
  const { recorder, failures, store } = openRecorder();
  const load = async () => {
    recorder.note(note('pdf'));
    await passBehind(2_000);
  };
  await load();
  for (const times of [1, 2]) {
    store.isAway = true;
    for (let time = 0; time < 3; time += 1) await load();
    expect(failures).toHaveLength(times);
    store.isAway = false;
    await load();
  }
  expect(recorder.countOf('pdf')).toBe(7);
  expect(failures).toHaveLength(2);
});

test('counts are asked for again after five minutes (D9)', async () => {
  const { recorder, store, log } = openRecorder();
  const counts = vi.spyOn(log, 'counts');
  for (const minutes of [0, 4, 2, 1]) {
    store.at = new Date(store.at.getTime() + minutes * 60_000);
    recorder.note(note('pdf'));
    await passBehind();
  }
  expect(counts).toHaveBeenCalledTimes(2);
});

test('a load is in the journal until the log has it: a host may kill its server meanwhile (U7)', async () => {
  const { recorder, store, journal } = openRecorder();
  store.isAway = true;
  recorder.note(note('pdf'));
  await passBehind(1_000);
  expect([...journal.kept].map(({ skillName }) => skillName)).toEqual(['pdf']);
  store.isAway = false;
  await passBehind(1_000);
  expect(journal.kept.size).toBe(0);
});

test('what a killed process left is written after the first load of the next one, with the time it was read (U7)', async () => {
  const { recorder, recorded, journal } = openRecorder();
  const before = new Date(NOW.getTime() - 60_000);
  journal.left.push({ skillName: 'left', digest: 'sha256:0', client: 'killed', surface: 'skill', loadedAt: before });
  recorder.note(note('pdf'));
  await passBehind();
  await recorder.close();
  expect(recorded.map(({ skillName, loadedAt }) => [skillName, loadedAt])).toEqual([
    ['pdf', NOW],
    ['left', before],
  ]);
});

test('loads beyond what may wait are not in the journal: they are counted as lost (F4, U7)', async () => {
  const { recorder, store, journal } = openRecorder();
  store.isAway = true;
  for (let index = 0; index < 10_005; index += 1) recorder.note(note('pdf'));
  await passBehind();
  expect([journal.kept.size, recorder.lost()]).toEqual([10_000, 5]);
});

test('without a journal loads are written all the same (D9, U7)', async () => {
  const { log, recorded } = openRecorder();
  const openJournal = () => Promise.reject(new Error('the program was replaced'));
  const recorder = createLoadRecorder({ openLog: async () => log, openJournal, now: () => NOW, onFailure: () => {} });
  recorder.note(note('pdf'));
  await recorder.close();
  expect(recorded).toHaveLength(1);
});
