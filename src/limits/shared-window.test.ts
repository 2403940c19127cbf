// Several processes that count together: far from a limit each lets pass at once, near it all are asked, and while they cannot
// be asked each counts alone (N1, N7).
import { describe, expect, test, vi } from 'vitest';
import fc from '../../tests/support/property.ts';
import { useOwnTimers } from '../async/fixtures/own-timers.ts';
import { createCountingDatabase } from './fixtures/counting-database.ts';
import type { Wait } from './rate-window.ts';

const now = () => performance.now();
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const RATE = { key: 'a', perMinute: 600 };

/** Replicas that know of each other. */
async function openReplicas(count: number, wayMs?: () => number) {
  useOwnTimers();
  const database = createCountingDatabase(now, wayMs);
  const windows = Array.from({ length: count }, (_, index) => database.openWindow(`replica ${index}`));
  for (const window of windows) void window.take([{ key: 'warm-up', perMinute: 600 }]);
  await pass(15_000);
  return {
    database,
    windows,
    take: windows.map(
      ({ take }) =>
        (count?: number) =>
          take([RATE], count),
    ),
  };
}

/** What passed, when; after all have an answer. */
async function sendAll(takes: readonly (() => Wait | Promise<Wait>)[], gapMs = 0): Promise<readonly number[]> {
  const passed: number[] = [];
  const note = (wait: Wait) => void (wait === undefined && passed.push(now()));
  for (const take of takes) {
    const wait = take();
    if (wait instanceof Promise) void wait.then(note);
    else note(wait);
    if (gapMs > 0) await pass(gapMs);
  }
  await pass(1_000);
  return passed;
}

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Round robin. */
const inTurns = (count: number, takes: readonly (() => Wait | Promise<Wait>)[]) =>
  times(count, (index) => takes[index % takes.length] ?? (() => undefined));

describe('one replica alone', () => {
  test('lets pass without asking, all of the limit and no more (N1)', async () => {
    const { take } = await openReplicas(1);
    const answers = [];
    for (let index = 0; index < 601; index += 1) {
      answers.push(take[0]?.());
      await pass(5);
    }
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(600);
    expect(answers.filter((answer) => answer instanceof Promise)).toEqual([]);
    expect(answers.at(-1)).toBeGreaterThan(55);
  });

  test('lets pass without asking also after minutes in which no request came (N1)', async () => {
    const { take } = await openReplicas(1);
    await pass(300_000);
    expect(take[0]?.()).toBeUndefined();
  });

  test('shares with no process that only its own user calls, when that has had nothing to count for a minute (N1)', async () => {
    const { database, take } = await openReplicas(1);
    const idle = times(12, (index) => database.openWindow(`host ${index}`, { isServer: false }));
    for (const window of idle) void window.take([RATE]);
    await pass(15_000);
    expect(take[0]?.()).toBeInstanceOf(Promise);
    await pass(90_000);
    expect(take[0]?.()).toBeUndefined();
    const { questions } = database.state;
    await pass(60_000);
    // The replica alone says that it is here.
    expect(database.state.questions - questions).toBeLessThan(35);
  });

  test('gets all of the limit as soon as it has started, asking (N1)', async () => {
    useOwnTimers();
    const database = createCountingDatabase(now);
    const { take } = database.openWindow('first');
    expect(await sendAll(times(700, () => () => take([RATE])))).toHaveLength(600);
  });

  test('asks the database nothing for those it refuses (N1)', async () => {
    const { take, database } = await openReplicas(1);
    await sendAll(inTurns(700, take));
    const before = database.state.questions;
    const refused = times(500, () => take[0]?.());
    expect(new Set(refused)).toEqual(new Set([60]));
    expect(database.state.questions).toBe(before);
  });
});

