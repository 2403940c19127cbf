// In their order, so many at once; what was given up is not begun.
import { expect, test } from 'vitest';
import { nextTurn } from './next-turn.ts';
import { createTurns } from './turns.ts';

async function runEight(atOnce?: number) {
  const inTurn = createTurns(atOnce);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (index: number): Promise<number> => {
    begun.push(index);
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    if (index === 3) throw new Error('three');
    return index;
  };
  const ended = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => inTurn(() => work(index))));
  return { begun, most, failed: ended.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])) };
}

test('one after the other, also after one that fails', async () => {
  expect(await runEight()).toEqual({ begun: [0, 1, 2, 3, 4, 5, 6, 7], most: 1, failed: [3] });
});

test('so many at once and the others in order, also after one that fails', async () => {
  expect(await runEight(2)).toEqual({ begun: [0, 1, 2, 3, 4, 5, 6, 7], most: 2, failed: [3] });
});

test('work that throws or returns at once has its turn like any other', async () => {
  const inTurn = createTurns();
  const thrown = inTurn((): string => {
    throw new Error('at once');
  });
  const returned = inTurn(() => 'returned');
  await expect(thrown).rejects.toThrow('at once');
  expect(await returned).toBe('returned');
});

test('work that was given up while it waited is not begun, and the next gets the turn', async () => {
  const inTurn = createTurns();
  const stop = new AbortController();
  let isBegun = false;
  const first = inTurn(nextTurn);
  const second = inTurn(() => {
    isBegun = true;
  }, stop.signal);
  const third = inTurn(() => 'third');
  stop.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  expect(await third).toBe('third');
  await first;
  expect(isBegun).toBe(false);
});
