// The first ending counts, later ones are ignored, and nothing is left waiting (X5, F13, F14).
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useOwnTimers } from '../../async/fixtures/own-timers.ts';
import { Deadline } from './deadline.ts';
import { InFlight } from './in-flight.ts';
import { TimeLimits } from './time-limits.ts';

afterEach(() => void vi.useRealTimers());

function refuse(): never {
  throw 'no';
}

function open(changes: { limitMs?: number; cancelledBy?: AbortSignal; monotonicMs?: () => number } = {}) {
  const inFlight = new InFlight();
  const { limitMs = 600_000, cancelledBy, monotonicMs = () => performance.now() } = changes;
  const options = { id: 'a', limitMs, cancelledBy, monotonicMs, inFlight, timeLimits: new TimeLimits(monotonicMs) };
  const left = vi.spyOn(options.timeLimits.queueOf(limitMs), 'delete');
  return { deadline: new Deadline(options), left };
}

describe('Deadline (X5)', () => {
  test.each([
    ['a value', () => 5, { kind: 'returned', value: 5 }],
    ['a promise', async () => 5, { kind: 'returned', value: 5 }],
    [
      'a throw',
      () => {
        throw 'no';
      },
      { kind: 'thrown', error: 'no' },
    ],
    [
      'a rejection',
      async () => {
        throw 'no';
      },
      { kind: 'thrown', error: 'no' },
    ],
    ['a rejection with nothing', () => Promise.reject(), { kind: 'thrown', error: undefined }],
    [
      'a thenable that throws',
      () => Object.defineProperty({}, 'then', { get: refuse }),
      { kind: 'thrown', error: 'no' },
    ],
  ])('ends with %s', async (_what, work, expected) => {
    const { deadline, left } = open();
    expect(await deadline.wait(work)).toEqual(expected);
    expect(left).toHaveBeenCalledTimes(1);
  });

  test('counts from the moment that it is told', async () => {
    const waitFrom = (startedMs: number) =>
      open({ limitMs: 1_000, monotonicMs: () => 2_000 }).deadline.wait(() => 5, startedMs);
    expect(await waitFrom(1_000)).toEqual({ kind: 'returned', value: 5 });
    expect(await waitFrom(999)).toEqual({ kind: 'timeout' });
  });

  test('ends the wait at the limit and signals the work', async () => {
    const timers = useOwnTimers();
    const { deadline } = open({ limitMs: 1_000 });
    let seen: AbortSignal | undefined;
    const ending = deadline.wait(() => {
      seen = deadline.signal;
      return new Promise(() => {});
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(seen?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ending).toEqual({ kind: 'timeout' });
    expect(seen?.reason).toMatchObject({ name: 'TimeoutError' });
    expect(timers.count()).toBe(0);
  });

  test('who asks for the signal too late gets an aborted one', async () => {
    const { deadline } = open({ cancelledBy: AbortSignal.abort() });
    await deadline.wait(() => 5);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('work that blocks the thread beyond the limit is late, though it returns (F14)', async () => {
    let now = 0;
    const { deadline } = open({ limitMs: 1_000, monotonicMs: () => now });
    expect(
      await deadline.wait(() => {
        now = 1_500;
        return 5;
      }),
    ).toEqual({ kind: 'timeout' });
  });

  test('a cancel before the begin keeps the work from starting; a later one ends it', async () => {
    const work = vi.fn(() => new Promise(() => {}));
    expect(await open({ cancelledBy: AbortSignal.abort() }).deadline.wait(work)).toEqual({ kind: 'cancelled' });
    expect(work).not.toHaveBeenCalled();
    const client = new AbortController();
    const ending = open({ cancelledBy: client.signal }).deadline.wait(work);
    client.abort();
    expect(await ending).toEqual({ kind: 'cancelled' });
  });

  test('what comes after the first ending changes nothing', async () => {
    const { deadline } = open();
    const { signal } = deadline;
    expect(await deadline.wait(() => 5)).toEqual({ kind: 'returned', value: 5 });
    deadline.cancel();
    deadline.expire();
    expect(signal.aborted).toBe(false);
  });

  test('late answers and late rejections are ignored, not unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const { deadline } = open();
    let fail: (error: Error) => void = () => undefined;
    const ending = deadline.wait(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    deadline.cancel();
    expect(await ending).toEqual({ kind: 'cancelled' });
    fail(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });
});
