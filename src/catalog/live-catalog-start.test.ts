// How a catalog starts for a host that asks for nothing yet: it looks inside skills and begins to watch in one pass.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { getSkill, openUnaskedCatalog } from './fixtures/open-test-catalog.ts';
import { createSkillWorld } from './fixtures/skill-world.ts';
import { contentOf } from './view/skill.ts';

/** What a regular rescan would find in the end must be found without it. */
const NEVER_MS = 100_000_000;

test('folders are watched as soon as all skills are known (D6)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const catalog = await openUnaskedCatalog([world.at('root')], { rescanMs: NEVER_MS });
  await expect.poll(() => catalog.isWhole).toBe(true);
  expect(catalog.roots[0]?.watching).toBe('watched');
  world.skill('root/a/inner');
  await expect.poll(() => catalog.current.findByName('inner')).toBeDefined();
});

test('a text that looks half written when watching begins is served once its writer rests (F8)', async () => {
  const world = createSkillWorld();
  world.skill('root/a', { body: '# First step\n' });
  const catalog = await openUnaskedCatalog([world.at('root')], { rescanMs: NEVER_MS });
  const skill = getSkill(catalog, 'a');
  writeFileSync(skill.filePath, skill.bytes.subarray(0, -3));
  await catalog.live;
  await expect.poll(() => contentOf(getSkill(catalog, 'a'))).toMatch(/First st$/);
});

test('what comes, goes and is written before folders are watched is served as it is then', async () => {
  const world = createSkillWorld();
  for (const skill of ['root/gone', 'root/kept', 'root/group/old']) world.skill(skill);
  world.write('root/kept/notes/one.md', 'one');
  const catalog = await openUnaskedCatalog([world.at('root')], { rescanMs: NEVER_MS });
  world.remove('root/gone');
  world.skill('root/group/new');
  world.write('root/kept/notes/two.md', 'two');
  world.write('root/kept/notes/one.md', 'changed');
  await catalog.live;
  expect(catalog.current.skills.map(({ name }) => name)).toEqual(['kept', 'new', 'old']);
  const files = catalog.manifestOf(getSkill(catalog, 'kept')).files.map(({ path, size }) => [path, size]);
  expect(files).toEqual([
    ['SKILL.md', expect.any(Number)],
    ['notes/one.md', 7],
    ['notes/two.md', 3],
  ]);
});
