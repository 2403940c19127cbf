// What counts as a change.
import { expect, test } from 'vitest';
import { foundFolder, foundSkill } from '../fixtures/found-folder-value.ts';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import { compareSnapshots } from './compare-snapshots.ts';
import { problemAt } from './found-folder.ts';
import { createSnapshot } from './snapshot.ts';

const FIRST = testRoot('/first');
const SECOND = testRoot('/second');
const issue = { rule: 'empty', severity: 'error', message: 'm', fix: 'f' } as const;
const broken = (root = FIRST, message = 'm') =>
  foundFolder(root, 'x', { problems: [problemAt(root, 'x/SKILL.md', { ...issue, message })] });

test('skills that came, changed and went, each by its URI', () => {
  const [stays, goes] = [foundSkill(FIRST, 'stays'), foundSkill(FIRST, 'goes')];
  const before = createSnapshot([stays, goes, foundSkill(FIRST, 'edited')], []);
  const after = createSnapshot([stays, foundSkill(FIRST, 'comes'), foundSkill(FIRST, 'edited')], []);
  expect(compareSnapshots(before, after)).toMatchObject({
    added: ['skill://comes/SKILL.md'],
    changed: ['skill://edited/SKILL.md'],
    removed: ['skill://goes/SKILL.md'],
    snapshot: after,
  });
});

test('nothing, when every skill and every problem is the same', () => {
  const folders = [foundSkill(FIRST, 'a')];
  const before = createSnapshot([...folders, broken()], []);
  expect(compareSnapshots(before, createSnapshot([...folders, broken()], []))).toBeUndefined();
});

test('a skill that lost its name to another is changed, and so is the one that got it back', () => {
  const [first, second] = [foundSkill(FIRST, 'a', 'pdf'), foundSkill(SECOND, 'b', 'pdf')];
  const alone = createSnapshot([second], []);
  const both = createSnapshot([first, second], []);
  const uri = { first: 'skill://a/SKILL.md', second: 'skill://b/SKILL.md' };
  expect(compareSnapshots(alone, both)).toMatchObject({ added: [uri.first], changed: [uri.second], removed: [] });
  expect(compareSnapshots(both, alone)).toMatchObject({ added: [], changed: [uri.second], removed: [uri.first] });
});

test('a problem that came, went, changed its words or moved to another root is a change without skills', () => {
  const skills = { added: [], changed: [], removed: [] };
  const [none, one] = [createSnapshot([], []), createSnapshot([broken()], [])];
  expect(compareSnapshots(none, one)).toMatchObject(skills);
  expect(compareSnapshots(one, none)).toMatchObject(skills);
  expect(compareSnapshots(one, createSnapshot([broken(FIRST, 'n')], []))).toMatchObject(skills);
  expect(compareSnapshots(one, createSnapshot([broken(SECOND)], []))).toMatchObject(skills);
});
