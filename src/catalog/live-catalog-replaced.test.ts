// Folders that are put in the place of others, as `mv` and installers do it (D6).
import { renameSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { getSkill, openTestCatalog, openWatchedCatalog, type TestCatalog } from './fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld } from './fixtures/skill-world.ts';
import { contentOf } from './view/skill.ts';

/** What a regular rescan would find in the end must be found without it. */
const NEVER_MS = 100_000_000;
const LONG_AGO = new Date(Date.now() - 60_000);

/** As `mv at aside; mv other at`. */
function swap(world: SkillWorld, at: string, other: string): void {
  renameSync(world.at(at), world.at(`${at}-aside`));
  renameSync(world.at(other), world.at(at));
}

const textOf = (catalog: TestCatalog, name: string) => contentOf(getSkill(catalog, name));

test('a root that is replaced is served as it is now', async () => {
  const world = createSkillWorld();
  world.skill('root/group/a', { body: 'before\n' });
  world.skill('other/group/a', { body: 'after, and longer\n' });
  const catalog = await openWatchedCatalog([world.at('root')], { rescanMs: NEVER_MS });
  swap(world, 'root', 'other');
  await expect.poll(() => textOf(catalog, 'a')).toContain('after');
});

test('the target of a linked category that is replaced is served as it is now', async () => {
  const world = createSkillWorld();
  world.skill('outside/cat/group/a', { body: 'before\n' });
  world.skill('outside/other/group/a', { body: 'after, and longer\n' });
  world.link('root/cat', '../outside/cat');
  const options = { allowLinks: [world.at('outside')], rescanMs: NEVER_MS };
  const catalog = await openWatchedCatalog([world.at('root')], options);
  swap(world, 'outside/cat', 'outside/other');
  await expect.poll(() => textOf(catalog, 'a')).toContain('after');
});

test('a folder that is replaced before the watchers are there is served with its own files', async () => {
  const world = createSkillWorld();
  for (const [folder, file] of [
    ['root/a', 'before'],
    ['other', 'after'],
  ] as const) {
    world.skill(folder, { name: 'a' });
    const path = world.write(`${folder}/docs/deep/${file}.md`, file);
    for (const each of [path, dirname(path), world.at(`${folder}/docs`), world.at(folder)]) {
      utimesSync(each, LONG_AGO, LONG_AGO);
    }
  }
  const catalog = await openTestCatalog([world.at('root')], { watch: true, rescanMs: NEVER_MS });
  swap(world, 'root/a', 'other');
  const paths = () => catalog.manifestOf(getSkill(catalog, 'a')).files.map(({ path }) => path);
  await expect.poll(() => paths()).toEqual(['SKILL.md', 'docs/deep/after.md']);
});
