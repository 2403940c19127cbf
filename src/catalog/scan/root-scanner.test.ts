// All roots together: what is kept of each, and when one of them counts as moved.
import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asStrangerAsync } from '../fixtures/as-stranger.ts';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import { skillLines } from '../fixtures/scan-world.ts';
import { createSkillWorld, type SkillWorld } from '../fixtures/skill-world.ts';
import { ChangeSet, everythingMayHaveChanged } from './change-set.ts';
import { RootScanner } from './root-scanner.ts';

const scannerOf = (world: SkillWorld, ...roots: string[]) => createScanner(world, roots, false);
const createScanner = (world: SkillWorld, roots: readonly string[], holdsBack: boolean) => {
  const given = roots.map((root) => testRoot(world.at(root)));
  return new RootScanner({ roots: () => given, allowLinks: [], holdsBack, now: () => new Date() });
};
const linesOf = (scanner: RootScanner) =>
  scanner.roots.map(({ location, folder }) => [location.state, ...(folder ? skillLines(folder) : [])]);

describe('scan()', () => {
  test('answers every root in order, missing ones too', async () => {
    const world = createSkillWorld();
    world.skill('one/a');
    world.skill('three/b');
    const scanner = scannerOf(world, 'one', 'two', 'three');
    await scanner.scan(everythingMayHaveChanged);
    expect(linesOf(scanner)).toEqual([['found', 'a = a'], ['missing'], ['found', 'b = b']]);
  });

  test('leaves a root alone in which nothing happened', async () => {
    const world = createSkillWorld();
    world.skill('one/a');
    world.skill('two/b');
    const scanner = scannerOf(world, 'one', 'two');
    await scanner.scan(everythingMayHaveChanged);
    const [first, second] = scanner.roots.map(({ folder }) => folder);
    const set = new ChangeSet();
    set.addFolder(world.at('two'));
    await scanner.scan(set.take());
    expect(scanner.roots[0]?.folder).toBe(first);
    expect(scanner.roots[1]?.folder).not.toBe(second);
  });

  test('follows a link from one root into another (DESIGN 8)', async () => {
    const world = createSkillWorld();
    world.skill('two/b');
    world.link('one/b', '../two/b');
    const scanner = scannerOf(world, 'one', 'two');
    await scanner.scan(everythingMayHaveChanged);
    expect(linesOf(scanner)).toEqual([
      ['found', 'b = b'],
      ['found', 'b = b'],
    ]);
  });

  test('a root that is gone takes its skills along, one that may not be looked at keeps them (D8)', async () => {
    const world = createSkillWorld();
    world.skill('door/one/a');
    const scanner = scannerOf(world, 'door/one');
    await scanner.scan(everythingMayHaveChanged);
    await asStrangerAsync(world, world.at('door'), () => scanner.scan(everythingMayHaveChanged));
    expect(linesOf(scanner)).toEqual([['unreadable', 'a = a']]);
    world.remove('door/one');
    await scanner.scan(everythingMayHaveChanged);
    expect(linesOf(scanner)).toEqual([['missing']]);
  });

  test.each([
    [true, 1, false],
    [false, 0, true],
  ])('holds an unfinished text back when it is told to: %s', async (holdsBack, again, isEmpty) => {
    const world = createSkillWorld();
    world.skill('one/a');
    const scanner = createScanner(world, ['one'], holdsBack);
    await scanner.scan(everythingMayHaveChanged);
    // The very first text has nothing to be compared with, and is as young as this one.
    await expect.poll(async () => (await scanner.scan(everythingMayHaveChanged)).size).toBe(0);
    world.write('one/a/SKILL.md', '');
    expect((await scanner.scan(everythingMayHaveChanged)).size).toBe(again);
    expect(scanner.roots[0]?.folder?.folders[0]?.skill?.text?.bytes.length === 0).toBe(isEmpty);
  });
});

describe('findUnwatchedChanges()', () => {
  test('names roots that came, went or were replaced, and no others', async () => {
    const world = createSkillWorld();
    for (const name of ['stays', 'goes', 'replaced']) world.skill(`${name}/a`);
    const scanner = scannerOf(world, 'stays', 'goes', 'replaced', 'comes', 'never');
    await scanner.scan(everythingMayHaveChanged);
    expect(scanner.findUnwatchedChanges()).toEqual([]);
    world.folder('comes');
    world.remove('goes');
    world.folder('other');
    renameSync(world.at('replaced'), world.at('aside'));
    renameSync(world.at('other'), world.at('replaced'));
    expect(scanner.findUnwatchedChanges()).toEqual(['goes', 'replaced', 'comes'].map((name) => world.at(name)));
    await scanner.scan(everythingMayHaveChanged);
    expect(scanner.findUnwatchedChanges()).toEqual([]);
  });

  test('names a root that may be read again, and not one that still may not (A14, D8)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const scanner = scannerOf(world, 'root');
    await scanner.scan(everythingMayHaveChanged);
    await asStrangerAsync(world, world.at('root'), async () => {
      await scanner.scan(everythingMayHaveChanged);
      expect(scanner.findUnwatchedChanges()).toEqual([]);
    });
    expect(scanner.findUnwatchedChanges()).toEqual([world.at('root')]);
    await scanner.scan(everythingMayHaveChanged);
    expect(scanner.findUnwatchedChanges()).toEqual([]);
  });
});

test('a root in whose place a file lies takes its skills along, at the next look (A14, D8)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const scanner = scannerOf(world, 'root');
  await scanner.scan(everythingMayHaveChanged);
  renameSync(world.at('root'), world.at('aside'));
  world.write('root', 'a file');
  expect(scanner.findUnwatchedChanges()).toEqual([world.at('root')]);
  await scanner.scan(everythingMayHaveChanged);
  expect(linesOf(scanner)).toEqual([['unreadable']]);
});

test('a root behind a door that closes, and a file in its place afterwards, is looked at again (A14)', async () => {
  const world = createSkillWorld();
  world.skill('door/root/a');
  const scanner = scannerOf(world, 'door/root');
  await scanner.scan(everythingMayHaveChanged);
  await asStrangerAsync(world, world.at('door'), () => scanner.scan(everythingMayHaveChanged));
  renameSync(world.at('door/root'), world.at('aside'));
  world.write('door/root', 'a file');
  expect(scanner.findUnwatchedChanges()).toEqual([world.at('door/root')]);
});
