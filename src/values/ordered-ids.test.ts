// Ids that sort as they were made, whatever the clock does.
import { expect, test } from 'vitest';
import { createOrderedIds, orderedIdAt } from './ordered-ids.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test.each([
  ['stands still', () => new Date(1_800_000_000_000)],
  ['goes on', tick(1)],
  ['goes back', tick(-1)],
])('are greater each time while the clock %s, and never the same', (_how, now) => {
  const next = createOrderedIds(now);
  const ids = Array.from({ length: 10_000 }, next);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
});

test('two makers do not make the same', () => {
  const now = () => new Date(0);
  expect(createOrderedIds(now)()).not.toBe(createOrderedIds(now)());
});

test('that of a moment sorts by it', () => {
  const ids = [-1, 0, 1, 1_800_000_000_000].map((ms) => orderedIdAt(new Date(ms)));
  expect(ids.slice(1)).toEqual(ids.slice(1).sort());
  expect([ids.filter((id) => !UUID_V7.test(id)), new Set(ids).size]).toEqual([[], 4]);
});

function tick(step: number): () => Date {
  let ms = 1_800_000_000_000;
  return () => {
    ms += step;
    return new Date(ms);
  };
}