describe('three replicas', () => {
  test.each([900, 2_000])(
    '%i requests as fast as can be: no more than the limit, nearly all of it (N1)',
    async (count) => {
      const { take } = await openReplicas(3, () => 2);
      const passed = await sendAll(inTurns(count, take));
      expect(passed.length).toBeGreaterThanOrEqual(591);
      expect(passed.length).toBeLessThanOrEqual(600);
    },
  );

  test.each([100, 91, 71, 33, 10])(
    'a client that sends every %i ms gets nearly all of the limit in any minute, and no more (N1)',
    async (gapMs) => {
      const { take } = await openReplicas(3, () => 2);
      const began = now();
      const passed = await sendAll(inTurns(180_000 / gapMs, take), gapMs);
      for (let from = began; from <= began + 120_000; from += 1_000) {
        const inMinute = passed.filter((at) => at >= from && at < from + 60_000).length;
        // Of the 5 percent a real database and a busy machine need a part.
        expect(inMinute).toBeGreaterThanOrEqual(576);
        expect(inMinute).toBeLessThanOrEqual(600);
      }
    },
  );

  test('a slow client passes without ever waiting (N1)', async () => {
    const { take } = await openReplicas(3);
    for (let index = 0; index < 550; index += 1) {
      expect(take[index % 3]?.()).toBeUndefined();
      await pass(100);
    }
  });

  test('a small limit is held exactly: it is asked for every time (N1)', async () => {
    const { windows } = await openReplicas(3);
    const takes = windows.map(
      ({ take }) =>
        () =>
          take([{ key: 'email', perMinute: 10 }]),
    );
    expect(await sendAll(inTurns(60, takes))).toHaveLength(10);
    expect(takes[0]?.()).toBe(60);
  });

  test('several at a time pass as a whole or not at all (N1)', async () => {
    const { windows, database } = await openReplicas(3);
    const rate = { key: 'batch', perMinute: 50 };
    const counts = [30, 7, 1, 1, 30, 8];
    const waits = Promise.all(counts.map((count, index) => windows[index % 3]?.take([rate], count)));
    await pass(1_000);
    const answered = await waits;
    const sum = counts.filter((_, index) => answered[index] === undefined).reduce((total, each) => total + each, 0);
    expect(database.counts.get('name of batch')?.total(now())).toBe(sum);
    expect(sum).toBeLessThanOrEqual(50);
    expect(answered.filter((wait) => wait !== undefined).length).toBeGreaterThan(0);
  });

  test('keys are told by other names: they may hold an email (N1)', async () => {
    const { database } = await openReplicas(1);
    expect([...database.counts.keys()]).toEqual(['name of warm-up']);
  });
});

test('a replica that joins asks every time until all know of it (N1)', async () => {
  const { database, take } = await openReplicas(2);
  const late = database.openWindow('late');
  expect(late.take([RATE])).toBeInstanceOf(Promise);
  await pass(8_000);
  expect(late.take([RATE])).toBeInstanceOf(Promise);
  await pass(8_000);
  expect(late.take([RATE])).toBeUndefined();
  expect(take[0]?.()).toBeUndefined();
});

describe('while the database is away (N7)', () => {
  test('each counts alone, at once, and together again when it is back (N1, N7)', async () => {
    const { database, take } = await openReplicas(3);
    await sendAll(inTurns(300, take), 10);
    database.state.isAway = true;
    await sendAll(inTurns(3, take));
    const alone = times(600, () => take[0]?.());
    // What all had counted before still counts.
    expect(alone.filter((wait) => wait === undefined).length).toBeGreaterThanOrEqual(290);
    expect(alone.filter((wait) => wait === undefined).length).toBeLessThanOrEqual(320);
    await pass(70_000);
    expect(times(601, () => take[0]?.()).filter((wait) => wait === undefined)).toHaveLength(600);
    database.state.isAway = false;
    await pass(2_000);
    // Told when it is back: the others know.
    const [second] = take.slice(1);
    const wait = second?.();
    await pass(500);
    expect(await wait).toBeGreaterThan(50);
    expect(database.faults).toEqual([]);
  });

  test('nobody waits longer than 250 ms for one that hangs (N7)', async () => {
    let wayMs = 1;
    const { windows } = await openReplicas(1, () => wayMs);
    wayMs = 5_000;
    const rate = { key: 'small', perMinute: 2 };
    const asked = now();
    const answers: number[] = [];
    const waits = times(3, async () => {
      const wait = await windows[0]?.take([rate]);
      answers.push(now() - asked);
      return wait;
    });
    await pass(250);
    expect(await Promise.all(waits)).toEqual([undefined, undefined, 60]);
    expect(answers).toEqual([250, 250, 250]);
    // One that is slow is not away: other keys are counted together as before.
    expect(windows[0]?.isAlone).toBe(false);
    expect(windows[0]?.take([{ key: 'other', perMinute: 2 }])).toBeInstanceOf(Promise);
  });

  test('a password is not tried on a count of our own while the others are only slow (N1, B4)', async () => {
    let wayMs = 1;
    const { windows, database } = await openReplicas(1, () => wayMs);
    const rate = { key: 'email', perMinute: 10 };
    wayMs = 5_000;
    const tried = Promise.all(times(12, () => windows[0]?.takeSurely(rate, 400)));
    await pass(400);
    expect(await tried).toEqual(times(12, () => 'unanswered'));
    wayMs = 1;
    await pass(12_000);
    expect(database.counts.get('name of email')?.total(now())).toBe(10);
    expect(await windows[0]?.takeSurely(rate, 400)).toBeGreaterThan(40);
  });

  test('while they are away it is: the password cannot be looked up, either (N7)', async () => {
    const { windows, database } = await openReplicas(1);
    database.state.isAway = true;
    const tried = Promise.all(times(11, () => windows[0]?.takeSurely({ key: 'email', perMinute: 10 }, 400)));
    await pass(400);
    expect(await tried).toEqual([...times(10, () => undefined), 60]);
    expect(windows[0]?.isAlone).toBe(true);
  });

  test('what was let pass after waiting in vain is counted once when the answer comes at last (N7)', async () => {
    let wayMs = 1;
    const { windows, database } = await openReplicas(1, () => wayMs);
    wayMs = 400;
    const wait = windows[0]?.take([{ key: 'late', perMinute: 5 }]);
    await pass(250);
    expect(await wait).toBeUndefined();
    wayMs = 1;
    await pass(3_000);
    expect(database.counts.get('name of late')?.total(now())).toBe(1);
  });
});

