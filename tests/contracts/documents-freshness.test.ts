// What changes on disk is seen, whole, and a skill that turned bad keeps its last good text (D6, D8).
import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listSkills, loadContent, namesOf } from '../support/document-tools.ts';
import type { RawClient } from '../support/raw-client.ts';
import { World } from '../support/world.ts';
import { skillText, write, writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World({ apart: true });
});
afterEach(() => world.close());

/** Without the regular look at everything: what is seen was seen by watching. How soon is measured by the bench, fresh. */
const serveWatching = (): Promise<RawClient> => world.serve({ args: ['--rescan', '86400'] });
const refreshes = (client: RawClient) => client.stderr.split('\n').filter((line) => line.includes('Refreshed'));
const availabilityOf = async (client: RawClient, name: string) =>
  (await listSkills(client)).skills.find((skill) => skill.name === name)?.availability;

test('skills that are added, edited, renamed and removed are seen by watching (D6, D8)', async () => {
  writeSkill(world.skills, 'first');
  const client = await serveWatching();
  expect(await namesOf(client)).toEqual(['first']);

  writeSkill(world.skills, 'group/second');
  await expect.poll(() => namesOf(client)).toEqual(['first', 'second']);
  const edited = writeSkill(world.skills, 'first', { body: 'edited' });
  await expect.poll(() => loadContent(client, 'first')).toBe(edited);
  writeSkill(world.skills, 'first', { name: 'renamed' });
  await expect.poll(() => namesOf(client)).toEqual(['renamed', 'second']);
  rmSync(join(world.skills, 'group'), { recursive: true });
  await expect.poll(() => namesOf(client)).toEqual(['renamed']);
});

test('a root that appears, goes and comes back is seen (D6)', async () => {
  const client = await serveWatching();
  expect(await namesOf(client)).toEqual([]);
  writeSkill(world.skills, 'late');
  await expect.poll(() => namesOf(client)).toEqual(['late']);
  rmSync(join(world.project, '.agents'), { recursive: true });
  await expect.poll(() => namesOf(client)).toEqual([]);
  writeSkill(world.skills, 'again');
  await expect.poll(() => namesOf(client)).toEqual(['again']);
});

test('a supporting file that is added or edited is served as it now is (D6)', async () => {
  writeSkill(world.skills, 'with-file');
  const client = await serveWatching();
  await listSkills(client);
  const read = async () =>
    JSON.stringify(await callTool(client, 'read_skill_file', { skill: 'with-file', path: 'a.txt' }));
  write(join(world.skills, 'with-file/a.txt'), 'one');
  await expect.poll(read).toContain('one');
  write(join(world.skills, 'with-file/a.txt'), 'two');
  await expect.poll(read).toContain('two');
});

test('each refresh that changed something is one line on stderr, and one that changed nothing is none (D6)', async () => {
  writeSkill(world.skills, 'steady');
  const client = await serveWatching();
  await listSkills(client);
  for (let touch = 0; touch < 5; touch += 1) {
    utimesSync(join(world.skills, 'steady/SKILL.md'), new Date(), new Date());
    // Looked at alone, unless this machine is very busy.
    await sleep(100);
  }
  for (const version of ['one', 'two', 'three']) {
    writeSkill(world.skills, 'steady', { body: version });
    await expect.poll(() => loadContent(client, 'steady')).toContain(version);
  }
  // The lines come in the order of the refreshes: one of a touch, or a second one of a change, would stand before the last.
  await expect.poll(() => refreshes(client).length).toBeGreaterThanOrEqual(3);
  expect(refreshes(client).map((line) => /\d+ changed/.exec(line)?.[0])).toEqual(Array(3).fill('1 changed'));
});

test('no listing is ever half-filled while a folder is renamed back and forth (D6)', async () => {
  const steady = Array.from({ length: 150 }, (_, index) => `steady-${String(index).padStart(3, '0')}`);
  for (const name of steady) writeSkill(world.skills, name);
  writeSkill(world.skills, 'restless');
  const [here, there] = [join(world.skills, 'restless'), join(world.skills, 'elsewhere')];
  const client = await world.serve();
  for (let round = 0; round < 60; round += 1) {
    renameSync(round % 2 === 0 ? here : there, round % 2 === 0 ? there : here);
    const names = await namesOf(client);
    expect(names.filter((name) => name !== 'restless')).toEqual(steady);
    await sleep(5);
  }
});

/** Far below the 300 ms after which a text that breaks off is believed all the same. */
const HELD_UP_MS = 100;

