// Which names are near to a mistyped one.
import { describe, expect, test } from 'vitest';
import { findNearest, orList } from './nearest.ts';

describe('findNearest', () => {
  const names = ['list', 'show', 'check', 'doctor', 'pdf-forms'];

  test.each([
    ['lst', 'list'],
    ['LIST', 'list'],
    ['shwo', 'show'],
    ['chekc', 'check'],
    ['pdf', 'pdf-forms'],
  ])('finds what %s was meant to be', (wanted, expected) => {
    expect(findNearest(wanted, names, 1)).toEqual([expected]);
  });

  test('finds nothing for a word that resembles none', () => {
    expect(findNearest('quaternion', names, 3)).toEqual([]);
    expect(findNearest('', names, 3)).toEqual([]);
  });

  test('puts the nearest first and keeps to the limit', () => {
    expect(findNearest('skill-a', ['skill-bcd', 'skill-ab', 'skill-a1', 'skill-b'], 3)).toEqual([
      'skill-a1',
      'skill-ab',
      'skill-b',
    ]);
  });
});

test('orList() joins names as a sentence does', () => {
  expect([orList(['a']), orList(['a', 'b']), orList(['a', 'b', 'c'])]).toEqual([
    '"a"',
    '"a" or "b"',
    '"a", "b" or "c"',
  ]);
});
