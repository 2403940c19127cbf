// Terms and their numbers.
import { expect, test } from 'vitest';
import { Vocabulary } from './vocabulary.ts';

test('gives a term one number, and the number of a released term to the next', () => {
  const vocabulary = new Vocabulary();
  const [one, two] = [vocabulary.numberOf('one'), vocabulary.numberOf('two')];
  expect(vocabulary.numberOf('one')).toBe(one);
  expect(two).not.toBe(one);
  vocabulary.release(one);
  expect([vocabulary.find('one'), vocabulary.termOf(one)]).toEqual([undefined, undefined]);
  expect(vocabulary.numberOf('three')).toBe(one);
  expect(vocabulary.capacity).toBe(2);
});

test('has no terms of its own', () => {
  const vocabulary = new Vocabulary();
  for (const term of ['constructor', '__proto__', 'toString']) expect(vocabulary.find(term)).toBeUndefined();
});