test('a SKILL.md written in pieces is never served in part (D6, F8)', async () => {
  const whole = (version: number) => skillText({ name: 'slow', body: `${`v${version} `.repeat(20_000)}end\n` });
  const path = write(join(world.skills, 'slow/SKILL.md'), whole(0));
  const client = await world.serve();
  const wholes = new Set([whole(0)]);
  for (let version = 1; version <= 6; version += 1) {
    wholes.add(whole(version));
    const served: string[] = [];
    const pauseMs = await writeInPieces(path, whole(version), async () => {
      served.push(await loadContent(client, 'slow'));
    });
    // A writer that this machine held up left a half text for so long that nothing tells it from a whole one.
    if (pauseMs <= HELD_UP_MS) expect(served.filter((text) => !wholes.has(text))).toEqual([]);
    await expect.poll(() => loadContent(client, 'slow')).toBe(whole(version));
  }
});

/** Answers for how long the file was left alone at most. */
async function writeInPieces(path: string, text: string, meanwhile: () => Promise<void>): Promise<number> {
  const pauses: number[] = [];
  let left = performance.now();
  writeFileSync(path, '');
  for (let at = 0; at < text.length; at += 6_000) {
    const begun = performance.now();
    writeFileSync(path, text.slice(at, at + 6_000), { flag: 'a' });
    pauses.push(performance.now() - left);
    left = begun;
    await meanwhile();
    await sleep(15);
  }
  return Math.max(...pauses);
}

const spoilings: readonly (readonly [string, (file: string) => void])[] = [
  ['loses its frontmatter', (file) => writeFileSync(file, 'nothing of the kind\n')],
  ['becomes empty', (file) => writeFileSync(file, '')],
  ['stops being UTF-8', (file) => writeFileSync(file, Buffer.from([0x2d, 0xff, 0xfe]))],
  ['grows to 3 MB', (file) => replaceFile(file, skillText({ name: 'held', body: 'x'.repeat(3_000_000) }))],
  ['loses its name', (file) => writeFileSync(file, '---\ndescription: d\n---\n')],
];

/** At once: a writer of megabytes that this machine holds up would leave a text that only looks whole. */
function replaceFile(file: string, text: string): void {
  const aside = write(join(world.path, 'aside'), text);
  renameSync(aside, file);
}

test.each(spoilings)(
  'a good skill that %s keeps its last good text as a fallback until it is fixed (D8)',
  async (_how, spoil) => {
    const good = writeSkill(world.skills, 'held', { body: 'good' });
    const client = await world.serve();
    expect(await availabilityOf(client, 'held')).toBe('available');
    spoil(join(world.skills, 'held/SKILL.md'));
    await expect.poll(() => availabilityOf(client, 'held')).toBe('fallback');
    expect(await loadContent(client, 'held')).toBe(good);
    expect((await listSkills(client)).problems.map((problem) => problem.path)).toContain('held/SKILL.md');
    const fixed = writeSkill(world.skills, 'held', { body: 'fixed' });
    await expect.poll(() => loadContent(client, 'held')).toBe(fixed);
    await expect.poll(() => availabilityOf(client, 'held')).toBe('available');
  },
);

test('a good skill that turns unreadable keeps its last good text as a fallback (D8)', async () => {
  const good = writeSkill(world.skills, 'locked');
  const client = await world.serve({ unprivileged: true });
  expect(await availabilityOf(client, 'locked')).toBe('available');
  chmodSync(join(world.skills, 'locked/SKILL.md'), 0);
  await expect.poll(() => availabilityOf(client, 'locked')).toBe('fallback');
  expect(await loadContent(client, 'locked')).toBe(good);
  expect((await listSkills(client)).problems.map((problem) => problem.path)).toContain('locked/SKILL.md');
});

test('a SKILL.md that gives way to a directory keeps its last good text or goes, but is never an error (D8)', async () => {
  const good = writeSkill(world.skills, 'turned');
  writeSkill(world.skills, 'other');
  const client = await world.serve();
  await listSkills(client);
  rmSync(join(world.skills, 'turned/SKILL.md'));
  mkdirSync(join(world.skills, 'turned/SKILL.md'));
  await expect.poll(async () => (await availabilityOf(client, 'turned')) === 'available').toBe(false);
  if ((await availabilityOf(client, 'turned')) === 'fallback') expect(await loadContent(client, 'turned')).toBe(good);
  expect(await availabilityOf(client, 'other')).toBe('available');
});

test('deleted skills go away, also when only their SKILL.md was deleted (D8)', async () => {
  writeSkill(world.skills, 'whole-folder');
  writeSkill(world.skills, 'only-file');
  write(join(world.skills, 'only-file/notes.txt'), 'stays');
  const client = await world.serve();
  expect(await namesOf(client)).toEqual(['only-file', 'whole-folder']);
  rmSync(join(world.skills, 'whole-folder'), { recursive: true });
  rmSync(join(world.skills, 'only-file/SKILL.md'));
  await expect.poll(() => namesOf(client)).toEqual([]);
});
