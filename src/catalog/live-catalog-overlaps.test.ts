// A skill that one root or path does not serve, and another does: too deep, in a root itself, below node_modules (D2).
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { namesIn, openTestCatalog, rulesIn } from './fixtures/open-test-catalog.ts';
import { createSkillWorld } from './fixtures/skill-world.ts';

test('a catalog serves a skill that lies too deep in one root from another root that is nearer, without a word (D2)', async () => {
  const world = createSkillWorld();
  world.skill('root/1/2/3/4/5/6/seven');
  const catalog = await openTestCatalog([world.at('root'), world.at('root/1/2')]);
  expect(namesIn(catalog)).toEqual(['seven']);
  expect(rulesIn(catalog)).toEqual([]);
});

test('a catalog serves a skill whose folder is a root, too, from the root around it (D2)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const catalog = await openTestCatalog([world.at('root/a'), world.at('root')]);
  expect(namesIn(catalog)).toEqual(['a']);
  expect(rulesIn(catalog)).toEqual([]);
});

test('a catalog serves a skill below node_modules of another skill, when that folder is a root itself (D2)', async () => {
  const world = createSkillWorld();
  world.skill('root/outer');
  world.skill('root/outer/node_modules/package');
  world.link('root/outer/node_modules/package/broken', 'nowhere');
  const catalog = await openTestCatalog([world.at('root'), world.at('root/outer/node_modules')]);
  expect(namesIn(catalog)).toEqual(['outer', 'package']);
  expect(rulesIn(catalog)).toEqual(['link-broken package/broken']);
});

test.each(['0', 'z'])(
  'a catalog serves a skill that lies too deep by a link nearer to the root: %s (D2)',
  async (name) => {
    const world = createSkillWorld();
    world.skill('root/1/2/3/4/5/6/seven');
    world.link(`root/${name}`, world.at('root/1/2/3/4/5/6/seven'));
    const catalog = await openTestCatalog([world.at('root')]);
    expect(namesIn(catalog)).toEqual(['seven']);
    expect(rulesIn(catalog)).toEqual([`name-folder-mismatch ${name}/SKILL.md`]);
  },
);

test('a catalog reports a skill that lies too deep, until it is moved up (D2)', async () => {
  const world = createSkillWorld();
  world.skill('root/1/2/3/4/5/6/seven');
  const catalog = await openTestCatalog([world.at('root')]);
  expect(rulesIn(catalog)).toEqual(['too-deep 1/2/3/4/5/6/seven/SKILL.md']);
  renameSync(world.at('root/1/2/3/4/5/6/seven'), world.at('root/1/seven'));
  await catalog.refresh();
  expect(rulesIn(catalog)).toEqual([]);
  expect(namesIn(catalog)).toEqual(['seven']);
});
