// Watching real folders: events, renewal after a folder was replaced, letting go.
import { renameSync, rmdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSkillWorld, type SkillWorld } from '../fixtures/skill-world.ts';
import { Watchers } from './watchers.ts';

function createWatchers() {
  const events: string[] = [];
  let exhausted = 0;
  const watchers = new Watchers({
    onEvent: (folder, name) => events.push(`${folder.slice(folder.lastIndexOf('/') + 1)}: ${name ?? '?'}`),
    onExhausted: () => {
      exhausted += 1;
    },
  });
  onTestFinished(() => watchers.close());
  return { watchers, events, exhausted: () => exhausted };
}

const place = (world: SkillWorld, relative: string) => ({ path: world.at(relative), real: world.at(relative) });
const seen = (events: readonly string[], event: string) => expect.poll(() => events).toContain(event);

describe('Watchers', () => {
  test('say what happened in which folder', async () => {
    const world = createSkillWorld();
    world.folder('a');
    const { watchers, events } = createWatchers();
    watchers.watch(place(world, 'a'));
    world.write('a/new.md', 'x');
    await seen(events, 'a: new.md');
    expect(watchers.isExhausted).toBe(false);
  });

  test('name the folder as it was reached, not where a link leads', async () => {
    const world = createSkillWorld();
    const real = world.folder('real');
    const { watchers, events } = createWatchers();
    watchers.watch({ path: world.at('link'), real });
    world.write('real/x', '');
    await seen(events, 'link: x');
  });

  test('watch a folder once, and a missing one not at all', () => {
    const world = createSkillWorld();
    world.folder('a');
    const { watchers, exhausted } = createWatchers();
    watchers.watch(place(world, 'a'));
    watchers.watch(place(world, 'a'));
    watchers.watch(place(world, 'nothing'));
    expect(watchers.size).toBe(1);
    expect(exhausted()).toBe(0);
  });

  test('watch the new folder after another was moved into its place', async () => {
    const world = createSkillWorld();
    world.folder('a');
    world.folder('b');
    const { watchers, events } = createWatchers();
    watchers.watch(place(world, 'a'));
    renameSync(world.at('a'), world.at('c'));
    renameSync(world.at('b'), world.at('a'));
    watchers.watch(place(world, 'a'));
    world.write('a/x', '');
    await seen(events, 'a: x');
    expect(watchers.size).toBe(1);
  });

  test('watch the new folder after a renamed one was removed, though it may bear the same inode (F7)', async () => {
    const world = createSkillWorld();
    world.folder('a');
    const { watchers, events } = createWatchers();
    watchers.watch(place(world, 'a'));
    renameSync(world.at('a'), world.at('b'));
    watchers.watch(place(world, 'b'));
    rmdirSync(world.at('b'));
    world.folder('b');
    // The system still calls the folder by the name under which it was watched first.
    await seen(events, 'b: a');
    watchers.watch(place(world, 'b'));
    world.write('b/x', '');
    await seen(events, 'b: x');
  });

  test('watch the new folder after the old one was removed, though it may bear the same inode', async () => {
    const world = createSkillWorld();
    world.folder('a');
    const { watchers, events } = createWatchers();
    watchers.watch(place(world, 'a'));
    rmdirSync(world.at('a'));
    world.folder('a');
    // The removal is an event of the folder itself; its listener looks again, and watches before looking.
    await seen(events, 'a: a');
    watchers.watch(place(world, 'a'));
    world.write('a/x', '');
    await seen(events, 'a: x');
  });

  test('let go of folders that are not known any more', async () => {
    const world = createSkillWorld();
    for (const name of ['a', 'b']) world.folder(name);
    const { watchers, events } = createWatchers();
    for (const name of ['a', 'b']) watchers.watch(place(world, name));
    watchers.keepOnly(new Set([world.at('b')]));
    expect(watchers.size).toBe(1);
    world.write('a/x', '');
    world.write('b/x', '');
    await seen(events, 'b: x');
    expect(events).not.toContain('a: x');
    watchers.close();
    expect(watchers.size).toBe(0);
  });

  test('closed under a look that goes on watch nothing more', () => {
    const world = createSkillWorld();
    world.folder('a');
    const { watchers } = createWatchers();
    watchers.close();
    expect(watchers.watch(place(world, 'a'))).toBeDefined();
    expect(watchers.size).toBe(0);
  });

  test('a file in the place of the folder is no reason to stop watching', () => {
    const world = createSkillWorld();
    world.write('file', '');
    const { watchers, exhausted } = createWatchers();
    watchers.watch({ path: world.at('file/x'), real: world.at('file/x') });
    expect([watchers.size, exhausted()]).toEqual([0, 0]);
  });
});