test('a bounded number of keys is remembered (F4)', async () => {
  const { windows, database } = await openReplicas(1);
  const [window] = windows;
  for (let index = 0; index < 10_001; index += 1) void window?.take([{ key: `key ${index}`, perMinute: 600 }]);
  await pass(10_000);
  // The first was forgotten before it was told.
  expect(database.counts.has('name of key 0')).toBe(false);
  expect(database.counts.has('name of key 1')).toBe(true);
  expect(database.counts.size).toBe(10_001);
});

test('close() tells the rest', async () => {
  const { windows, database, take } = await openReplicas(1);
  take[0]?.();
  const closed = windows[0]?.close();
  await pass(100);
  await closed;
  expect(database.counts.get('name of a')?.total(now())).toBe(1);
});

test('of four replicas, whatever comes where and when, no more than the limit passes in a minute (N1)', async () => {
  const step = fc.record({
    replica: fc.nat(3),
    gapMs: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.nat(40) },
      { weight: 1, arbitrary: fc.nat(9_000) },
    ),
    burst: fc.integer({ min: 1, max: 60 }),
  });
  const world = {
    perMinute: fc.constantFrom(7, 99, 150, 600),
    wayMs: fc.nat(30),
    steps: fc.array(step, { minLength: 20, maxLength: 60 }),
  };
  await fc.assert(
    fc.asyncProperty(fc.record(world), async ({ perMinute, wayMs, steps }) => {
      vi.useFakeTimers();
      const database = createCountingDatabase(now, () => wayMs);
      const windows = times(4, (index) => database.openWindow(`replica ${index}`));
      for (const window of windows) void window.take([{ key: 'warm-up', perMinute: 600 }]);
      await pass(15_000);
      const passed: number[] = [];
      const note = (wait: Wait) => void (wait === undefined && passed.push(now()));
      let sent = 0;
      for (const { replica, gapMs, burst } of steps) {
        for (let index = 0; index < burst; index += 1) {
          const wait = windows[replica]?.take([{ key: 'a', perMinute }]);
          sent += 1;
          if (wait instanceof Promise) void wait.then(note);
          else note(wait);
        }
        await pass(gapMs);
      }
      await pass(1_000);
      vi.useRealTimers();
      // An answer is on its way for a moment.
      const minute = 60_000 - wayMs;
      for (const [index, ms] of passed.entries()) {
        const next = passed[index + perMinute];
        if (next !== undefined) expect(next - ms).toBeGreaterThanOrEqual(minute);
      }
      expect(passed.length).toBeGreaterThanOrEqual(Math.min(sent, Math.floor(perMinute * 0.97)));
      expect(database.faults).toEqual([]);
    }),
    { numRuns: 40 },
  );
  vi.useRealTimers();
});
