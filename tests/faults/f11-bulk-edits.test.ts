// Thousands of edits at once: the server goes on answering, and ends when it is told to (F11, D6).
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

const COUNT = 1_500;
let world: World;

beforeEach(() => {
  world = new World({ apart: true });
  for (let index = 0; index < COUNT; index += 1) writeSkill(world.skills, `s${index}`);
});
afterEach(() => world.close());

test('while 1,500 skills are emptied at once every ping is answered within a second, and SIGTERM ends it (F11)', async () => {
  const client = await world.serve();
  await client.request('tools/call', { name: 'list_skills', arguments: { limit: 1 } });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (let index = 0; index < COUNT; index += 1) writeFileSync(`${world.skills}/s${index}/SKILL.md`, '');
  let slowest = 0;
  for (const end = performance.now() + 2_500; performance.now() < end; ) {
    const asked = performance.now();
    await client.request('ping', {});
    slowest = Math.max(slowest, performance.now() - asked);
  }
  expect(slowest).toBeLessThan(1_000);
  const told = performance.now();
  client.kill('SIGTERM');
  expect(await client.exited).toMatchObject({ code: 0 });
  expect(performance.now() - told).toBeLessThan(3_000);
});
