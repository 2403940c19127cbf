// The index over two starts: taken over where nothing changed, and never instead of what is on the disk now (DESIGN 15).
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../tests/support/patience.ts';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld } from '../catalog/fixtures/skill-world.ts';
import { Corpus } from '../search/corpus.ts';
import { testSkill } from '../skills/fixtures/test-skill.ts';
import { createRuntime } from '../skills/run/runtime.ts';
import { openIndexFile } from './index-file.ts';
import { createKeptRepertoire, type RepertoireOptions } from './repertoire.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const MANY = 100;
const A_DAY_MS = 86_400_000;
/** A word that only one body has. */
const wordOf = (index: number): string =>
  `zork${String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26))}vim`;
const textOf = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Does things with ${name}.\n---\n${body}`;

function manySkills(): SkillWorld {
  const world = createSkillWorld();
  for (let index = 0; index < MANY; index += 1) {
    world.write(`root/s${index}/SKILL.md`, textOf(`s${index}`, `Only here: ${wordOf(index)}.\n`));
  }
  return world;
}

/** One start; `put`: how many skills were indexed until the index answered. */
async function start(
  world: SkillWorld,
  { version = '1.0.0', ...options }: RepertoireOptions & { version?: string } = {},
) {
  const indexFile = openIndexFile(world.at('data'), version, [world.at('root')]);
  const write = vi.spyOn(indexFile, 'write');
  const repertoire = createKeptRepertoire(await openTestCatalog([world.at('root')]), options, { indexFile });
  const put = vi.spyOn(Corpus.prototype, 'put');
  put.mockClear();
  const ask = async (query: string) => (await repertoire.search(query)).map(({ name, why }) => `${name}, ${why}`);
  expect(await ask(wordOf(7))).toEqual([`s7, body: ${wordOf(7)}`]);
  return { ask, put: put.mock.calls.length, write };
}

const filesOf = (world: SkillWorld): readonly string[] =>
  existsSync(world.at('data/remembered')) ? readdirSync(world.at('data/remembered')) : [];

/** A world whose index was kept. */
async function keptWorld() {
  const world = manySkills();
  const { put } = await start(world);
  await expect.poll(() => filesOf(world), { timeout: PATIENCE_MS }).toEqual([expect.stringMatching(/-search\.note$/)]);
  return { world, put, file: join(world.at('data/remembered'), filesOf(world)[0] ?? '') };
}

test('the next start takes the index over and indexes nothing (T13)', async () => {
  const { world, put } = await keptWorld();
  expect(put).toBe(MANY);
  const again = await start(world);
  expect(again.put).toBe(0);
  expect(await again.ask('s42')).toEqual(expect.arrayContaining([expect.stringMatching(/^s42,/)]));
});

test('only its owner may read it (DESIGN 15)', async () => {
  const { world, file } = await keptWorld();
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(statSync(world.at('data/remembered')).mode & 0o077).toBe(0);
});

test('a text that changed meanwhile is indexed again; one that is gone or new counts as it is now (T13)', async () => {
  const { world } = await keptWorld();
  world.write('root/s3/SKILL.md', textOf('s3', 'Only here: medlars.\n'));
  world.write('root/s4/SKILL.md', textOf('s4', `Only here: ${wordOf(4)}.\n`).replace('things', 'hedges'));
  world.write('root/new/SKILL.md', textOf('new', 'Only here: sloes.\n'));
  world.remove('root/s5');
  const { put, ask } = await start(world);
  expect(put).toBe(3);
  const asked = await Promise.all(['medlars', wordOf(3), 'hedges', 'sloes', wordOf(5)].map(ask));
  expect(asked).toEqual([['s3, body: medlars'], [], ['s4, description: hedges'], ['new, body: sloes'], []]);
});

test('typed skills are found beside what was taken over (T13)', async () => {
  const { world } = await keptWorld();
  const runtime = createRuntime({ skills: [testSkill({ name: 'bread_orders', description: 'Orders bread.' })] });
  const { put, ask } = await start(world, { runtime });
  expect(put).toBe(1);
  expect(await ask('bread')).toEqual(['bread_orders, name: bread']);
});

describe('is built anew (DESIGN 15)', () => {
  test('by another version of the program', async () => {
    const { world } = await keptWorld();
    expect((await start(world, { version: '1.0.1' })).put).toBe(MANY);
  });

  test.runIf(process.getuid !== undefined)('when others may read the file', async () => {
    const { world, file } = await keptWorld();
    chmodSync(file, 0o644);
    expect((await start(world)).put).toBe(MANY);
  });

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['changed', (bytes: Buffer) => Buffer.from(bytes).fill(7, bytes.length - 40, bytes.length - 30)],
    ['empty', () => Buffer.alloc(0)],
  ])('when the file is %s', async (_what, spoil) => {
    const { world, file } = await keptWorld();
    writeFileSync(file, spoil(readFileSync(file)));
    expect((await start(world)).put).toBe(MANY);
  });
});

test('where nothing can be written, searches go on (DESIGN 15)', async () => {
  const world = manySkills();
  world.write('data', 'a file in the place of the directory');
  const { ask, write } = await start(world);
  await vi.waitFor(() => expect(write).toHaveBeenCalled(), PATIENCE_MS);
  expect(await ask(wordOf(8))).toEqual([`s8, body: ${wordOf(8)}`]);
});

test('the index of a few skills is not kept: it is built in no time (T13)', async () => {
  const world = createSkillWorld();
  for (let index = 0; index < 20; index += 1)
    world.write(`root/s${index}/SKILL.md`, textOf(`s${index}`, `${wordOf(index)}`));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { write } = await start(world);
  vi.advanceTimersByTime(A_DAY_MS);
  expect(write).not.toHaveBeenCalled();
});
