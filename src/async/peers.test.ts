import { expect, test } from 'vitest';
import type { LocalBus } from './bus.ts';
import { createLinkedBuses } from './fixtures/linked-buses.ts';
import { createPeers } from './peers.ts';

test('processes that start later are heard of, and hear of those that are there (N3)', () => {
  const [first, second] = createLinkedBuses(2) as [LocalBus, LocalBus];
  const heard: string[] = [];
  const here = createPeers(first);
  here.onFirst(() => heard.push('first'));
  here.onNewcomer(() => heard.push('newcomer'));
  first.gap();
  expect([here.has(), heard]).toEqual([false, []]);
  const there = createPeers(second);
  second.gap();
  expect([here.has(), there.has()]).toEqual([true, true]);
  expect(heard).toEqual(['first', 'newcomer']);
  // It may have missed something.
  second.gap();
  expect(heard).toEqual(['first', 'newcomer', 'newcomer']);
  there.close();
  second.gap();
  expect(heard).toHaveLength(3);
});
