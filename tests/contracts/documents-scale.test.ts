// A hundred large skills in little memory, and ten thousand at all (D7).
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntilQuiet } from '../../bench/process-stats.ts';
import { type ListedSkill, listSkills, loadContent } from '../support/document-tools.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { residentMegabytes } from '../support/process-statistics.ts';
import type { RawClient } from '../support/raw-client.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World({ apart: true });
});
afterEach(() => world.close());

// The contract says "~10 MB"; between two starts of the same empty server the resident set itself differs by some MB.
const promisedMegabytes = 10;
const marginMegabytes = 8;

/** What a server of this root needs once its start has come to rest: the lower of two, as noise only adds. */
async function restingMegabytes(root: string): Promise<number> {
  const measured: number[] = [];
  for (let start = 0; start < 2; start += 1) {
    const client = await world.serve({ args: ['--root', root] });
    const { skills } = await listSkills(client);
    // Their digests are the bulk of what it does in the background: an answer with all of them has them done.
    const answer = await client.request('skills/list');
    expect(answer.result?.skills).toHaveLength(skills.length);
    await waitUntilQuiet(client.pid, PATIENCE_MS);
    measured.push(residentMegabytes(client.pid));
    await client.stop();
  }
  return Math.min(...measured);
}

test('100 skills of 100 KB stay within about 10 MB beyond an empty server (D7)', async () => {
  const full = join(world.path, 'full');
  const body = 'A line of instructions that an agent would read.\n'.repeat(2050);
  for (let index = 0; index < 100; index += 1) writeSkill(full, `skill-${index}`, { body });
  const floor = await restingMegabytes(join(world.path, 'empty'));
  const used = (await restingMegabytes(full)) - floor;
  console.log(`100 skills x 100 KB: ${used.toFixed(1)} MB beyond the floor of ${floor.toFixed(1)} MB`);
  expect(used).toBeLessThan(promisedMegabytes + marginMegabytes);
});

// How soon the first answer comes and a change is seen is timed where floors stand beside it: `npm run bench`, start and fresh.
test('10,000 skills are listed page by page, each can be loaded, a new one shows up, and memory stays below 260 MB (D7, T2, F9)', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `skill-${String(index).padStart(5, '0')}`);
  for (const [index, name] of names.entries()) writeSkill(world.skills, `group-${index % 100}/${name}`);
  const client = await world.serve();
  const listed = await everyPage(client);
  expect(listed.map((skill) => skill.name).sort()).toEqual(names);
  expect(await loadContent(client, 'skill-09999')).toContain('# skill-09999');
  writeSkill(world.skills, 'group-7/added-late');
  await expect.poll(() => loadContent(client, 'added-late')).toContain('# added-late');
  expect(residentMegabytes(client.pid)).toBeLessThan(260);
});

async function everyPage(client: RawClient): Promise<readonly ListedSkill[]> {
  const skills: ListedSkill[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listSkills>> = await listSkills(
      client,
      cursor === null ? { limit: 1000 } : { limit: 1000, cursor },
    );
    skills.push(...page.skills);
    cursor = page.next_cursor;
  } while (cursor !== null && skills.length < 20_000);
  return skills;
}
