// What changes while a note is taken is not noted as if it had been seen (DESIGN 15).
import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCold, startFrom } from '../fixtures/remembered-start.ts';
import { createSkillWorld } from '../fixtures/skill-world.ts';

/** File times are believed when they are older than a blink. */
const settle = () => sleep(60);

async function oldWorld() {
  const world = createSkillWorld();
  for (const skill of ['root/group/d', 'root/group/e', 'spare/group/d']) world.skill(skill);
  world.write('spare/group/d/notes/one.md', 'of the spare one');
  await settle();
  const request = { data: world.at('data'), roots: [world.at('root')] };
  const swap = (path: string) => {
    renameSync(world.at(`root/${path}`), world.at('aside'));
    renameSync(world.at(`spare/${path}`), world.at(`root/${path}`));
  };
  return { world, request, swap };
}

test.each([
  ['group', 0],
  ['group', 60],
  ['group/d', 0],
  ['group/d', 60],
])('%s is swapped for another folder, whose contents show no change, %i ms before', async (path, ms) => {
  const { request, swap } = await oldWorld();
  const meanwhile = () => {
    swap(path);
    return sleep(ms);
  };
  await startFrom({ ...request, meanwhile });
  expect((await startFrom(request)).view).toEqual(await startCold(request.roots));
});

test('a folder above the root is swapped for another', async () => {
  const { world } = await oldWorld();
  const request = { data: world.at('data'), roots: [world.at('root/group')] };
  const meanwhile = () => {
    renameSync(world.at('root'), world.at('aside'));
    renameSync(world.at('spare'), world.at('root'));
  };
  await startFrom({ ...request, meanwhile });
  expect((await startFrom(request)).view).toEqual(await startCold(request.roots));
});

test('a skill that comes meanwhile costs the next start no more than itself', async () => {
  const { world, request } = await oldWorld();
  const meanwhile = () => {
    world.skill('root/new');
    return settle();
  };
  await startFrom({ ...request, meanwhile });
  const { view, misses } = await startFrom(request);
  expect(view).toEqual(await startCold(request.roots));
  // The root, the new folder and its text.
  expect(misses).toBe(3);
});
