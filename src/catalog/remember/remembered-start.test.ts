// A start that remembers sees what a cold one sees, whatever happened in between (DESIGN 15).
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { skipAloud } from '../../../tests/support/skip-aloud.ts';
import { coldView, fullViewOf, getSkill, namesIn, openTestCatalog, testRoot } from '../fixtures/open-test-catalog.ts';
import { live, lives, prepareWorlds } from '../fixtures/remembered-rounds.ts';
import { startCold, startFrom } from '../fixtures/remembered-start.ts';
import { createSkillWorld, SkillWorld } from '../fixtures/skill-world.ts';
import { openCatalogEarly } from '../live-catalog.ts';
import { openNoteFiles } from './note-files.ts';

/** File times are believed when they are older than a blink. */
const settle = () => sleep(60);

async function openEarly(roots: readonly string[], data: string) {
  const catalog = await openCatalogEarly({
    roots: roots.map((root) => testRoot(root)),
    allowLinks: [],
    without: [],
    watch: false,
    rescanMs: 30_000,
    now: () => new Date(),
    log: () => undefined,
    notes: openNoteFiles(data, '1.0.0'),
  });
  onTestFinished(() => catalog.close());
  return catalog;
}

async function worldWithNote() {
  const world = createSkillWorld();
  for (const skill of ['a', 'group/d', 'a/inner']) world.skill(`root/${skill}`);
  world.write('root/a/notes/one.md', 'one');
  const data = world.folder('data');
  const roots = [world.at('root')];
  await settle();
  await startFrom({ data, roots });
  return {
    world,
    data,
    roots,
    noteFile: () => join(data, 'remembered', readdirSync(join(data, 'remembered'))[0] ?? ''),
  };
}

test('a second start asks the disk for nothing but times, and sees the same', async () => {
  const { data, roots } = await worldWithNote();
  const { view, misses } = await startFrom({ data, roots });
  expect(misses).toBe(0);
  expect(view).toEqual(await coldView(roots));
});

test.each(['hasty', 'patient'] as const)(
  'whatever happened before and during %s starts, one that remembers sees what a cold one sees',
  async (pace) => {
    const home = createSkillWorld();
    let [lived, rounds, remembered] = [0, 0, 0];
    const property = fc.asyncProperty(lives(pace), async (life) => {
      lived += 1;
      for (const world of await prepareWorlds([home.at(String(lived))])) {
        const each = await live(world, life);
        rounds += each.rounds;
        remembered += each.remembered;
      }
    });
    await fc.assert(property, { numRuns: 10 });
    expect(remembered).toBeGreaterThan(rounds / 10);
  },
);

test('a file that is newer than the note is read again, though size and time are the same', async () => {
  const { world, data, roots } = await worldWithNote();
  const path = world.at('root/a/SKILL.md');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('Steps', 'Stops'));
  const { view } = await startFrom({ data, roots });
  expect(view.skills.find(({ name }) => name === 'a')?.bytes).toContain('Stops');
});

test('what is shown before the texts are read is of now, too', async () => {
  const { world, data, roots } = await worldWithNote();
  world.write('root/a/SKILL.md', '---\nname: a\ndescription: Does other things.\n---\n# Steps\n');
  world.skill('root/group/new');
  const catalog = await openEarly(roots, data);
  expect(catalog.current.skills.map(({ name, description }) => [name, description])).toEqual([
    ['a', 'Does other things.'],
    ['d', 'Does d things.'],
    ['new', 'Does new things.'],
  ]);
});

test('a text that changes after the start looked at it is served as it is then (F8)', async () => {
  const { world, data, roots } = await worldWithNote();
  const catalog = await openEarly(roots, data);
  world.skill('root/a', { body: '# Other steps\n' });
  rmSync(world.at('root/group/d/SKILL.md'));
  await catalog.whole();
  expect(getSkill(catalog, 'a').bytes.toString()).toContain('# Other steps');
  expect(await fullViewOf(catalog)).toEqual(await coldView(roots));
});

