// Which spellings are known.
import { expect, test } from 'vitest';
import { Spellings } from './spellings.ts';

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
