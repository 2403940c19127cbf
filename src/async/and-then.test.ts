// What is there is answered at once; what comes later, later.
import { expect, test } from 'vitest';
import { andThen } from './and-then.ts';

test('andThen() goes on at once with a value, and later with a promise', async () => {
  const double = (value: number) => value * 2;
  expect(andThen(2, double)).toBe(4);
  const later = andThen(Promise.resolve(3), double);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe(6);
});
