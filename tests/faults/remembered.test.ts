// Starts that remember, in processes of their own: killed, side by side, and where nothing can be kept (DESIGN 15).
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { createSkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import { startMcp } from './mcp-process.ts';
import { killWriters, startSideBySide } from './remembering-processes.ts';

test('a writer that is killed leaves a whole note, and what it leaves besides goes', async () => {
  const killed = await killWriters(createSkillWorld().path, { rounds: 6, random: createRandom(1) });
  expect(killed.halfWritten).toBeGreaterThanOrEqual(2);
  expect(killed.notRenamed).toBeGreaterThanOrEqual(1);
});

test('processes that start side by side while skills change leave nothing wrong behind', async () => {
  const { starts } = await startSideBySide(createSkillWorld().path, { rounds: 5, random: createRandom(2) }, 2);
  expect(starts).toBeGreaterThan(2);
});

describe('the program serves all skills, twice, where nothing can be kept:', () => {
  const places: readonly (readonly [string, string, readonly string[]])[] = [
    ['HOME is not set', 'unset HOME', []],
    ['HOME is empty', 'HOME=', []],
    ['HOME is a file', 'HOME=$PWD/file', []],
    ['HOME is a device', 'HOME=/dev/null', []],
    ['the data directory is a link in a circle', ':', ['--data', 'circle']],
    ['the data directory is a pipe', ':', ['--data', 'pipe']],
    ['the disk takes no file longer than 512 bytes', 'ulimit -f 1; trap "" XFSZ', ['--data', 'limited']],
    ['the data directory may only be read', ':', ['--data', '/proc/self']],
  ];

  test.each(places)('%s', async (_where, before, args) => {
    const world = createSkillWorld();
    world.write('file', '');
    world.link('circle', 'circle');
    world.fifo('pipe');
    mkdirSync(world.at('limited'));
    for (const name of ['a', 'b', 'c']) world.skill(`skills/${name}`);
    for (const _start of [1, 2]) {
      const server = await startMcp({ home: world.path, args: ['--root', 'skills', '--no-log', ...args], before });
      try {
        const { structured } = await server.call('list_skills', {});
        expect(structured).toMatchObject({ skills: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
        expect(server.stderr()).not.toMatch(/Error|\bat /);
      } finally {
        server.kill();
      }
    }
    const left = existsSync(world.at('limited/remembered')) ? readdirSync(world.at('limited/remembered')) : [];
    expect(left).toEqual([]);
  });
});
