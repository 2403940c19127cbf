// When the disk is looked at again: on events, after a pause, regularly, and never twice at once.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLatch } from '../../../tests/support/latch.ts';
import { folderValue } from '../fixtures/folder-value.ts';
import { createPaperMachine } from '../fixtures/paper-machine.ts';
import { createSkillWorld } from '../fixtures/skill-world.ts';
import type { Changes } from '../scan/change-set.ts';
import { Freshness, type FreshnessOptions } from './freshness.ts';

interface FakeScanner {
  readonly folder: string;
  readonly update: (changes: Changes) => Promise<Map<string, number>>;
  readonly findUnwatchedChanges: () => string[];
  readonly onTidy: FreshnessOptions['onTidy'];
  readonly rescanMs: number;
  readonly machine: FreshnessOptions['machine'];
}

/** Watches one folder, and writes down the changes of each scan. */
function createFreshness(options: Partial<FakeScanner> & Pick<FakeScanner, 'folder'>) {
  const { folder, machine, rescanMs = 30_000, findUnwatchedChanges = () => [], onTidy = () => undefined } = options;
  const updates: Changes[] = [];
  const errors: unknown[] = [];
  const update = async (changes: Changes) => {
    updates.push(changes);
    changes.isDirty(folderValue(folder));
    return new Map<string, number>();
  };
  const scan: FreshnessOptions['scanner']['scan'] = async (changes, { watch } = {}) => {
    const again = await (options.update ?? update)(changes);
    watch?.(folderValue(folder));
    return again;
  };
  const freshness = new Freshness({
    rescanMs,
    scanner: { scan, findUnwatchedChanges, folderPaths: () => new Set([folder]) },
    onScanned: async () => undefined,
    onTidy,
    onError: (error) => errors.push(error),
    ...(machine && { machine }),
  });
  onTestFinished(() => freshness.close());
  return { freshness, updates, errors };
}

describe('Freshness', () => {
  test('looks once when it starts, and again after something happened in a folder (D6)', async () => {
    const world = createSkillWorld();
    const folder = world.folder('a');
    const { freshness, updates } = createFreshness({ folder });
    await freshness.start(Date.now());
    expect(updates).toHaveLength(1);
    world.write('a/x', '');
    await expect.poll(() => updates.length).toBe(2);
    expect(updates[1]?.isDirty(folderValue(folder))).toBe(true);
    expect(freshness.mode).toBe('watched');
  });

  test('looks 31 ms after the last event, or 100 ms after the first while they go on', async () => {
    const { machine, say, pass, now } = createPaperMachine();
    const looks: number[] = [];
    const update = async () => {
      looks.push(now());
      return new Map<string, number>();
    };
    createFreshness({ folder: '/a', machine, update });
    say('/a', 'x');
    await pass(200);
    expect(looks).toEqual([31]);
    for (let event = 0; event < 40; event += 1) {
      say('/a', 'x');
      await pass(5);
    }
    expect(looks).toEqual([31, 300, 400]);
    await pass(200);
    expect(looks).toEqual([31, 300, 400]);
  });

  test('tidies between looks, not in the middle of one: what that has begun to watch is not known yet (F7)', async () => {
    const { machine, say, pass } = createPaperMachine();
    const held = createLatch();
    const order: string[] = [];
    const update = async () => {
      order.push('look begins');
      if (order.length > 2) await held.opened;
      order.push('look ends');
      return new Map<string, number>();
    };
    const { freshness } = createFreshness({ folder: '/a', machine, update, onTidy: () => order.push('tidy') });
    await freshness.start(0);
    say('/a', 'x');
    await pass(1_100);
    expect(order).toEqual(['look begins', 'look ends', 'look begins']);
    held.open();
    await pass(10);
    expect(order).toEqual(['look begins', 'look ends', 'look begins', 'look ends', 'tidy']);
  });

  test('never looks twice at once; what happens meanwhile is looked at afterwards', async () => {
    const world = createSkillWorld();
    const folder = world.folder('a');
    let running = 0;
    let most = 0;
    const seen: boolean[] = [];
    const started = createLatch();
    const told = createLatch();
    const update = async (changes: Changes) => {
      running += 1;
      most = Math.max(most, running);
      started.open();
      await told.opened;
      seen.push(changes.isDirty(folderValue('/late')));
      running -= 1;
      return new Map<string, number>();
    };
    const { freshness } = createFreshness({ folder, update });
    const looks = [freshness.lookEverywhere(), freshness.lookAt('/early')];
    await started.opened;
    looks.push(freshness.lookAt('/late'));
    told.open();
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
    await expect.poll(() => looks).toBeGreaterThan(4);
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
    await expect.poll(() => looks).toBeGreaterThan(2);
  });

  test('looks again at a folder that was still being written, after the time that was asked for (F8)', async () => {
    const { machine, pass } = createPaperMachine();
    const dirty: boolean[] = [];
    const update = async (changes: Changes) => {
      dirty.push(changes.isDirty(folderValue('/other')));
      return new Map(dirty.length === 1 ? [['/other', 40]] : []);
    };
    const { freshness } = createFreshness({ folder: '/a', update, machine });
    await freshness.lookAt('/other');
    await pass(39);
    expect(dirty).toEqual([true]);
    await pass(1);
    expect(dirty).toEqual([true, true]);
  });

  test('looks at a root that was put in the place of another', async () => {
    const { machine, pass } = createPaperMachine();
    const moved = ['/root'];
    const findUnwatchedChanges = () => moved.splice(0);
    const { freshness, updates } = createFreshness({ folder: '/a', findUnwatchedChanges, machine });
    await freshness.start(Date.now());
    await pass(1_000);
    expect(updates).toHaveLength(2);
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
    const { machine, say, pass } = createPaperMachine();
    const { freshness, updates } = createFreshness({ folder: '/a', rescanMs: 10, machine });
    await freshness.start(Date.now());
    await pass(10);
    expect(updates).toHaveLength(2);
    say('/a', 'x');
    freshness.close();
    say('/a', 'y');
    await freshness.lookAt('/a');
    await pass(2_000);
    expect(updates).toHaveLength(2);
  });
});
