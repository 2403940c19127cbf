// Any sequence of changes on disk, followed by quiet, ends in what a catalog sees that starts then (F7).
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { applyChange, diskChanges } from './fixtures/disk-change.ts';
import { coldView, fullViewOf, openTestCatalog, openWatchedCatalog } from './fixtures/open-test-catalog.ts';
import { createSkillWorld, SkillWorld } from './fixtures/skill-world.ts';

const SKILLS = ['root/a', 'root/group/d', 'root/a/inner', 'second/a', 'second/z'];

test('watched: equal to a cold scan after the last change', async () => {
  const home = createSkillWorld();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(diskChanges, fc.nat(3), async (changes, pause) => {
      run += 1;
      const world = worldIn(home, String(run));
      const roots = [world.at('root'), world.at('second')];
      const catalog = await openWatchedCatalog(roots);
      for (const change of changes) {
        applyChange(world, change);
        if (pause > 0) await sleep(pause * 9);
      }
      const cold = await coldView(roots);
      await expect.poll(() => fullViewOf(catalog)).toEqual(cold);
      catalog.close();
    }),
    { numRuns: 25 },
  );
});

test('unwatched: each refresh is equal to a cold scan at once', async () => {
  const home = createSkillWorld();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(diskChanges, { minLength: 1, maxLength: 3 }), async (rounds) => {
      run += 1;
      const world = worldIn(home, String(run));
      const roots = [world.at('root'), world.at('second')];
      const catalog = await openTestCatalog(roots);
      for (const changes of rounds) {
        for (const change of changes) applyChange(world, change);
        await catalog.refresh();
        expect(await fullViewOf(catalog)).toEqual(await coldView(roots));
      }
      catalog.close();
    }),
    { numRuns: 60 },
  );
});

function worldIn(home: SkillWorld, name: string): SkillWorld {
  const world = new SkillWorld(home.folder(name));
  for (const skill of SKILLS) world.skill(skill);
  return world;
}
