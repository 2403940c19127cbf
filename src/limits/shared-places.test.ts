// Places of several processes: counted together, free again when one died, counted alone while the others cannot be asked.
import { expect, test, vi } from 'vitest';
import fc from '../../tests/support/property.ts';
import { useOwnTimers } from '../async/fixtures/own-timers.ts';
import { createCountingDatabase } from './fixtures/counting-database.ts';
import type { Places } from './places.ts';

const now = () => performance.now();
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function open(wayMs?: () => number) {
  useOwnTimers();
  const database = createCountingDatabase(now, wayMs);
  const [one, other] = [database.openPlaces('one'), database.openPlaces('other')];
  /** How many of so many get in. */
  const enter = async ({ enter: enterOne }: typeof one, count: number, most = 3): Promise<number> => {
    const entering = Promise.all(Array.from({ length: count }, () => enterOne('nap', most)));
    await pass(300);
    return (await entering).filter((isIn) => isIn).length;
  };
  return { database, one, other, enter };
}

test('enter() lets in as many as may be inside, over all processes; leave() makes room (N1)', async () => {
  const { one, other, enter } = open();
  expect([await enter(one, 2), await enter(other, 4)]).toEqual([2, 1]);
  one.leave('nap');
  await pass(10);
  expect([await enter(other, 2), await enter(one, 1)]).toEqual([1, 0]);
});

test('a place that was left is there for who asks next, also when the others are told of it a moment later (N1)', async () => {
  let wayMs = 1;
  const { one, other, enter } = open(() => wayMs);
  expect(await enter(one, 1, 1)).toBe(1);
  wayMs = 20;
  one.leave('nap');
  wayMs = 1;
  expect(await enter(other, 2, 1)).toBe(1);
  expect(await enter(one, 1, 1)).toBe(0);
});

test('the places of a process that died are free after 10 s, those of a living one are not (N1)', async () => {
  const { database, one, other, enter } = open();
  const dead = database.openPlaces('dead');
  expect([await enter(dead, 2), await enter(one, 1)]).toEqual([2, 1]);
  database.state.dead.add('dead');
  one.leave('nap');
  await pass(10);
  expect(await enter(one, 3)).toBe(1);
  await pass(8_000);
  expect(await enter(other, 3)).toBe(0);
  await pass(1_500);
  expect(await enter(other, 3)).toBe(2);
  await pass(30_000);
  expect(await enter(other, 1)).toBe(0);
});

test('without the database each counts alone, at once, and tells what it holds when it is back (N7)', async () => {
  const { database, one, other, enter } = open();
  database.state.isAway = true;
  expect(await enter(one, 4)).toBe(3);
  expect(one.enter('nap', 3)).toBe(false);
  one.leave('nap');
  expect(one.enter('nap', 3)).toBe(true);
  database.state.isAway = false;
  await pass(2_000);
  expect(await enter(other, 1)).toBe(0);
});

/** Asked at once: whether it is in, as soon as it is known. */
function entering(places: Places): () => boolean | undefined {
  let isIn: boolean | undefined;
  void Promise.resolve(places.enter('nap', 3)).then((entered) => {
    isIn = entered;
  });
  return () => isIn;
}

test('no one waits longer than 250 ms, and a place that is granted too late is given back (N7)', async () => {
  let wayMs = 400;
  const { one, other, enter } = open(() => wayMs);
  const isIn = entering(one);
  await pass(249);
  expect(isIn()).toBeUndefined();
  await pass(1);
  expect(isIn()).toBe(true);
  wayMs = 1;
  await pass(2_000);
  expect(await enter(other, 3)).toBe(2);
  one.leave('nap');
  await pass(100);
  expect(await enter(other, 1)).toBe(1);
});

test('who is refused waits no longer than 250 ms, either, and is not let in because the second answer is late (N1)', async () => {
  let wayMs = 1;
  const { one, other, enter } = open(() => wayMs);
  expect(await enter(other, 3)).toBe(3);
  wayMs = 90;
  const isIn = entering(one);
  await pass(249);
  expect(isIn()).toBeUndefined();
  await pass(1);
  expect(isIn()).toBe(false);
});

test('close() gives up what is held', async () => {
  const { one, other, enter } = open();
  await enter(one, 1);
  one.leave('nap');
  const closed = one.close();
  await pass(100);
  await closed;
  expect(await enter(other, 3)).toBe(3);
});

test('whatever comes when, no more are inside than may be, and each place is used again (N1)', async () => {
  const step = fc.record({ process: fc.nat(2), leaves: fc.boolean(), gapMs: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 5 }), async (steps, most) => {
      vi.useFakeTimers();
      const database = createCountingDatabase(now, () => 2);
      const processes = ['a', 'b', 'c'].map((name) => ({ places: database.openPlaces(name), inside: 0 }));
      const inside = () => processes.reduce((sum, each) => sum + each.inside, 0);
      for (const { process, leaves, gapMs } of steps) {
        const each = processes[process];
        if (each === undefined) continue;
        if (leaves && each.inside > 0) {
          each.inside -= 1;
          each.places.leave('nap');
        } else if (!leaves) {
          void Promise.resolve(each.places.enter('nap', most)).then((isIn) => {
            each.inside += Number(isIn);
            expect(inside()).toBeLessThanOrEqual(most);
          });
        }
        await pass(gapMs);
      }
      await pass(100);
      const free = most - inside();
      const entering = Promise.all(Array.from({ length: most }, () => processes[0]?.places.enter('nap', most)));
      await pass(100);
      expect((await entering).filter((isIn) => isIn)).toHaveLength(free);
      vi.useRealTimers();
    }),
    { numRuns: 60 },
  );
  vi.useRealTimers();
});
