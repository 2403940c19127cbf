// When colour is wanted, and the codes it is made of.
import { describe, expect, test } from 'vitest';
import { createPaint, wantsColour } from './colours.ts';

describe('wantsColour', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '1', TERM: 'dumb' }, true],
  ])('on a terminal: %s, with %j: %s', (isTerminal, variables, expected) => {
    expect(wantsColour(isTerminal, variables)).toBe(expected);
  });
});

describe('createPaint', () => {
  test('wraps text in codes when coloured', () => {
    expect(createPaint(true).red('x')).toBe('\u001b[31mx\u001b[39m');
  });

  test('leaves text alone when not', () => {
    expect(createPaint(false).red('x')).toBe('x');
  });

  test('adds no codes around nothing', () => {
    expect(createPaint(true).bold('')).toBe('');
  });
});
