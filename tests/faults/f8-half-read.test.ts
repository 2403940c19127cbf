// F8: never a half-read skill. A writer cuts files and writes them anew in pieces while a reader asks for them all the time.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openWatchedCatalog } from '../../src/catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import { contentOf } from '../../src/catalog/view/skill.ts';

/** So many are seen before the test is over. */
const VERSIONS = 8;

/** Writes version after version of one file, each in pieces with short pauses, then leaves it alone for a moment. */
const WRITER = `
  const fs = require('node:fs');
  const [file, head] = process.argv.slice(1);
  const rest = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  for (let version = 1; version < 1000; version += 1) {
    const text = head + ('line of version ' + version + '\\n').repeat(200 + (version * 37) % 100) + 'end ' + version + '\\n';
    let last = performance.now();
    const fd = fs.openSync(file, 'w');
    for (let at = 0; at < text.length; at += 997) {
      fs.writeSync(fd, text.slice(at, at + 997));
      // A machine that stops this process for longer makes a half file look like a finished one: not counted.
      if (performance.now() - last > 20) process.stdout.write('stalled ' + version + '\\n');
      last = performance.now();
      rest(2);
    }
    fs.closeSync(fd);
    process.stdout.write('written ' + version + '\\n');
    rest(90 + (version * 13) % 60);
  }`;

/** Asks for the text over and over until it has seen enough versions; answers the texts that were not whole. */
async function watchWriter(file: string, head: string, read: () => Promise<string | undefined>) {
  const writer = spawn(process.execPath, ['-e', WRITER, file, head]);
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
    writer.kill();
  });
  let said = '';
  writer.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const halves: Half[] = [];
  const versions = new Set<number>();
  while (versions.size < VERSIONS && !isOver) {
    const text = await read();
    const version = findVersion(text);
    if (text !== undefined && !isWhole(text, version)) {
      halves.push({ version, newest: Math.max(0, ...versions), text: text.slice(-60) });
    }
    if (version !== undefined) versions.add(version);
    await sleep(3);
  }
  // Whether it stalled in the middle of the last one is known when it has written that.
  await expect.poll(() => said).toContain(`written ${Math.max(...versions)}\n`);
  const stalled = [...said.matchAll(/^stalled (\d+)$/gm)].map(([, version]) => Number(version));
  const isExcused = ({ version, newest }: Half) =>
    stalled.some((each) => (version === undefined ? each > newest : each === version));
  return halves.filter((half) => !isExcused(half));
}

interface Half {
  /** An empty text does not say which version it is a part of: one after the newest that was seen. */
  readonly version: number | undefined;
  readonly newest: number;
  readonly text: string;
}

function findVersion(text: string | undefined): number | undefined {
  const line = /line of version (\d+)\n/.exec(text ?? '');
  return line === null ? undefined : Number(line[1]);
}

const isWhole = (text: string, version: number | undefined): boolean =>
  version === undefined
    ? text.includes('first text')
    : text.endsWith(`end ${version}\n`) && new Set(text.match(/version \d+/g)).size === 1;

const HEAD = '---\nname: a\ndescription: Does a things.\n---\n';

test('SKILL.md is the old text or the new one, never a part (F8)', async () => {
  const world = createSkillWorld();
  world.skill('root/a', { body: 'first text\n' });
  const catalog = await openWatchedCatalog([world.at('root')]);
  const halves = await watchWriter(world.at('root/a/SKILL.md'), HEAD, async () => {
    const skill = catalog.current.findByName('a');
    expect(skill?.availability).toBe('available');
    return skill && contentOf(skill);
  });
  expect(halves).toEqual([]);
});

test('a supporting file is the old text or the new one, never a part (F8)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  world.write('root/a/notes.md', 'first text\n');
  const catalog = await openWatchedCatalog([world.at('root')]);
  const halves = await watchWriter(world.at('root/a/notes.md'), '# Notes\n', async () => {
    const skill = catalog.current.findByName('a');
    const read = skill && (await catalog.readFile(skill, 'notes.md'));
    return read?.ok ? read.value.toString('utf8') : undefined;
  });
  expect(halves).toEqual([]);
});
