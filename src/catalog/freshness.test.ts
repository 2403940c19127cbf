// When the disk is looked at again: on events, after a pause, regularly, and never twice at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Changes } from './change-set.ts';
import { folderValue } from './fixtures/folder-value.ts';
import { createSkillWorld } from './fixtures/skill-world.ts';
import type { Folder } from './folder.ts';
import { Freshness, type FreshnessOptions } from './freshness.ts';

type Watch = (folder: Folder) => void;

/** Watches one folder, and writes down each update as the paths of `asked` that it calls dirty. */
function createFreshness(options: Partial<FreshnessOptions> & { folder: string }) {
  const { folder, ...others } = options;
  const updates: Changes[] = [];
  const errors: unknown[] = [];
  const freshness = new Freshness({
    rescanMs: 30_000,
    update: async (changes: Changes, watch: Watch) => {
      updates.push(changes);
      changes.isDirty(folderValue(folder));
      watch(folderValue(folder));
      return new Map();
    },
    findUnwatchedChanges: () => [],
    tidy: () => new Set([folder]),
    onError: (error) => errors.push(error),
    ...others,
  });
  onTestFinished(() => freshness.close());
  return { freshness, updates, errors };
}

const wait = (check: () => void, timeout = 2_000) => vi.waitFor(check, { timeout, interval: 5 });

describe('Freshness', () => {
  test('looks once when it starts, and again soon after something happened in a folder (D6)', async () => {
    const world = createSkillWorld();
    const folder = world.folder('a');
    const { freshness, updates } = createFreshness({ folder });
    await freshness.start(Date.now());
    expect(updates).toHaveLength(1);
    const started = performance.now();
    world.write('a/x', '');
    await wait(() => expect(updates).toHaveLength(2));
    expect(performance.now() - started).toBeLessThan(100);
    expect(updates[1]?.isDirty(folderValue(folder))).toBe(true);
    expect(freshness.mode).toBe('watched');
  });

  test('gathers many events into few looks, but does not wait for ever while they go on', async () => {
    const world = createSkillWorld();
    const { freshness, updates } = createFreshness({ folder: world.folder('a') });
    await freshness.start(Date.now());
    const end = performance.now() + 500;
    for (let index = 0; performance.now() < end; index += 1) {
      world.write('a/x', String(index));
      await sleep(4);
    }
    // One in 20–100 ms, not one per event.
    expect(updates.length).toBeGreaterThan(3);
    expect(updates.length).toBeLessThan(30);
  });

  test('never looks twice at once; what happens meanwhile is looked at afterwards', async () => {
    const world = createSkillWorld();
    const folder = world.folder('a');
    let running = 0;
    let most = 0;
    const seen: boolean[] = [];
    const update = async (changes: Changes) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(20);
      seen.push(changes.isDirty(folderValue('/late')));
      running -= 1;
      return new Map<string, number>();
    };
    const { freshness } = createFreshness({ folder, update });
    const looks = [freshness.lookEverywhere(), freshness.lookAt('/early')];
    await sleep(5);
    looks.push(freshness.lookAt('/late'));
    await Promise.all(looks);
    expect(most).toBe(1);
    // The second look took what came while the first went on: there was nothing left for a third.
    expect(seen).toEqual([true, true]);
  });

  test('looks regularly in any case, also after a look that failed (D6)', async () => {
    const world = createSkillWorld();
    let looks = 0;
    const update = async () => {
      looks += 1;
      if (looks === 2) throw new Error('once');
      return new Map<string, number>();
    };
    const { freshness, errors } = createFreshness({ folder: world.folder('a'), rescanMs: 20, update });
    await freshness.start(Date.now());
    await wait(() => expect(looks).toBeGreaterThan(4));
    expect(errors).toMatchObject([{ message: 'once' }]);
  });

  test('looks regularly also when the very first look failed (D6)', async () => {
    const world = createSkillWorld();
    let looks = 0;
    const update = async () => {
      looks += 1;
      if (looks === 1) throw new Error('once');
      return new Map<string, number>();
    };
    const { freshness } = createFreshness({ folder: world.folder('a'), rescanMs: 20, update });
    await expect(freshness.start(Date.now())).rejects.toThrow('once');
    await wait(() => expect(looks).toBeGreaterThan(2));
  });

  test('looks again at a folder that was still being written, after the time that was asked for (F8)', async () => {
    const world = createSkillWorld();
    const folder = world.folder('a');
    const dirty: boolean[] = [];
    const update = async (changes: Changes) => {
      dirty.push(changes.isDirty(folderValue('/other')));
      return new Map(dirty.length === 1 ? [['/other', 40]] : []);
    };
    const { freshness } = createFreshness({ folder, update });
    const started = performance.now();
    await freshness.lookAt('/other');
    await wait(() => expect(dirty).toEqual([true, true]));
    expect(performance.now() - started).toBeGreaterThanOrEqual(39);
  });

  test('looks at a root that was put in the place of another', async () => {
    const world = createSkillWorld();
    const moved = ['/root'];
    const findUnwatchedChanges = () => moved.splice(0);
    const { freshness, updates } = createFreshness({ folder: world.folder('a'), findUnwatchedChanges });
    await freshness.start(Date.now());
    await wait(() => expect(updates).toHaveLength(2), 5_000);
    expect(updates[1]?.isReplaced('/root')).toBe(true);
  });

  test('when it starts it calls those folders dirty that changed since the first scan began', async () => {
    const world = createSkillWorld();
    const folder = world.folder('a');
    const asked: boolean[] = [];
    const update = async (changes: Changes) => {
      asked.push(changes.isDirty(folderValue(folder)), changes.isDirty(folderValue('/nothing/here')));
      return new Map<string, number>();
    };
    await createFreshness({ folder, update }).freshness.start(Date.now() + 60_000);
    await createFreshness({ folder, update }).freshness.start(Date.now() - 60_000);
    // What is not there any more has changed, too.
    expect(asked).toEqual([false, true, true, true]);
  });

  test('does nothing any more once it is closed', async () => {
    const world = createSkillWorld();
    const { freshness, updates } = createFreshness({ folder: world.folder('a'), rescanMs: 10 });
    await freshness.start(Date.now());
    freshness.close();
    const before = updates.length;
    world.write('a/x', '');
    await freshness.lookAt(world.at('a'));
    await sleep(60);
    expect(updates).toHaveLength(before);
  });
});
