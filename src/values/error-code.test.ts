// The code of an error, whatever was thrown.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeOf } from './error-code.ts';

test('codeOf() gives the code of an error of Node', () => {
  let thrown: unknown;
  try {
    readFileSync('/there/is/no/such/file');
  } catch (error) {
    thrown = error;
  }
  expect(codeOf(thrown)).toBe('ENOENT');
});

test.each([[new Error('without')], [new DOMException('20 is no name', 'AbortError')], ['text'], [null], [undefined]])(
  'codeOf() gives undefined for %s',
  (thrown) => {
    expect(codeOf(thrown)).toBeUndefined();
  },
);
