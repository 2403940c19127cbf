import { expect, test } from 'vitest';
import { numberLines, pairLines } from './diff-lines.ts';

const hunk = {
  from_line: 4,
  to_line: 6,
  lines: [
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'removed', text: 'c' },
    { kind: 'added', text: 'B' },
    { kind: 'same', text: 'd' },
    { kind: 'added', text: 'e' },
  ],
} as const;

test('each line has its number in the text before and in the one after (L3)', () => {
  expect(numberLines(hunk).map(({ old, now, text }) => [old, now, text])).toEqual([
    [4, 6, 'a'],
    [5, undefined, 'b'],
    [6, undefined, 'c'],
    [undefined, 7, 'B'],
    [7, 8, 'd'],
    [undefined, 9, 'e'],
  ]);
});

test('side by side, a new line stands beside the one that it replaces (L3)', () => {
  expect(pairLines(hunk).map(({ old, now }) => [old?.text, old?.old, now?.text, now?.now])).toEqual([
    ['a', 4, 'a', 6],
    ['b', 5, 'B', 7],
    ['c', 6, undefined, undefined],
    ['d', 7, 'd', 8],
    [undefined, undefined, 'e', 9],
  ]);
});
