// Files of notes: whatever lies in their place, and whoever died while writing one (DESIGN 15).
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { asStrangerAsync } from '../fixtures/as-stranger.ts';
import { startCold, startFrom } from '../fixtures/remembered-start.ts';
import { createSkillWorld } from '../fixtures/skill-world.ts';
import { openNoteFiles } from './note-files.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A world with a note that the next start believes. */
async function notedWorld() {
  const world = createSkillWorld();
  for (const skill of ['a', 'group/d']) world.skill(`root/${skill}`);
  world.write('root/a/notes/one.md', 'one');
  // File times are believed when they are older than a blink.
  await sleep(60);
  const request = { data: world.folder('data'), roots: [world.at('root')] };
  await startFrom(request);
  const folder = world.at('data/remembered');
  const [name = ''] = readdirSync(folder);
  return { world, request, folder, note: join(folder, name), cold: await startCold(request.roots) };
}

const makeOlder = (path: string, ms: number) => {
  const then = new Date(Date.now() - ms);
  utimesSync(path, then, then);
};

describe('bytes that are not those that were written', () => {
  test('cut off anywhere, nothing wrong is read from them', async () => {
    const { world, request, note } = await notedWorld();
    const whole = readFileSync(note);
    const [real = ''] = request.roots;
    const place = { key: real, real };
    const notes = openNoteFiles(request.data, '1.0.0');
    const asWritten = recalled(notes.read(place), world.at('root'));
    for (let length = 0; length < whole.length; length += length < 200 ? 1 : 5) {
      writeFileSync(note, whole.subarray(0, length));
      expect(notes.read(place)).toBeUndefined();
    }
    writeFileSync(note, whole);
    expect(recalled(notes.read(place), world.at('root'))).toEqual(asWritten);
  });

  test('one byte is another: it is noticed, wherever it is', async () => {
    const { world, request, note } = await notedWorld();
    const whole = readFileSync(note);
    const [real = ''] = request.roots;
    const place = { key: real, real };
    const notes = openNoteFiles(request.data, '1.0.0');
    const asWritten = recalled(notes.read(place), world.at('root'));
    for (let at = 0; at < whole.length; at += at < 200 ? 1 : 5) {
      const other = Buffer.from(whole);
      other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(note, other);
      const read = recalled(notes.read(place), world.at('root'));
      for (const [path, value] of Object.entries(read)) if (value) expect(value).toEqual(asWritten[path]);
    }
  });
});

/** What a note says of everything in the world, where it says something. */
function recalled(memory: ReturnType<ReturnType<typeof openNoteFiles>['read']>, root: string) {
  const folders = ['', '/a', '/a/notes', '/group', '/group/d'].map((path) => root + path);
  const files = ['/a/SKILL.md', '/a/notes/one.md', '/group/d/SKILL.md'].map((path) => root + path);
  const listings = folders.map((path) => {
    const listing = memory?.listing(path);
    return [path, listing && { ...listing, entries: listing.entries() }] as const;
  });
  const texts = files.map((path) => {
    const text = memory?.text(path);
    return [`${path} text`, text && { ...text, document: text.document() }] as const;
  });
  const records = files.map((path) => [`${path} record`, memory?.record(path)] as const);
  return Object.fromEntries<unknown>([...listings, ...texts, ...records]);
}

