// Anything can be thrown; a message comes of all of it.
import { expect, test } from 'vitest';
import { messageOf } from './error-text.ts';

test.each([
  [new TypeError('is not a function'), 'is not a function'],
  ['a text', 'a text'],
  [7, '7'],
  [undefined, 'undefined'],
  [null, 'unknown error'],
  [Object.create(null), 'unknown error'],
])('messageOf(%s) is %j', (error, text) => {
  expect(messageOf(error)).toBe(text);
});