test('a folder that may not be listed any more is served as little as by a cold start (D8)', async (context) => {
  skipAloud(context, process.getuid?.() === 0, 'root may list every folder');
  const world = createSkillWorld();
  for (const skill of ['root/a', 'root/closed']) world.skill(skill);
  await sleep(60);
  const request = { data: world.folder('data'), roots: [world.at('root')] };
  await startFrom(request);
  // Its SKILL.md can still be read by its name.
  chmodSync(world.at('root/closed'), 0o311);
  onTestFinished(() => chmodSync(world.at('root/closed'), 0o755));
  const { view } = await startFrom(request);
  expect(view).toEqual(await startCold(request.roots));
  expect(view.skills.map(({ name }) => name)).toEqual(['a']);
});

describe('a note is not believed, and everything works as before,', () => {
  const spoilt: readonly (readonly [string, (path: string) => void])[] = [
    ['cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, -40))],
    ['cut off in its head', (path) => writeFileSync(path, readFileSync(path).subarray(0, 10))],
    ['empty', (path) => writeFileSync(path, '')],
    ['with another name in it', (path) => replaceIn(path, '"a"', '"b"')],
    ['of another version', (path) => replaceIn(path, '\n[3,', '\n[0,')],
    ['of another program', (path) => replaceIn(path, '1.0.0', '1.0.1')],
    ['that others may read', (path) => chmodSync(path, 0o644)],
    ['that is a folder', (path) => remakeAs(path, () => new SkillWorld(path).folder(''))],
    ['that is a link', (path) => remakeAs(path, () => symlinkSync('elsewhere', path))],
    ['of random bytes', (path) => writeFileSync(path, Buffer.from('\n[]{}"\\\0'.repeat(99)), { mode: 0o600 })],
  ];

  test.each(spoilt)('one %s', async (_how, spoil) => {
    const { data, roots, noteFile } = await worldWithNote();
    spoil(noteFile());
    const { view, misses } = await startFrom({ data, roots });
    expect(misses).toBeUndefined();
    expect(view).toEqual(await coldView(roots));
  });

  test('one whose second part is not what was written', async () => {
    const { data, roots, noteFile } = await worldWithNote();
    replaceIn(noteFile(), 'sha256:', 'sha256.');
    expect((await startFrom({ data, roots })).view).toEqual(await coldView(roots));
  });
});

test('where nothing can be written, nothing is remembered and all is served', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const catalog = await openTestCatalog([world.at('root')], { notes: openNoteFiles(world.write('file', ''), '1.0.0') });
  await catalog.loadManifests();
  expect(namesIn(catalog)).toEqual(['a']);
});

test('nothing is noted where the clock was set back: a change might look older than it is', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  await settle();
  let setBackMs = 0;
  const catalog = await openTestCatalog([world.at('root')], {
    notes: openNoteFiles(world.at('data'), '1.0.0'),
    now: () => new Date(Date.now() - setBackMs),
  });
  setBackMs = 3_600_000;
  await catalog.loadManifests();
  expect(existsSync(world.at('data'))).toBe(false);
});

test('it is for its owner alone, whole or not at all', async () => {
  const { data, noteFile } = await worldWithNote();
  const { statSync } = await import('node:fs');
  expect(statSync(noteFile()).mode & 0o777).toBe(0o600);
  expect(statSync(join(data, 'remembered')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(data, 'remembered')).filter((name) => !name.endsWith('.note'))).toEqual([]);
});

test('what cannot be read at a second start is not served from memory (D8)', async () => {
  const { world, data, roots } = await worldWithNote();
  rmSync(world.at('root/a/SKILL.md'));
  const { view } = await startFrom({ data, roots });
  expect(view.skills.map(({ name }) => name)).toEqual(['d', 'inner']);
  expect(existsSync(world.at('root/a'))).toBe(true);
});

function replaceIn(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'latin1');
  expect(text).toContain(from);
  writeFileSync(path, Buffer.from(text.replaceAll(from, to), 'latin1'));
}

function remakeAs(path: string, make: () => void): void {
  rmSync(path);
  make();
}
