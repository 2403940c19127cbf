// F7: the list is right after any storm of changes, equal to a cold scan. How soon is judged by `npm run faults`.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { coldView, fullViewOf, openWatchedCatalog } from '../../src/catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import { skipAloud } from '../support/skip-aloud.ts';
import { areSeen, canLimitWatchers, NO_NAMESPACE, startWithFewWatchers, writeManySkills } from './few-watchers.ts';
import { changeAtRandom } from './skill-storm.ts';

/** Without the regular look at everything: what is seen was watched. */
const WATCHED = { rescanMs: 3_600_000 };

describe('after a storm (F7)', () => {
  test('of 400 creations, edits, renames and deletions the catalog equals a cold scan', async () => {
    const seed = Date.now() % 1_000_000;
    const random = createRandom(seed);
    const world = createSkillWorld();
    for (let index = 0; index < 30; index += 1) world.skill(`root/g${index % 3}/s${index}`);
    const catalog = await openWatchedCatalog([world.at('root')], WATCHED);
    await changeAtRandom(world, random, 400);
    const cold = await coldView([world.at('root')]);
    await expect.poll(() => fullViewOf(catalog), { message: `seed ${seed}` }).toEqual(cold);
    expect(cold.skills.length).toBeGreaterThan(0);
  });

  test('in which the root was removed and made anew, several times, changes are still seen', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openWatchedCatalog([world.at('root')], WATCHED);
    for (let index = 0; index < 6; index += 1) {
      world.remove('root');
      if (index % 2 === 0) await sleep(index * 12);
      world.skill('root/a', { body: `life ${index}\n` });
      world.skill(`root/b${index}`);
    }
    const expectFresh = async () => {
      const cold = await coldView([world.at('root')]);
      await expect.poll(() => fullViewOf(catalog)).toEqual(cold);
    };
    await expectFresh();
    world.skill('root/b5', { body: 'edited afterwards\n' });
    world.skill('root/late/c');
    await expectFresh();
    expect(catalog.current.findByName('c')).toBeDefined();
  });
});

test('where the watchers run out, changes are seen all the same (F7)', async (context) => {
  skipAloud(context, !canLimitWatchers(), NO_NAMESPACE);
  const world = createSkillWorld();
  writeManySkills(world, 'first');
  const server = await startWithFewWatchers(world);
  onTestFinished(server.kill);
  // The first one may be seen by the look with which watching begins.
  for (const body of ['second', 'third']) {
    writeManySkills(world, body);
    await expect.poll(() => areSeen(server, body)).toBe(true);
  }
  world.skill('root/new');
  await expect.poll(async () => (await server.call('skill', { name: 'new' })).text).toContain('Loading: new');
});
