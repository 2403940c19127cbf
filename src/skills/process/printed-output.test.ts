// What a worker skill prints becomes events: whole lines, without secrets, bounded per call and in time, what is left out counted.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scrubShapes } from '../../text/credentials.ts';
import type { RuntimeEvent } from '../record/runtime-log.ts';
import { PrintedLog, PrintedOutput } from './printed-output.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openPrinted() {
  const events: RuntimeEvent[] = [];
  const log = new PrintedLog('x', (event) => events.push(event));
  const printed = new PrintedOutput(log);
  const print = (...texts: string[]) => texts.map((text) => printed.take('stdout', Buffer.from(text)));
  const texts = () => events.map(({ text }) => text).filter((text) => text !== undefined);
  const leftOut = () => events.map((event) => event.left_out_bytes).filter((bytes) => bytes !== undefined);
  return { log, printed, print, events, texts, leftOut };
}

test('a line is an event with the name of the skill, on one line, without escapes', () => {
  const { print, events } = openPrinted();
  print('\u001b]0;title\u0007\u001b[31mred\u001b[0m\r\tand\u202e more\n\n  \n');
  expect(events).toEqual([{ level: 'info', message: 'The skill "x" printed', skill: 'x', text: 'red and more' }]);
});

test('a line is told whole, however it arrives, beside the other stream; its end may be missing', () => {
  const { printed, print, texts } = openPrinted();
  print('one ');
  printed.take('stderr', Buffer.from('other\n'));
  const euro = Buffer.from('2 €\n');
  printed.take('stdout', euro.subarray(0, 3));
  printed.take('stdout', euro.subarray(3));
  print('last');
  expect(texts()).toEqual(['other', 'one 2 €']);
  printed.end();
  expect(texts()).toEqual(['other', 'one 2 €', 'last']);
});

test('secrets are taken out, also in pieces, of several lines, beside invisible characters, or of the call before (T9)', () => {
  const { printed, print, texts } = openPrinted();
  printed.begin((text) => scrubShapes(text.replace('first secret', '[redacted]')));
  print('a ghp_aaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa b\n');
  print('ghp_aaaa\u200baaaaaaaaaaaaaaaaaaaaa\n');
  print('key: -----BEGIN RSA PRIVATE KEY-----\nMIIEow', 'IBAAKC\nAQEA\n', '-----END RSA PRIVATE KEY-----\nafter\n');
  printed.begin((text) => scrubShapes(text.replace('second secret', '[redacted]')));
  print('first secret, second secret\n');
  expect(texts()).toEqual(['a [redacted] b', '[redacted]', 'key: [redacted]', 'after', '[redacted], [redacted]']);
});

test('of a long line 1,000 characters are told, and no half of a secret', () => {
  const { print, texts } = openPrinted();
  print(`${'x'.repeat(9_000)}\nshort\n`);
  // The first one is cut where only its beginning is looked at.
  print(`Bearer ${'a'.repeat(7_980)} ghp_${'b'.repeat(36)}\n`);
  expect(texts()).toEqual([`${'x'.repeat(999)}…`, 'short', '[redacted] …']);
});

test('of one call 64 KB are passed on, 16 MB are read, the rest is counted; the next call begins anew (A4)', () => {
  const { log, printed, texts, leftOut } = openPrinted();
  const chunk = Buffer.from(`${'x'.repeat(5_999)}\n`.repeat(10));
  const taken = Array.from({ length: 300 }, () => printed.take('stderr', chunk));
  expect(texts()).toHaveLength(10);
  expect(taken.indexOf(false)).toBe(Math.floor((16 * 1_048_576) / 60_000));
  log.flush();
  expect(leftOut()).toEqual([299 * 60_000]);
  printed.begin(scrubShapes);
  expect(printed.take('stderr', chunk)).toBe(true);
  expect(texts()).toHaveLength(20);
});

test('of all calls 200 lines are told in ten seconds, and what was left out once', () => {
  const { log, print, texts, leftOut } = openPrinted();
  const other = new PrintedOutput(log);
  for (let count = 0; count < 150; count++) {
    print('12345\n');
    other.take('stdout', Buffer.from('12345\n'));
  }
  expect(texts()).toHaveLength(200);
  expect(leftOut()).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(leftOut()).toEqual([500]);
  print('again\n');
  expect(texts().at(-1)).toBe('again');
  vi.advanceTimersByTime(60_000);
  expect(leftOut()).toEqual([500]);
});

test('a log that throws hurts nobody', () => {
  const printed = new PrintedOutput(
    new PrintedLog('x', () => {
      throw new Error('full');
    }),
  );
  expect(printed.take('stdout', Buffer.from('text\n'))).toBe(true);
});
