// Tables for people, tabs for programs.
import { expect, test } from 'vitest';
import { createPaint } from './colours.ts';
import { breakCells, joinCells, labelledLines, layTable, tabLines } from './table.ts';

const HOSTILE = 'a\u001b[31mb\tc\nd';

test('layTable() makes columns as wide as their widest text or title, within their limits', () => {
  const { head, rows } = layTable(
    [
      { name: 'a', count: 7 },
      { name: 'long-name', count: 1_200 },
    ],
    [
      { title: 'skill', text: ({ name }) => name, most: 6 },
      { title: 'runs', text: ({ count }) => String(count), align: 'right', least: 6 },
    ],
  );
  expect([head, ...rows].map(joinCells)).toEqual(['skill     runs', 'a            7', 'long-…    1200']);
});

test('layTable() paints by row, counts wide characters twice and keeps hostile text on its line', () => {
  const paint = (text: string, row: string) => (row === '技能' ? `<${text}>` : text);
  expect(layTable(['技能', HOSTILE], [{ text: (row) => row, paint }]).rows).toEqual([['<技能  >'], ['ab c d']]);
});

test('breakCells() puts what does not fit below, and leaves empty cells out', () => {
  expect(breakCells(['one', '', 'two  ', 'three'], 10, 3)).toEqual(['one  two', '     three']);
  expect(breakCells(['one', 'two'], 80, 3)).toEqual(['one  two']);
});

test('tabLines() separates by tabs, which no cell can hold', () => {
  expect(
    tabLines([
      [HOSTILE, 2],
      ['', 'x'],
    ]),
  ).toBe('ab c d\t2\n\tx\n');
});

test('labelledLines() labels the first line only', () => {
  expect(labelledLines([['Log', ['a', 'b']]], 5, { paint: createPaint(false), columns: 80 })).toEqual([
    '  Log  a',
    '       b',
  ]);
  const narrow = { paint: createPaint(false), columns: 30 };
  expect(labelledLines([['Log', ['some words that are too many']]], 5, narrow)).toEqual([
    '  Log  some words that are too',
    '       many',
  ]);
});