describe('something else lies in the place of a note', () => {
  const isRoot = process.getuid?.() === 0;
  const others: readonly (readonly [string, (note: string, world: ReturnType<typeof createSkillWorld>) => void])[] = [
    ['a pipe that nobody writes to', (note, world) => void world.fifo(`data/remembered/${basename(note)}`)],
    ['a link to a note', (note, world) => symlinkSync(world.write('data/elsewhere', 'not read'), note)],
    ['a link in a circle', (note) => symlinkSync(basename(note), note)],
    ['a folder that is not empty', (note) => mkdirSync(join(note, 'within'), { recursive: true })],
    ['a device', (note) => symlinkSync('/dev/zero', note)],
    ['another file by the same inode', (note, world) => linkSync(world.write('data/elsewhere', 'not read'), note)],
    ['a file larger than any note', (note) => sparse(note, 129 * 1024 * 1024)],
    ['a large file full of nothing', (note) => sparse(note, 8 * 1024 * 1024)],
  ];

  test.each(others)('%s: as without a note', async (_what, put) => {
    const { world, request, note, cold } = await notedWorld();
    rmSync(note);
    put(note, world);
    const { view, misses } = await startFrom(request);
    expect(misses).toBeUndefined();
    expect(view).toEqual(cold);
    expect((await startFrom(request)).view).toEqual(cold);
  });

  test.runIf(isRoot)("another user's note: as without one", async () => {
    const { request, note, cold } = await notedWorld();
    chownSync(note, 65_534, 65_534);
    const { view, misses } = await startFrom(request);
    expect(misses).toBeUndefined();
    expect(view).toEqual(cold);
  });

  test.each([0o640, 0o604, 0o660, 0o700 | 0o001])('a note of mode %o: as without one', async (mode) => {
    const { request, note, cold } = await notedWorld();
    chmodSync(note, mode);
    const { view, misses } = await startFrom(request);
    expect(misses).toBeUndefined();
    expect(view).toEqual(cold);
  });

  test('a file in the place of the folder of notes: as without notes', async () => {
    const { world, request, folder, cold } = await notedWorld();
    rmSync(folder, { recursive: true });
    world.write('data/remembered', '');
    expect(await startFrom(request)).toEqual({ view: cold, misses: undefined });
  });

  test('a folder of notes that may not be looked into: as without notes', async () => {
    const { world, request, folder } = await notedWorld();
    const before = readdirSync(folder);
    world.skill('root/new');
    await asStrangerAsync(world, folder, async () => {
      expect((await startFrom(request)).view.skills.map(({ name }) => name)).toEqual(['a', 'd', 'new']);
    });
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe('what a writer that was killed leaves behind', () => {
  test('is not read, and goes when a note is written an hour later', async () => {
    const { world, request, folder, note, cold } = await notedWorld();
    const whole = readFileSync(note);
    const [old, young] = ['101-old', '102-young'].map((name) => `${note}.${name}.tmp`) as [string, string];
    writeFileSync(old, whole.subarray(0, whole.length / 2), { mode: 0o600 });
    writeFileSync(young, whole, { mode: 0o600 });
    makeOlder(old, 2 * HOUR_MS);
    expect(await startFrom(request)).toEqual({ view: cold, misses: 0 });
    world.skill('root/new');
    await startFrom(request);
    expect(readdirSync(folder).sort()).toEqual([basename(note), basename(young)]);
  });

  test('notes of roots that nobody starts with any more go after two months, other files never', async () => {
    const { world, request, folder, note } = await notedWorld();
    const names = ['0011223344556677.note', '8899aabbccddeeff.note', 'mine.txt'];
    for (const [index, name] of names.entries()) {
      writeFileSync(join(folder, name), '', { mode: 0o600 });
      makeOlder(join(folder, name), index === 1 ? 50 * DAY_MS : 70 * DAY_MS);
    }
    world.skill('root/new');
    await startFrom(request);
    expect(readdirSync(folder).sort()).toEqual([basename(note), ...names.slice(1)].sort());
  });
});

test('a write that fails half-way leaves the note as it was, and nothing else', async () => {
  const { request, folder, note } = await notedWorld();
  const before = readFileSync(note);
  rmSync(note);
  mkdirSync(join(note, 'in-the-way'), { recursive: true });
  await startFrom(request);
  expect(readdirSync(folder)).toEqual([basename(note)]);
  rmSync(note, { recursive: true });
  writeFileSync(note, before, { mode: 0o600 });
  expect((await startFrom(request)).misses).toBe(0);
  expect(existsSync(dirname(note))).toBe(true);
});

function sparse(path: string, bytes: number): void {
  writeFileSync(path, '', { mode: 0o600 });
  truncateSync(path, bytes);
}
