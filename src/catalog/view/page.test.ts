// Pages of a list that may change between two of them.

import { describe, expect, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { foundSkill, skillValue } from '../fixtures/found-folder-value.ts';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import { pageOf } from './page.ts';
import type { Skill } from './skill.ts';
import { createSnapshot } from './snapshot.ts';

const ROOT = testRoot('/r');
const listOf = (names: readonly string[]): readonly Skill[] =>
  createSnapshot(
    names.map((name) => foundSkill(ROOT, `f-${name}`, name)),
    [],
  ).skills;

/** Walks to the end; `skillsAt` gives the list as it is when the page is asked for. */
function walk(skillsAt: (page: number) => readonly Skill[], limit: number): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let index = 0; index < 1_000; index += 1) {
    const page = pageOf(skillsAt(index), cursor, limit);
    if (page === undefined) throw new Error('our own cursor was refused');
    seen.push(...page.skills.map(({ name }) => name));
    if (page.nextCursor === undefined) return seen;
    cursor = page.nextCursor;
  }
  throw new Error('the walk does not end');
}

describe('pageOf()', () => {
  test('one page when everything fits, without a cursor', () => {
    const skills = listOf(['a', 'b']);
    expect(pageOf(skills, undefined, 2)).toEqual({ skills, nextCursor: undefined });
    expect(pageOf([], undefined, 5)).toEqual({ skills: [], nextCursor: undefined });
  });

  test.each(['', 'x', '!!!', 'bnVsbA', 'W10', 'WyJhIl0', 'WzEsMl0', 'eyJhIjoxfQ', 'WyJhIiwiYiIsImMiXQ', '🎉'])(
    'refuses %j, which is no cursor of ours',
    (cursor) => {
      expect(pageOf(listOf(['a']), cursor, 1)).toBeUndefined();
    },
  );

  test('goes on behind a skill that is gone, and past the end with an empty page', () => {
    const { nextCursor } = pageOf(listOf(['a', 'b', 'c']), undefined, 2) ?? {};
    expect(pageOf(listOf(['a', 'c']), nextCursor, 2)?.skills.map(({ name }) => name)).toEqual(['c']);
    expect(pageOf(listOf(['a']), nextCursor, 2)).toEqual({ skills: [], nextCursor: undefined });
  });

  test('tells skills of the same name apart by their URI', () => {
    const skills = ['x', 'y', 'z'].map((relative) => skillValue('same', { relative }));
    expect(walk(() => skills, 1)).toEqual(['same', 'same', 'same']);
  });
});

const names = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }), {
  maxLength: 30,
  selector: (name) => name.trim().toLowerCase(),
});

test('a walk meets every skill exactly once (T2)', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 8 }), (all, limit) => {
      const skills = listOf(all);
      expect(walk(() => skills, limit)).toEqual(skills.map(({ name }) => name));
    }),
  );
});

test('a walk meets every skill that stays exactly once, also when others come and go between the pages (T2)', () => {
  const plan = fc.record({
    stay: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }),
    states: fc.array(fc.uniqueArray(fc.integer({ min: 61, max: 120 }), { maxLength: 10 }), { minLength: 1 }),
    limit: fc.integer({ min: 1, max: 7 }),
  });
  fc.assert(
    fc.property(plan, ({ stay, states, limit }) => {
      // Mixed in the order: 61 stands beside 0, 62 beside 1 …
      const nameOf = (number: number) => `s${String(number % 61).padStart(2, '0')}${number > 60 ? 'x' : ''}`;
      const listAt = (page: number) => listOf([...stay, ...(states[page % states.length] ?? [])].map(nameOf));
      const seen = walk(listAt, limit);
      const staying = new Set(stay.map(nameOf));
      expect(seen.filter((name) => staying.has(name))).toEqual([...staying].sort());
      expect(new Set(seen).size).toBe(seen.length);
    }),
  );
});
