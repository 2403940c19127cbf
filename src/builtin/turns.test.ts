// A few run at once, the others in their order; what was given up is not begun.
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const never = new AbortController().signal;

test('runs so many at once and the others in order, also after one that fails', async () => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const work = (index: number) =>
    inTurn(never, async () => {
      begun.push(index);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
      if (index === 3) throw new Error('three');
      return index;
    });
  const ended = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => work(index)));
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(2);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('work that was given up while it waited is not begun, and the next gets the turn', async () => {
  const inTurn = createTurns(1);
  const stop = new AbortController();
  let isBegun = false;
  const first = inTurn(never, () => new Promise<void>((resolve) => setTimeout(resolve, 5)));
  const second = inTurn(stop.signal, async () => {
    isBegun = true;
  });
  const third = inTurn(never, async () => 'third');
  stop.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  expect(await third).toBe('third');
  await first;
  expect(isBegun).toBe(false);
});
