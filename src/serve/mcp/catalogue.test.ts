// What hosts see of the skills before they ask.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foundSkill, skillValue } from '../../catalog/fixtures/found-folder-value.ts';
import { testRoot } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSnapshot } from '../../catalog/snapshot.ts';
import { describeSkills, listText, skillLine } from './catalogue.ts';

const HOME = { ...testRoot('/home/skills'), label: '~/.claude/skills' };
const PROJECT = { ...testRoot('/project/skills'), label: './.claude/skills' };
const snapshotOf = (names: readonly string[], root = HOME) =>
  createSnapshot(
    names.map((name, index) => foundSkill(root, `f${index}`, name)),
    [],
  );

describe('listText() and skillLine()', () => {
  test('keep text on one line, short, and without markup that could end a list', () => {
    expect(listText('a\n- b\u0007\u200b <x> </x> <!-- 1 < 2', 100)).toBe('a - b &lt;x> &lt;/x> &lt;!-- 1 < 2');
    expect(listText('x'.repeat(300), 10)).toBe(`${'x'.repeat(9)}…`);
    const skill = skillValue('n'.repeat(150), { description: 'd'.repeat(300) });
    expect(skillLine(skill)).toBe(`- ${'n'.repeat(99)}… (${'d'.repeat(199)}…)`);
  });
});

describe('describeSkills()', () => {
  test('says (none) without skills', () => {
    expect(describeSkills(snapshotOf([]), 500)).toBe('(none)');
  });

  test('shows every skill with its description where they fit', () => {
    expect(describeSkills(snapshotOf(['a', 'b']), 500)).toBe('- a (Does a things.)\n- b (Does b things.)');
  });

  test('shows those of the project before those of the user', () => {
    const z = foundSkill(PROJECT, 'z');
    const ofProject = { ...z, skill: z.skill && { ...z.skill, isOfProject: true } };
    const snapshot = createSnapshot([ofProject, foundSkill(HOME, 'a')], []);
    expect(describeSkills(snapshot, 500)).toBe('- z (Does z things.)\n- a (Does a things.)');
  });

  test('does not offer a skill by a name that is served by another', () => {
    const snapshot = createSnapshot([foundSkill(PROJECT, 'x/pdf'), foundSkill(HOME, 'y/pdf')], []);
    expect(describeSkills(snapshot, 500)).toBe('- pdf (Does pdf things.)');
  });

  test('leaves skills inside other skills to list_skills', () => {
    const inner = foundSkill(HOME, 'outer/inner');
    if (inner.skill === undefined) throw new Error('it is a skill');
    const nested = { ...inner, skill: { ...inner.skill, isNested: true } };
    const snapshot = createSnapshot([foundSkill(HOME, 'outer'), nested], []);
    expect(describeSkills(snapshot, 500)).toBe('- outer (Does outer things.)');
  });

  test('shows names alone, then a number, when the room gets scarce', () => {
    const names = Array.from({ length: 40 }, (_, index) => `skill-${String(index).padStart(2, '0')}`);
    const text = describeSkills(snapshotOf(names), 320);
    const [first, ...others] = text.split('\n');
    expect(first).toBe('- skill-00 (Does skill-00 things.)');
    expect(others.at(-1)).toMatch(/^\d+ more skills: call list_skills$/);
    expect(others.at(-2)).toMatch(/^Also: skill-\d\d, skill-\d\d/);
  });

  test('never takes more room than it was given, and counts every skill', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 130 }), {
      maxLength: 60,
      selector: (name) => name.trim().toLowerCase(),
    });
    fc.assert(
      fc.property(names, fc.integer({ min: 150, max: 3_000 }), (all, budget) => {
        const snapshot = snapshotOf(all.filter((name) => name.trim() !== ''));
        const text = describeSkills(snapshot, budget);
        expect(text.length).toBeLessThanOrEqual(budget);
        if (snapshot.skills.length === 0) return;
        const lines = text.split('\n');
        const hidden = Number(/^(\d+) more skills?: /.exec(lines.at(-1) ?? '')?.[1] ?? 0);
        expect(hidden).toBeLessThanOrEqual(snapshot.skills.length);
        if (hidden === 0 && !text.includes('Also: ')) expect(lines).toHaveLength(snapshot.skills.length);
      }),
    );
  });
});
