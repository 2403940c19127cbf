// Terms and their numbers, and which spellings are known.
import { expect, test } from 'vitest';
import { Spellings, Vocabulary } from './vocabulary.ts';

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

test('a spelling is known until it was removed as often as it was added', () => {
  const spellings = new Spellings();
  for (const word of ['migration', 'release', 'migration']) spellings.add(word);
  spellings.remove('migration');
  spellings.remove('never-added');
  expect(spellings.words.find('migration')).toBeDefined();
  spellings.remove('migration');
  expect(spellings.words.find('migration')).toBeUndefined();
  expect(spellings.words.find('release')).toBeDefined();
});

test('a spelling that comes again begins anew', () => {
  const spellings = new Spellings();
  for (let index = 0; index < 600; index += 1) spellings.add(`word${index}`);
  spellings.remove('word599');
  spellings.add('word600');
  spellings.remove('word600');
  expect([spellings.words.find('word599'), spellings.words.find('word600')]).toEqual([undefined, undefined]);
  expect(spellings.words.capacity).toBe(600);
});
