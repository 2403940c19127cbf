// One timer serves all calls with the same limit: each expires at its own time, and an idle timer holds nothing alive (F13).
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useOwnTimers } from '../../async/fixtures/own-timers.ts';
import { TimeLimits } from './time-limits.ts';

let now = 0;
const pass = async (ms: number) => {
  for (let step = 0; step < ms; step++) {
    now++;
    await vi.advanceTimersByTimeAsync(1);
  }
};

beforeEach(() => {
  now = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

function open() {
  const limits = new TimeLimits(() => now);
  const expired: string[] = [];
  const enter = (name: string, limitMs = 100, onExpire = () => {}) => {
    const expire = () => {
      expired.push(`${name} at ${now}`);
      onExpire();
    };
    const cancel = () => expired.push(`${name} cancelled`);
    const run = { id: name, dueMs: now + limitMs, expire, cancel, before: undefined, after: undefined };
    limits.queueOf(limitMs).add(run);
    return () => limits.queueOf(limitMs).delete(run);
  };
  return { limits, enter, expired };
}

test('each call expires at its own time, with one timer for all', async () => {
  const timers = useOwnTimers();
  const { enter, expired } = open();
  enter('a');
  await pass(30);
  enter('b');
  enter('other', 50);
  expect(timers.count()).toBe(2);
  await pass(120);
  expect(expired).toEqual(['other at 80', 'a at 100', 'b at 130']);
  expect(timers.count()).toBe(0);
});

test('a call that left does not expire, and the one behind it does in time', async () => {
  const { enter, expired } = open();
  const leave = enter('a');
  await pass(40);
  enter('b');
  leave();
  await pass(120);
  expect(expired).toEqual(['b at 140']);
});

test('calls leave from every place in the line, twice over too', async () => {
  const { enter, expired } = open();
  const leave = ['a', 'b', 'c', 'd', 'e'].map((name) => enter(name));
  for (const place of [2, 2, 0, 0, 4, 4]) leave[place]?.();
  await pass(150);
  expect(expired).toEqual(['b at 100', 'd at 100']);
});

test('all are cancelled at a stop, whatever their limit', () => {
  const { limits, enter, expired } = open();
  enter('a');
  enter('b');
  enter('c', 50);
  limits.cancelAll();
  expect(expired).toEqual(['a cancelled', 'b cancelled', 'c cancelled']);
});

test('a call that comes while another expires is not forgotten', async () => {
  const timers = useOwnTimers();
  const { enter, expired } = open();
  enter('a', 100, () => void enter('b'));
  await pass(250);
  expect(expired).toEqual(['a at 100', 'b at 200']);
  expect(timers.count()).toBe(0);
});

test('the timer keeps the process alive only while somebody waits', () => {
  vi.useRealTimers();
  const timers: NodeJS.Timeout[] = [];
  const original = setTimeout;
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((...args: Parameters<typeof setTimeout>) => {
    const timer = original(...args);
    timers.push(timer);
    return timer;
  }) as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  const { enter } = open();
  const leave = enter('a', 10_000);
  expect(timers[0]?.hasRef()).toBe(true);
  leave();
  expect(timers[0]?.hasRef()).toBe(false);
  enter('b', 10_000)();
  enter('c', 10_000);
  expect(timers).toHaveLength(1);
  expect(timers[0]?.hasRef()).toBe(true);
  clearTimeout(timers[0]);
});
