// Writers share a commit; neither a bad entry nor a store that hangs costs the others (F1, F2, F3).
import { describe, expect, test, vi } from 'vitest';
import { createLatch } from '../../tests/support/latch.ts';
import { stopTime, until } from '../../tests/support/stopped-time.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createCommitQueue } from './commit-queue.ts';
import { limitsOf, OPERATION_LIMIT_MS } from './limits.ts';
import { unfitValues } from './store-errors.ts';

/** Where the limit is not what is tested. */
const HELD_LIMIT_MS = 600_000;

const allWell = (entries: readonly unknown[]) => entries.map(() => undefined);

describe('createCommitQueue()', () => {
  test('those who write in the same turn share a commit; those who come meanwhile share the next (F2)', async () => {
    const batches: number[][] = [];
    const [begun, held] = [createLatch(), createLatch()];
    const queue = createCommitQueue<number>(async (entries) => {
      batches.push([...entries]);
      begun.open();
      if (batches.length === 1) await held.opened;
      return allWell(entries);
    }, HELD_LIMIT_MS);
    const first = [queue.push(1, 1), queue.push(2, 1)];
    await begun.opened;
    const later = [queue.push(3, 1), queue.push(4, 1), queue.push(5, 1)];
    held.open();
    await Promise.all([...first, ...later]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  test('a batch has an end, by number and by size', async () => {
    const sizes: number[] = [];
    const queue = createCommitQueue<number>(async (entries) => {
      sizes.push(entries.length);
      return allWell(entries);
    }, HELD_LIMIT_MS);
    await Promise.all(Array.from({ length: 600 }, (_, index) => queue.push(index, 1)));
    expect(sizes).toEqual([256, 256, 88]);
    sizes.length = 0;
    await Promise.all(Array.from({ length: 4 }, (_, index) => queue.push(index, 3 * 2 ** 20)));
    expect(sizes).toEqual([1, 1, 1, 1]);
  });

  test('one bad entry costs no other (F3)', async () => {
    const written: number[] = [];
    const queue = createCommitQueue<number>(async (entries) => {
      if (entries.includes(13)) throw unfitValues();
      written.push(...entries);
      return allWell(entries);
    }, HELD_LIMIT_MS);
    const pushed = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => queue.push(index, 1)));
    expect(pushed.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([13]);
    expect(written).toEqual(Array.from({ length: 20 }, (_, index) => index).filter((index) => index !== 13));
  });

  test('when the store is away the whole batch is refused at once, not entry by entry (F1)', async () => {
    const commit = vi.fn(async () => {
      throw new StoreUnavailable('away');
    });
    const queue = createCommitQueue<number>(commit, HELD_LIMIT_MS);
    const pushed = await Promise.allSettled([queue.push(1, 1), queue.push(2, 1)]);
    expect(pushed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(commit).toHaveBeenCalledTimes(1);
  });

  test('no caller waits longer than two seconds for a commit that hangs, in it or behind it (F1)', async () => {
    const { pass } = stopTime();
    const queue = createCommitQueue<number>(() => new Promise(() => {}), limitsOf(OPERATION_LIMIT_MS).entry);
    const inside = expect(queue.push(1, 1)).rejects.toThrow(/takes too long/);
    await new Promise((resolve) => setImmediate(resolve));
    const behind = expect(queue.push(2, 1)).rejects.toThrow(/takes too long/);
    await pass(2_000);
    await Promise.all([inside, behind]);
  });

  test('a process that was halted itself gives the database the time to answer (A7)', async () => {
    const { leap, pass } = stopTime();
    const turn = createLatch();
    const queue = createCommitQueue<number>(async (entries) => {
      await turn.opened;
      return allWell(entries);
    }, 2_000);
    const written = queue.push(1, 1);
    await leap(5_000);
    turn.open();
    await written;
    const refused = expect(createCommitQueue<number>(() => new Promise(() => {}), 2_000).push(1, 1)).rejects.toThrow(
      /takes too long/,
    );
    await leap(5_000);
    await pass(1_000);
    await refused;
  });

  test('while the database takes others, whose turn comes later waits for it; when it stops, no longer (A7, F1)', async () => {
    const { pass } = stopTime();
    let turn = createLatch();
    let batches = 0;
    const queue = createCommitQueue<number>(async (entries) => {
      batches += 1;
      await turn.opened;
      return allWell(entries);
    }, 2_000);
    const pushed = Array.from({ length: 5 }, (_, index) => queue.push(index, 2 ** 21));
    const ended = Promise.allSettled(pushed);
    for (const commits of [1, 2, 3]) {
      await until(() => batches === commits);
      await pass(1_500);
      const before = turn;
      turn = createLatch();
      before.open();
    }
    await until(() => batches === 4);
    await pass(2_001);
    turn.open();
    expect((await ended).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 3 }, () => 'fulfilled'),
      'rejected',
      'rejected',
    ]);
  });

  test('however many others a database takes, none waits for longer than thirty seconds (A7, F1)', async () => {
    const { pass } = stopTime();
    let turn = createLatch();
    let batches = 0;
    const queue = createCommitQueue<number>(async (entries) => {
      batches += 1;
      await turn.opened;
      return allWell(entries);
    }, 6_000);
    const pushed = Array.from({ length: 12 }, (_, index) => queue.push(index, 2 ** 21));
    const ended = Promise.allSettled(pushed);
    for (const commits of [1, 2, 3, 4, 5, 6]) {
      await until(() => batches === commits);
      await pass(4_900);
      const before = turn;
      turn = createLatch();
      before.open();
    }
    await until(() => batches === 7);
    await pass(601);
    const late = queue.push(12, 1);
    turn.open();
    expect((await ended).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => 'fulfilled'),
      ...Array.from({ length: 6 }, () => 'rejected'),
    ]);
    await late;
    expect(batches).toBe(8);
  });

  test.each([
    ['30,000 entries', 30_000, 1],
    ['64 MB', 64, 2 ** 20],
  ])('beyond %s it refuses at once, and takes again when there is room (F4)', async (_bound, count, bytes) => {
    const held = createLatch();
    const queue = createCommitQueue<number>(async (entries) => {
      await held.opened;
      return allWell(entries);
    }, HELD_LIMIT_MS);
    const taken = Array.from({ length: count }, (_, index) => queue.push(index, bytes));
    await expect(queue.push(-1, bytes)).rejects.toThrow(/cannot keep up/);
    held.open();
    await Promise.all(taken);
    await queue.push(-1, bytes);
    await queue.idle();
  });

  test('what there is no room for is written in its brief form, at once and after the others (A7, F4)', async () => {
    const held = createLatch();
    const written: string[] = [];
    const queue = createCommitQueue<string>(async (entries) => {
      await held.opened;
      written.push(...entries);
      return allWell(entries);
    }, HELD_LIMIT_MS);
    const push = (name: string) => queue.push(`${name} whole`, 40 * 2 ** 20, () => ({ entry: name, bytes: 100 }));
    const taken = ['a', 'b', 'c'].map(push);
    held.open();
    await Promise.all(taken);
    expect(written).toEqual(['a whole', 'b', 'c']);
    await push('d');
    expect(written.at(-1)).toBe('d whole');
  });

  test('brief ones are bounded, too: by their number (F4)', async () => {
    const held = createLatch();
    const queue = createCommitQueue<number>(async (entries) => {
      await held.opened;
      return allWell(entries);
    }, HELD_LIMIT_MS);
    const push = () => queue.push(0, 2 ** 30, () => ({ entry: 0, bytes: 1 }));
    const taken = Array.from({ length: 30_000 }, push);
    await expect(push()).rejects.toThrow(/cannot keep up/);
    held.open();
    await Promise.all(taken);
  });

  test('those whose time would be over behind another batch go along with the next, in their brief form (A7)', async () => {
    const { pass } = stopTime();
    const batches: string[][] = [];
    let written = createLatch();
    const queue = createCommitQueue<string>(async (entries) => {
      batches.push([...entries]);
      await written.opened;
      return allWell(entries);
    }, 2_000);
    const push = (name: string, megabytes: number) =>
      queue.push(`${name} whole`, megabytes * 2 ** 20, () => ({ entry: name, bytes: 100 }));
    const pushed = [push('a', 8), push('b', 1), push('c', 8), push('d', 0.5), push('e', 1)];
    const finish = async (count: number) => {
      await until(() => batches.length === count);
      const before = written;
      written = createLatch();
      before.open();
    };
    await until(() => batches.length === 1);
    await pass(1_500);
    const later = [push('f', 1), push('g', 1)];
    await finish(1);
    await finish(2);
    await finish(3);
    await Promise.all([...pushed, ...later]);
    expect(batches).toEqual([['a whole'], ['b whole', 'c', 'd whole', 'e'], ['f whole', 'g whole']]);
  });
});
