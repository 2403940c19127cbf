// A few at a time, in their order.
import { expect, test } from 'vitest';
import { nextTurn } from './next-turn.ts';
import { sideBySide } from './side-by-side.ts';

test('begins in order, never more at once than allowed, and keeps the order of the results', async () => {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const results = await sideBySide([30, 1, 20, 2, 10], 2, async (turns, index) => {
    begun.push(index);
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    running -= 1;
    return turns * 2;
  });
  expect({ begun, most, results }).toEqual({ begun: [0, 1, 2, 3, 4], most: 2, results: [60, 2, 40, 4, 20] });
});

test('nothing to do is done at once', async () => {
  expect(await sideBySide([], 4, async () => 1)).toEqual([]);
});
