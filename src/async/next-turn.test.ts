// What waits already goes first.
import { expect, test } from 'vitest';
import { nextTurn } from './next-turn.ts';

test('nextTurn() lets promises and what was scheduled before it go first', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('scheduled before'));
  const turn = nextTurn().then(() => order.push('next turn'));
  Promise.resolve().then(() => order.push('promise'));
  await turn;
  expect(order).toEqual(['promise', 'scheduled before', 'next turn']);
});
