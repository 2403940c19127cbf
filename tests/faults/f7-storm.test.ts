// F7: the list is right after any storm of changes, equal to a cold scan within 5 s of quiet.

import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { coldView, fullViewOf, openWatchedCatalog } from '../../src/catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import { skipAloud } from '../support/skip-aloud.ts';
import { startMcp } from './mcp-process.ts';

const QUIET = { timeout: 5_000, interval: 50 };

describe('after a storm (F7)', () => {
  test('of 400 creations, edits, renames and deletions the catalog equals a cold scan', async () => {
    const seed = Date.now() % 1_000_000;
    const random = createRandom(seed);
    const world = createSkillWorld();
    for (let index = 0; index < 30; index += 1) world.skill(`root/g${index % 3}/s${index}`);
    const catalog = await openWatchedCatalog([world.at('root')]);
    for (let index = 0; index < 400; index += 1) {
      changeSomething(world, random);
      if (random() < 0.1) await sleep(random() * 15);
    }
    const cold = await coldView([world.at('root')]);
    await vi.waitFor(async () => expect(await fullViewOf(catalog), `seed ${seed}`).toEqual(cold), QUIET);
    expect(cold.skills.length).toBeGreaterThan(0);
  });

  test('in which the root was removed and made anew, several times, changes are still seen', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openWatchedCatalog([world.at('root')]);
    for (let index = 0; index < 6; index += 1) {
      world.remove('root');
      if (index % 2 === 0) await sleep(index * 12);
      world.skill('root/a', { body: `life ${index}\n` });
      world.skill(`root/b${index}`);
    }
    const expectFresh = async () => {
      const cold = await coldView([world.at('root')]);
      await vi.waitFor(async () => expect(await fullViewOf(catalog)).toEqual(cold), QUIET);
    };
    await expectFresh();
    world.skill('root/b5', { body: 'edited afterwards\n' });
    world.skill('root/late/c');
    await expectFresh();
    expect(catalog.current.findByName('c')).toBeDefined();
  });
});

// Each user namespace has its own limit, which its owner may lower. Not every machine allows making one.
const LIMITED = ['unshare', '-Ur'];
const FEW_WATCHERS = 'echo 12 > /proc/sys/user/max_inotify_watches';
const canLimit = spawnSync('sh', ['-c', '"$@"', 'sh', ...LIMITED, 'sh', '-c', FEW_WATCHERS]).status === 0;

test('where the watchers run out, changes are seen within 5 s all the same (F7)', async (context) => {
  skipAloud(
    context,
    !canLimit,
    'this machine allows no user namespace, in which alone watchers can be made to run out',
  );
  const world = createSkillWorld();
  for (let index = 0; index < 40; index += 1) world.skill(`root/s${index}`);
  const server = await startMcp(['--root', world.at('root')], FEW_WATCHERS, LIMITED);
  await server.call('list_skills', {});
  // Long enough for it to watch what it can.
  await sleep(600);
  for (let index = 0; index < 40; index += 1) world.skill(`root/s${index}`, { body: 'edited\n' });
  world.skill('root/new');
  await vi.waitFor(async () => {
    for (const name of ['s0', 's20', 's39']) expect((await server.call('skill', { name })).text).toContain('edited');
    expect((await server.call('skill', { name: 'new' })).text).toContain('Loading: new');
  }, QUIET);
});

function changeSomething(world: SkillWorld, random: () => number): void {
  const pick = () => `root/g${Math.floor(random() * 4)}/s${Math.floor(random() * 40)}`;
  const [one, other] = [pick(), pick()];
  const kind = random();
  if (kind < 0.35) world.skill(one, { body: `body ${random()}\n` });
  else if (kind < 0.5) world.remove(one);
  else if (kind < 0.6) world.write(`${one}/notes.md`, String(random()));
  else if (kind < 0.62) world.remove(one.slice(0, 'root/g0'.length));
  else if (existsSync(world.at(one)) && one !== other) {
    world.remove(other);
    world.folder(other.slice(0, 'root/g0'.length));
    renameSync(world.at(one), world.at(other));
  }
}
