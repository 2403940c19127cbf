import { expect, test } from 'vitest';
import { findUpkeep, type KeptSkill, type UpkeepFacts } from './upkeep.ts';

const kept = (name: string, more: Partial<KeptSkill> = {}): KeptSkill => ({
  kind: 'document',
  name,
  uri: `skill://${name}/SKILL.md`,
  tokens: 500,
  uses: 3,
  isNew: false,
  ...more,
});

const find = (skills: readonly KeptSkill[], more: Partial<UpkeepFacts> = {}) =>
  findUpkeep({ skills, window: '30d', hasUses: true, duplicates: [], unfound: new Map(), twice: new Map(), ...more });

const told = (skills: readonly KeptSkill[], more: Partial<UpkeepFacts> = {}) =>
  find(skills, more).map(({ rule, skill }) => `${rule} ${skill.name}`);

test('skills that are used and short need nothing', () => {
  expect(find([kept('a'), kept('b'), kept('c', { kind: 'typed', uri: undefined })])).toEqual([]);
});

test('a skill without uses is told, of both kinds; nothing is said where no uses are known', () => {
  const skills = [kept('a', { uses: 0 }), kept('b'), kept('c', { kind: 'typed', uri: undefined, uses: 0 })];
  expect(told(skills)).toEqual(['never-used a', 'never-used c']);
  expect(find(skills)[1]?.message).toBe('"c" was not invoked in the last 30 days');
  expect(told(skills, { hasUses: false })).toEqual([]);
});

test('a skill that came within the window is not told as unused', () => {
  expect(told([kept('a', { uses: 0, isNew: true }), kept('b', { uses: 0 }), kept('c')])).toEqual(['never-used b']);
});

test('of near-duplicates the most used one is kept', () => {
  const [finding] = find([kept('a', { uses: 1 }), kept('b', { uses: 9 })], {
    duplicates: [{ members: [0, 1], similarity: 0.836 }],
  });
  expect(finding).toMatchObject({
    rule: 'near-duplicate',
    skill: { name: 'b' },
    others: [{ name: 'a' }],
    message: '"b" and "a" say nearly the same (83 %): agents cannot tell which one to load',
    fix: 'Keep "b", which is used most, and remove what it repeats or leave it out with --without',
    command: ['show', 'skill://a/SKILL.md'],
  });
});

test('a skill is too long above 5,000 tokens, or where a shorter one costs a quarter of all that is read', () => {
  const skills = ['a', 'b', 'c', 'd'].map((name) => kept(name));
  expect(told([...skills, kept('long', { tokens: 5_001 })])).toEqual(['too-long long']);
  expect(told([...skills, kept('fits', { tokens: 5_000 })])).toEqual([]);
  const costly = kept('costly', { tokens: 2_500, uses: 40 });
  expect(find([...skills, costly]).map(({ message }) => message)).toEqual([
    '"costly" takes about 2,500 tokens each time it is read: 100,000 for 40 uses in the last 30 days',
  ]);
  expect(told([...skills, { ...costly, uses: 9 }])).toEqual([]);
});

test('hosts that have a copy are named, the first three of many', () => {
  const twice = new Map([[0, { hosts: ['A', 'B', 'C', 'D', 'E'], isSame: false }]]);
  expect(find([kept('a')], { twice })[0]?.message).toBe(
    'A, B, C, 2 other hosts have another version of "a" in their own folder: agents there see both',
  );
});

test('what a search for its description does not show is told with what comes instead', () => {
  const [finding] = find([kept('a')], { unfound: new Map([[0, ['x', 'y']]]) });
  expect(finding).toMatchObject({ rule: 'never-found', command: ['search', 'a'] });
  expect(finding?.message).toContain('it finds "x", "y" first');
});
