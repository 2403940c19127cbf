// Events of other replicas: told while a feed is open somewhere, bounded, and not at all without one (N3).
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { LocalBus } from '../../../async/bus.ts';
import { createLinkedBuses } from '../../../async/fixtures/linked-buses.ts';
import { createPeers } from '../../../async/peers.ts';
import { createLiveExchange, type Emit } from './live-exchange.ts';

const LIMITS = { interestMs: 20, believedMs: 60, batchMs: 5, batchEvents: 3, recentMs: 1_000 };

function createReplica(bus: LocalBus) {
  let emit: Emit | undefined;
  const shown: unknown[] = [];
  const said: string[] = [];
  const exchange = createLiveExchange({
    bus: {
      ...bus,
      publish: (topic, body, kind) => {
        said.push(topic);
        bus.publish(topic, body, kind);
      },
    },
    peers: createPeers(bus),
    subscribe: (given) => {
      emit = given;
      return () => {
        emit = undefined;
      };
    },
    show: (event, makeData) => shown.push([event, makeData()]),
    skip: (count) => shown.push(count),
    limits: LIMITS,
    // Stands still or goes with the timers.
    monotonicMs: () => Date.now(),
  });
  return { ...exchange, shown, said, bus, happen: (number: number) => emit?.('load', () => ({ number })) };
}

let here: ReturnType<typeof createReplica>;
let there: ReturnType<typeof createReplica>;
let closing: () => void;
const start = () => {
  const [first, second] = createLinkedBuses(2) as [LocalBus, LocalBus];
  [here, there] = [createReplica(first), createReplica(second)];
  closing = () => {
    here.close();
    there.close();
  };
};
beforeEach(start);
afterEach(() => closing());
const meet = () => {
  here.bus.gap();
  there.bus.gap();
};

test('what happens on one is shown on the other while a feed is open there, also what happened just before (N3)', async () => {
  meet();
  here.happen(1);
  const leave = there.attend();
  await expect.poll(() => there.shown).toEqual([['load', { number: 1 }]]);
  here.happen(2);
  await expect
    .poll(() => there.shown)
    .toEqual([
      ['load', { number: 1 }],
      ['load', { number: 2 }],
    ]);
  expect(here.shown).toEqual([]);
  leave();
});

test('without an open feed nothing is said, nor when the last one has closed (N3)', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  start();
  meet();
  here.happen(1);
  vi.advanceTimersByTime(LIMITS.recentMs);
  expect(here.said).toEqual([]);
  const leave = there.attend();
  here.happen(2);
  vi.advanceTimersByTime(LIMITS.batchMs);
  expect(there.shown).toEqual([['load', { number: 2 }]]);
  // As long as it is open its interest is renewed.
  vi.advanceTimersByTime(10 * LIMITS.believedMs);
  here.happen(3);
  vi.advanceTimersByTime(LIMITS.batchMs);
  expect(there.shown).toHaveLength(2);
  leave();
  const said = [...here.said];
  vi.advanceTimersByTime(LIMITS.believedMs);
  here.happen(4);
  vi.advanceTimersByTime(LIMITS.believedMs);
  expect(here.said).toEqual(said);
});

test('a feed that was open before the other replica started is heard of (N3)', async () => {
  const leave = there.attend();
  expect(there.said).toEqual([]);
  meet();
  here.happen(1);
  await expect.poll(() => there.shown).toContainEqual(['load', { number: 1 }]);
  leave();
});

test('more than a batch holds is counted, and a gap says that there may be more (N3)', async () => {
  meet();
  const leave = there.attend();
  for (let number = 0; number < 5; number++) here.happen(number);
  await expect.poll(() => there.shown.at(-1)).toBe(2);
  expect(there.shown.filter((each) => Array.isArray(each))).toHaveLength(3);
  there.bus.gap();
  expect(there.shown.at(-1)).toBe(0);
  leave();
});

test('what is no event does no harm (N3)', () => {
  meet();
  const leave = there.attend();
  for (const events of [undefined, 'x', [1, null, ['load'], ['a\nb', {}], ['load', 'x']]]) {
    there.bus.deliver('live.events', { events, skipped: 'many' });
  }
  there.bus.deliver('live.events', { events: [['load', {}]] });
  expect(there.shown.filter((each) => each !== 0)).toEqual([['load', {}]]);
  leave();
});
