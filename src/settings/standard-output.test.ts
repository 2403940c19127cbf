// What the operator's code prints steers no terminal, in whatever form it is written (T9).
import { expect, test } from 'vitest';
import { createHarmlessWrite } from './standard-output.ts';

function open() {
  const printed: string[] = [];
  const write = createHarmlessWrite((data, written) => {
    printed.push(String(data));
    written?.();
    return true;
  });
  return { write, printed };
}

test('what steers a terminal is shown by its code; lines, tabs and letters stay (T9)', () => {
  const { write, printed } = open();
  write('a\tü 漢 ┌─┐\r\n\x1b]0;title\x07 \x1b[2J \u202ereversed \x9b31m over\rwritten\n');
  expect(printed.join('')).toBe(
    'a\tü 漢 ┌─┐\n\\x1b]0;title\\x07 \\x1b[2J \\u{202e}reversed \\x9b31m over\\x0dwritten\n',
  );
});

test('colours go without a trace (T9)', () => {
  const { write, printed } = open();
  write('{ a: \x1b[33m1\x1b[39m, b: \x1b[1;31mred\x1b[0m }\n');
  expect(printed.join('')).toBe('{ a: 1, b: red }\n');
});

test('bytes and other encodings are read as what they are, also cut inside of a character (T9)', () => {
  const { write, printed } = open();
  const bytes = Buffer.from('ü\x1b[2J');
  write(bytes.subarray(0, 1));
  write(bytes.subarray(1));
  write(Buffer.from('\u202e').toString('hex'), 'hex');
  write('plain', 'utf-8');
  expect(printed.join('')).toBe('ü\\x1b[2J\\u{202e}plain');
});

test('who waits is told, whatever stands before (T9)', () => {
  const { write } = open();
  const told: string[] = [];
  write('a', () => told.push('second'));
  write('a', 'utf8', () => told.push('third'));
  expect(told).toEqual(['second', 'third']);
});
