// When a changed text is believed (F8).
import { describe, expect, test } from 'vitest';
import { holdBackMs } from './hold-back.ts';
import type { SkillText } from './skill-file.ts';

const NOW = 1_000_000;
const OLD = '---\nname: a\n---\nThe old text, with several lines.\nAnd one more.\n';
const textOf = (text: string): SkillText => ({
  bytes: Buffer.from(text),
  document: undefined,
  issues: [],
  loadedAt: new Date(0),
});
const previous = textOf(OLD);
const wait = (text: string, { age = 0, waited = 0, document = true, from = previous as SkillText | undefined } = {}) =>
  holdBackMs(
    from,
    { bytes: Buffer.from(text), document: document ? {} : undefined, modifiedMs: NOW - age },
    NOW,
    waited,
  );

describe('holdBackMs()', () => {
  test('waits a moment for a text that looks finished, and no longer once it was left alone', () => {
    expect(wait(`${OLD}more\n`)).toBe(30);
    expect(wait(`${OLD}more\n`, { age: 10 })).toBe(20);
    expect(wait(`${OLD}more\n`, { age: 30 })).toBe(0);
  });

  test.each([
    ['a text that is no skill', 'x\n', false],
    ['the beginning of the text before', OLD.slice(0, 20), true],
  ])('waits longest for %s', (_, text, document) => {
    expect(wait(text, { document })).toBe(300);
    expect(wait(text, { document, age: 299 })).toBe(1);
    expect(wait(text, { document, age: 300 })).toBe(0);
  });

  test('an empty file is believed after a wait, whatever its time says: ext4 sets the time after the size', () => {
    expect(wait('', { age: 10_000 })).toBe(300);
    expect(wait('', { age: 10_000, waited: 200 })).toBe(100);
    expect(wait('', { age: 10_000, waited: 300 })).toBe(0);
  });

  test('waits longer for a text that ends in the middle of a line, or is much shorter', () => {
    expect(wait(`${OLD}no end`)).toBe(90);
    expect(wait('---\nname: b\n---\nshort\n')).toBe(90);
    // The text before had no line end either: that is how this writer writes.
    expect(wait(`${OLD}no end`, { from: textOf(`${OLD}none`) })).toBe(30);
  });

  test('a new file is given more time: there is nothing to compare it with', () => {
    const first = (text: string) =>
      holdBackMs(undefined, { bytes: Buffer.from(text), document: {}, modifiedMs: NOW }, NOW, 0);
    expect(first(OLD)).toBe(45);
    expect(first('no line end')).toBe(90);
  });

  test('a file that is never left alone is believed in the end, if its text looks whole', () => {
    expect(wait(`${OLD}more\n`, { waited: 149 })).toBe(30);
    expect(wait(`${OLD}more\n`, { waited: 150 })).toBe(0);
    expect(wait(`${OLD}no end`, { waited: 10_000 })).toBe(90);
    expect(wait('', { waited: 10_000 })).toBe(300);
  });

  test('a file of this very millisecond is not taken for one of the future: its time is finer than the clock', () => {
    expect(wait('', { age: -0.6 })).toBe(300);
  });

  test('a time in the future or long ago says nothing and costs nothing (F12)', () => {
    expect(wait('', { age: -11 })).toBe(0);
    expect(wait('', { age: -1e9 })).toBe(0);
    expect(wait('x\n', { document: false, age: 1e12 })).toBe(0);
  });
});
