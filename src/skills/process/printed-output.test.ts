// What a worker skill prints is passed on up to a limit, then read, then too much.
import { expect, test } from 'vitest';
import { PrintedOutput } from './printed-output.ts';

test('of one call 64 KB are passed on, with one note; 16 MB are read; the next call begins anew (A4)', () => {
  const passed: string[] = [];
  const printed = new PrintedOutput((text) => passed.push(String(text)));
  const chunk = Buffer.alloc(60_000, 'x');
  const taken = Array.from({ length: 300 }, () => printed.take(chunk));
  expect(passed).toEqual(['x'.repeat(60_000), 'x'.repeat(5_536), expect.stringContaining('left out')]);
  expect(taken.indexOf(false)).toBe(Math.floor((16 * 1_048_576) / 60_000));
  printed.reset();
  expect(printed.take(chunk)).toBe(true);
  expect(passed.at(-1)).toBe('x'.repeat(60_000));
});
