// F15: same input, same answer. Twenty cold scans of the same skills, made on disk in another order each time.
import { mkdirSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fullViewOf, openTestCatalog, testRoot } from '../../src/catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, SkillWorld } from '../../src/catalog/fixtures/skill-world.ts';

type Step = (world: SkillWorld) => void;

/** Duplicates, look-alikes, nested skills, links and bad files: everything of which only one can win. */
const STEPS: readonly Step[] = [
  ...['a/pdf', 'b/pdf', 'pdf', 'B/PDF', 'z'].map(
    (path): Step =>
      (world) =>
        world.skill(`one/${path}`, { name: 'pdf' }),
  ),
  ...['é', '🎉', '\uff21', 'Zed', 'zed', 'ZED'].map(
    (path): Step =>
      (world) =>
        world.skill(`one/${path}`),
  ),
  (world) => world.skill('one/fake', { name: 'рdf' }),
  (world) => world.skill('two/pdf'),
  (world) => world.skill('two/a/pdf', { name: 'other' }),
  (world) => world.skill('two/outer/inner'),
  (world) => world.skill('two/outer'),
  (world) => world.skill('two/case', { file: 'skill.md', name: 'lower' }),
  (world) => world.skill('two/case', { file: 'SKILL.MD', name: 'upper' }),
  (world) => world.write('two/bad/SKILL.md', ''),
  (world) => world.link('one/alias1', '../two/outer'),
  (world) => world.link('one/alias2', '../two/outer'),
  (world) => world.link('two/broken', 'nothing'),
  (world) => world.write('two/outer/notes.md', 'notes'),
];

test('the answer does not depend on the order in which the disk lists files (F15, D5)', async () => {
  const world = createSkillWorld();
  const answers = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    mkdirSync(world.at('build'));
    const build = new SkillWorld(world.at('build'));
    for (const step of shuffle(STEPS, round)) step(build);
    // Always the same path: it is part of the answer.
    renameSync(world.at('build'), world.at('now'));
    const roots = ['one', 'two'].map((name) => testRoot(world.at(`now/${name}`)));
    const catalog = await openTestCatalog(roots);
    const folders = ['pdf', 'PDF', 'zed', 'outer', 'case', 'alias1'].map((name) => catalog.current.findFolder(name));
    const view = { ...(await fullViewOf(catalog)), folders };
    answers.add(JSON.stringify(view, (key, value) => (key === 'lastLoaded' ? undefined : value)));
    catalog.close();
    world.remove('now');
  }
  expect(answers.size).toBe(1);
  expect(JSON.parse([...answers][0] ?? '{}').skills.length).toBeGreaterThan(10);
});

/** Rounds 0 and 1 are in order and backwards; the others in orders that depend on the round alone. */
function shuffle<T>(items: readonly T[], round: number): T[] {
  if (round < 2) return round === 0 ? [...items] : [...items].reverse();
  const keyed = items.map((item, index) => ({ item, key: ((index + 1) * (round * 7_919 + 13)) % 1_009 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
