// Durations, limits and sentences as people read them, and names as a shell reads them. Without a browser.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fieldOf, limitsText } from '../../web/src/form/field-shape.ts';
import { asSentence, durationText } from '../../web/src/text/format.ts';
import { shellWord } from '../../web/src/text/shell-word.ts';

test.each([
  [0, '0 ms'],
  [0.4, '<1 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [9_994, '9.99 s'],
  [9_996, '10.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 0 s'],
  [119_600, '2 min 0 s'],
  [125_000, '2 min 5 s'],
])('durationText(%d) is %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test.each([
  [{ type: 'array', items: { type: 'string' }, minItems: 1 }, 'at least 1 entry'],
  [{ type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 }, 'at least 2 entries, at most 3 entries'],
  [{ type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 }, 'exactly 2 entries'],
  [{ type: 'string', minLength: 1 }, 'at least 1 character'],
  [{ type: 'string', minLength: 2, maxLength: 3 }, '2 to 3 characters'],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'exactly 3 characters'],
  [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, 'whole number'],
  [{ type: 'integer', minimum: -5, maximum: 5 }, 'whole number, at least -5, at most 5'],
])('limitsText(%j) is "%s"', (schema, text) => {
  expect(limitsText(fieldOf({}, schema))).toBe(text);
});

test.each([
  ['It is away', 'It is away.'],
  ['It is back.', 'It is back.'],
])('asSentence(%j) is "%s"', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});

test
  .skipIf(process.platform === 'win32')
  .each(['plain', '$(echo ran)', '`echo ran`', "it's", '"; echo ran; "', '$HOME \\ !', 'two\nlines'])(
  'shellWord(%j) is one word that a shell leaves as it is',
  (name) => {
    expect(execFileSync('sh', ['-c', `printf '%s|' ${shellWord(name)}`], { encoding: 'utf8' })).toBe(`${name}|`);
  },
);
