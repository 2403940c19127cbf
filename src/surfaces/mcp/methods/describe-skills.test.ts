// The text that hosts see of the skills before they ask.
import { describe, expect, test } from 'vitest';
import fc from '../../../../tests/support/property.ts';
import { skillValue } from '../../../catalog/fixtures/found-folder-value.ts';
import type { Skill } from '../../../catalog/view/skill.ts';
import { skillLine } from '../../../operations/list-skills.ts';
import { TOOL_NAMES } from '../../../operations/operation.ts';
import { listText } from '../../../text/list-text.ts';
import { describeSkills } from './describe-skills.ts';
import type { Visible } from './view.ts';

const visibleOf = (skills: readonly Skill[], fields: Partial<Visible> = {}): Visible => ({
  skills,
  pinned: 0,
  native: 0,
  ...fields,
});
const skillsCalled = (...names: readonly string[]) => names.map((name) => skillValue(name));
const numbered = (count: number, descriptionLength = 150) =>
  Array.from({ length: count }, (_, index) =>
    skillValue(`skill-${String(index).padStart(3, '0')}`, { description: 'd'.repeat(descriptionLength) }),
  );
const linesOf = (visible: Visible, budget: number) => describeSkills(visible, budget).split('\n');
const isDescribed = (line: string) => /^- .+ \(.*\)$/.test(line);
const isNameOnly = (line: string) => line.startsWith('- ') && !isDescribed(line);

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
    expect(describeSkills(visibleOf([]), 500)).toBe('(none)');
  });

  test('shows every skill with its description where they fit', () => {
    expect(describeSkills(visibleOf(skillsCalled('b', 'a')), 500)).toBe('- b (Does b things.)\n- a (Does a things.)');
  });

  test('cuts a long description between two words, and leaves a short one alone', () => {
    const words = 'word '.repeat(39).trim();
    const told = (description: string) => describeSkills(visibleOf([skillValue('a', { description })]), 500);
    expect(told(`${words} interesting`)).toBe(`- a (${words}…)`);
    const openEnded = `${'word '.repeat(30)}and so on …`;
    expect(told(openEnded)).toBe(`- a (${openEnded})`);
    expect(told('d'.repeat(201))).toBe(`- a (${'d'.repeat(199)}…)`);
  });

  test('shows the names of all before the descriptions of more', () => {
    const lines = linesOf(visibleOf(numbered(30)), 1_500);
    expect(lines).toHaveLength(30);
    const described = lines.filter(isDescribed);
    expect(described.length).toBeGreaterThan(2);
    // First those with descriptions, in the order given.
    expect(lines.slice(0, described.length)).toEqual(described);
    expect(lines.slice(described.length).every(isNameOnly)).toBe(true);
    expect(lines.map((line) => line.slice(2, 11))).toEqual(numbered(30).map(({ name }) => name));
  });

  test('ends with how many are not shown and the tool that finds them, when not even the names fit', () => {
    const lines = linesOf(visibleOf(numbered(500)), 1_500);
    const [described, named] = [lines.filter(isDescribed).length, lines.filter(isNameOnly).length];
    expect(described).toBeGreaterThan(0);
    expect(named).toBeGreaterThan(80);
    expect(lines.at(-1)).toBe(`${500 - described - named} more skills: call search_skills`);
    expect(describeSkills(visibleOf(numbered(500)), 1_500, { ...TOOL_NAMES, search_skills: 'find' })).toMatch(
      /more skills: call find$/,
    );
  });

  test('says of one more that it is one', () => {
    expect(describeSkills(visibleOf(skillsCalled('a', 'b')), 40)).toBe('- a\n1 more skill: call search_skills');
  });

  test('pinned skills keep their descriptions where the names of others have to go', () => {
    const skills = numbered(100);
    const lines = linesOf(visibleOf(skills, { pinned: 6 }), 1_500);
    expect(lines.filter(isDescribed)).toEqual(skills.slice(0, 6).map(skillLine));
    expect(lines.filter(isNameOnly).length).toBeGreaterThan(10);
  });

  test('where not all pinned skills can have their descriptions, all have at least their names', () => {
    const lines = linesOf(visibleOf(numbered(100), { pinned: 40 }), 1_500);
    expect(lines.filter(isDescribed).length).toBeGreaterThan(4);
    expect(lines.filter((line) => line.startsWith('- ')).length).toBeGreaterThanOrEqual(40);
  });

  test('says how many skills of the host are not shown, where there is room (D10)', () => {
    const skills = skillsCalled('a');
    expect(linesOf(visibleOf(skills, { native: 3 }), 500).at(-1)).toBe(
      "3 skills of this host's own folders are not shown here",
    );
    expect(linesOf(visibleOf(skills, { native: 1 }), 500).at(-1)).toBe(
      "1 skill of this host's own folders is not shown here",
    );
    expect(describeSkills(visibleOf(skills, { native: 3 }), 50)).toBe('- a (Does a things.)');
    expect(describeSkills(visibleOf([], { native: 3 }), 500)).toBe(
      "(none but the 3 skills of this host's own folders)",
    );
  });

  test('never takes more room than it was given, cuts no line, and counts every skill', () => {
    const text = fc.string({ minLength: 1, maxLength: 260, unit: 'binary' });
    const skill = fc.tuple(text, text).map(([name, description]) => skillValue(`n${name}`, { description }));
    const skills = fc.array(skill, { maxLength: 80 });
    fc.assert(
      fc.property(skills, fc.nat({ max: 80 }), fc.integer({ min: 150, max: 3_000 }), (all, pinned, budget) => {
        const told = describeSkills(visibleOf(all, { pinned: Math.min(pinned, all.length), native: 2 }), budget);
        expect(told.length).toBeLessThanOrEqual(budget);
        if (all.length === 0) return;
        const lines = told.split('\n').filter((line) => !line.startsWith('2 skills of'));
        const shown = lines.filter((line) => line.startsWith('- '));
        for (const [index, line] of shown.entries()) {
          const [whole] = linesOf(visibleOf([all[index] as Skill]), 2_000);
          expect(line === whole || whole?.startsWith(`${line} (`)).toBe(true);
        }
        const hidden = Number(/^(\d+) more skills?: call search_skills$/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
        expect([shown.length + hidden, lines.length]).toEqual([all.length, shown.length + (hidden > 0 ? 1 : 0)]);
      }),
    );
  });
});
