// The one way to the disk: what it refuses, what it never waits for, and that nothing from outside the fence gets through.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, realpathSync, renameSync, symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asStranger } from '../fixtures/as-stranger.ts';
import { createSkillWorld } from '../fixtures/skill-world.ts';
import { findLinkTarget, findStamp, isFenced, isInside, listFolder, readSafe, sameStamp } from './safe-read.ts';

const MAX = 1_000;
const text = (read: ReturnType<typeof readSafe>): string =>
  read.ok ? read.value.bytes.toString('utf8') : read.failure;

describe('readSafe()', () => {
  test('answers the bytes and the stamp of a regular file inside the fence', () => {
    const world = createSkillWorld();
    const path = world.write('root/a.txt', 'hello');
    const read = readSafe(path, [world.at('root')], MAX);
    expect(text(read)).toBe('hello');
    expect(read.ok && read.value.stamp).toEqual(findStamp(path));
  });

  test('answers an empty file, and one of exactly the allowed size', () => {
    const world = createSkillWorld();
    expect(text(readSafe(world.write('empty', ''), [world.path], MAX))).toBe('');
    expect(text(readSafe(world.write('full', 'x'.repeat(MAX)), [world.path], MAX))).toHaveLength(MAX);
    expect(text(readSafe(world.write('over', 'x'.repeat(MAX + 1)), [world.path], MAX))).toBe('too-large');
  });

  test('does not read a huge sparse file to find out that it is too large', () => {
    const world = createSkillWorld();
    const path = world.write('huge', '');
    truncateSync(path, 2 ** 40);
    expect(text(readSafe(path, [world.path], MAX))).toBe('too-large');
  });

  test('refuses what lies outside the fence, also in a folder whose name only starts alike (root-evil)', () => {
    const world = createSkillWorld();
    const fence = [world.folder('root')];
    expect(text(readSafe(world.write('other/a', 'secret'), fence, MAX))).toBe('outside');
    expect(text(readSafe(world.write('root-evil/a', 'secret'), fence, MAX))).toBe('outside');
    expect(text(readSafe(`${world.at('root')}/../other/a`, fence, MAX))).toBe('outside');
    expect(text(readSafe(world.write('a', 'secret'), [], MAX))).toBe('outside');
  });

  test('refuses a link as the last step, wherever it leads, and a path through a link that leaves the fence', () => {
    const world = createSkillWorld();
    world.write('other/a', 'secret');
    const inner = world.write('root/real', 'fine');
    const fence = [world.at('root')];
    expect(text(readSafe(world.link('root/inner', inner), fence, MAX))).toBe('outside');
    expect(text(readSafe(world.link('root/outer', world.at('other/a')), fence, MAX))).toBe('outside');
    world.link('root/folder', world.at('other'));
    expect(text(readSafe(world.at('root/folder/a'), fence, MAX))).toBe('outside');
  });

  test('is not held up by a FIFO, and refuses it, a socket, a device and a folder', async () => {
    const world = createSkillWorld();
    expect(text(readSafe(world.fifo('fifo'), [world.path], MAX))).toBe('not-a-file');
    const server = createServer().listen(world.at('socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    expect(text(readSafe(world.at('socket'), [world.path], MAX))).toBe('not-a-file');
    expect(text(readSafe(world.folder('folder'), [world.path], MAX))).toBe('not-a-file');
    expect(text(readSafe(realpathSync('/dev/zero'), ['/dev'], MAX))).toBe('not-a-file');
  });

  test('tells a missing file, a file in the place of a folder and an endless name from one that may not be read', () => {
    const world = createSkillWorld();
    const path = world.write('a', 'x');
    expect(text(readSafe(world.at('nothing'), [world.path], MAX))).toBe('missing');
    expect(text(readSafe(`${path}/b`, [world.path], MAX))).toBe('missing');
    expect(text(readSafe(world.at('n'.repeat(300)), [world.path], MAX))).toBe('missing');
    expect(asStranger(world, path, () => text(readSafe(path, [world.path], MAX)))).toBe('denied');
  });

  test('answers bytes and stamp of one state while the file is cut and written anew', async ({ signal }) => {
    const world = createSkillWorld();
    const path = world.write('changing', '');
    const writer = spawn(process.execPath, ['-e', REWRITE, path]);
    onTestFinished(() => void writer.kill());
    let torn = 0;
    const sizes = new Set<number>();
    // As long as it takes until the race has taken place: several states were met, many times.
    for (let reads = 0; !signal.aborted && (reads < 500 || sizes.size < 3); ) {
      const read = readSafe(path, [world.path], 2 ** 30);
      if (read.ok) {
        const { bytes, stamp } = read.value;
        sizes.add(bytes.length);
        reads += 1;
        if (bytes.length !== stamp.size || bytes.some((byte) => byte !== 0x78)) torn += 1;
      }
      await nextTurn();
    }
    expect(torn).toBe(0);
  });

  test('never yields a byte from outside while a folder is swapped for a link and back', async ({ signal }) => {
    const world = createSkillWorld();
    world.write('root/a/SKILL.md', 'inside');
    world.write('other/SKILL.md', 'SECRET');
    const writer = spawn(process.execPath, ['-e', SWAP, world.path]);
    onTestFinished(() => void writer.kill());
    const seen = new Map<string, number>();
    const timesSeen = (answer: string) => seen.get(answer) ?? 0;
    // As long as it takes until the race has taken place: both states were met, many times.
    while (!signal.aborted && (timesSeen('inside') < 200 || timesSeen('outside') < 200)) {
      const answer = text(readSafe(world.at('root/a/SKILL.md'), [world.at('root')], MAX));
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
      await nextTurn();
    }
    expect([...seen.keys()].filter((answer) => !['inside', 'outside', 'missing', 'busy'].includes(answer))).toEqual([]);
  });
});

/** Both end with the test, also where that is killed: an orphan has another parent. */
const REWRITE = `
  const fs = require('node:fs'); const parent = process.ppid;
  for (let i = 0; process.ppid === parent; i += 1) fs.writeFileSync(process.argv[1], 'x'.repeat(100000 + (i % 7) * 30000));`;

/** Renames the folder away, puts a link in its place, and back, for as long as it is left alone. */
const SWAP = `
  const fs = require('node:fs'); const base = process.argv[1]; const a = base + '/root/a'; const parent = process.ppid;
  while (process.ppid === parent) {
    fs.renameSync(a, base + '/kept'); fs.symlinkSync(base + '/other', a);
    fs.unlinkSync(a); fs.renameSync(base + '/kept', a);
  }`;

describe('listFolder()', () => {
  test('names every entry with its kind, and follows nothing', () => {
    const world = createSkillWorld();
    world.write('root/file', '');
    world.folder('root/folder');
    world.link('root/link', '/');
    world.fifo('root/fifo');
    const listed = listFolder(world.at('root'));
    const kinds = listed.ok && Object.fromEntries(listed.value.map(({ name, kind }) => [name, kind]));
    expect(kinds).toEqual({ file: 'file', folder: 'folder', link: 'link', fifo: 'other' });
  });

  test('answers why a folder cannot be listed', () => {
    const world = createSkillWorld();
    expect(listFolder(world.at('nothing'))).toMatchObject({ failure: 'missing' });
    expect(listFolder(world.write('file', ''))).toMatchObject({ failure: 'missing' });
    const folder = world.folder('closed');
    expect(asStranger(world, folder, () => listFolder(folder))).toMatchObject({ failure: 'denied' });
  });
});

describe('findLinkTarget()', () => {
  test('follows every step to the end', () => {
    const world = createSkillWorld();
    const folder = world.folder('real');
    world.link('one', 'real');
    expect(findLinkTarget(world.link('two', 'one'))).toMatchObject({
      ok: true,
      value: { kind: 'folder', real: folder },
    });
    const file = world.write('real/file', '');
    expect(findLinkTarget(world.link('three', 'two/file'))).toMatchObject({
      ok: true,
      value: { kind: 'file', real: file },
    });
    expect(findLinkTarget(world.link('four', world.fifo('fifo')))).toMatchObject({ value: { kind: 'other' } });
  });

  test('calls a link to nothing and a circle missing', () => {
    const world = createSkillWorld();
    world.link('a', 'b');
    expect(findLinkTarget(world.link('b', 'a'))).toMatchObject({ failure: 'missing' });
    expect(findLinkTarget(world.link('c', 'nothing'))).toMatchObject({ failure: 'missing' });
  });
});

describe('isInside()', () => {
  test.each([
    ['/a/root', '/a/root', true],
    ['/a/root/b', '/a/root', true],
    ['/a/root-evil', '/a/root', false],
    ['/a/roo', '/a/root', false],
    ['/a', '/a/root', false],
    ['/anything', '/', true],
  ])('%s in %s is %s', (path, directory, expected) => {
    expect(isInside(path, directory)).toBe(expected);
  });

  test('a fence of several directories holds what any of them holds', () => {
    expect(isFenced('/b/x', ['/a', '/b'])).toBe(true);
    expect(isFenced('/c', ['/a', '/b'])).toBe(false);
  });
});

describe('sameStamp()', () => {
  test('tells a file from one of another size, another time or another inode', () => {
    const world = createSkillWorld();
    const stampOf = (path: string) => {
      const stamp = findStamp(path);
      if (stamp === undefined) throw new Error(`no ${path}`);
      return stamp;
    };
    const path = world.write('a', 'one');
    const first = stampOf(path);
    expect(sameStamp(first, stampOf(path))).toBe(true);
    appendFileSync(path, '!');
    const grown = stampOf(path);
    expect(sameStamp(first, grown)).toBe(false);
    utimesSync(path, new Date(0), new Date(0));
    expect(sameStamp(grown, stampOf(path))).toBe(false);
    const old = stampOf(path);
    renameSync(world.write('b', 'one!'), path);
    utimesSync(path, new Date(0), new Date(0));
    expect(sameStamp(old, { ...stampOf(path), ctimeMs: old.ctimeMs })).toBe(false);
  });

  test('a stamp is of the link, not of its target, and absent where nothing is', () => {
    const world = createSkillWorld();
    const path = world.write('a', 'x'.repeat(500));
    symlinkSync(path, world.at('link'));
    mkdirSync(world.at('folder'));
    expect(findStamp(world.at('link'))?.size).not.toBe(500);
    expect(findStamp(world.at('nothing'))).toBeUndefined();
  });
});
