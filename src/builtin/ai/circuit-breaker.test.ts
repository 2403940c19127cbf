// When an endpoint is left alone, and when it is tried again (B3).
import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

function openBreaker() {
  const clock = { ms: 1_000 };
  const breaker = createCircuitBreaker({ failuresInARow: 5, pauseMs: 30_000, monotonicMs: () => clock.ms });
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.begin()?.end('failed');
  };
  return { breaker, clock, fail };
}

test('five failures in a row begin a pause of 30 seconds (B3)', () => {
  const { breaker, clock, fail } = openBreaker();
  fail(4);
  expect(breaker.begin()).toBeDefined();
  fail(1);
  expect(breaker.begin()).toBeUndefined();
  clock.ms += 29_999;
  expect(breaker.begin()).toBeUndefined();
  clock.ms += 1;
  expect(breaker.begin()).toBeDefined();
});

test('a success between them begins the count anew (B3)', () => {
  const { breaker, fail } = openBreaker();
  fail(4);
  breaker.begin()?.end('succeeded');
  fail(4);
  expect(breaker.begin()).toBeDefined();
});

test('after the pause one attempt at a time is made, and its end decides (B3)', () => {
  const { breaker, clock, fail } = openBreaker();
  fail(5);
  clock.ms += 30_000;
  const trial = breaker.begin();
  expect(breaker.begin()).toBeUndefined();
  trial?.end('failed');
  expect(breaker.begin()).toBeUndefined();
  clock.ms += 30_000;
  breaker.begin()?.end('succeeded');
  fail(4);
  expect(breaker.begin()).toBeDefined();
});

test('an attempt that was given up counts for nothing, and makes room for another', () => {
  const { breaker, clock, fail } = openBreaker();
  fail(5);
  clock.ms += 30_000;
  breaker.begin()?.end('unknown');
  expect(breaker.begin()).toBeDefined();
});

test('an earlier attempt that ends late does not let in a second trial', () => {
  const { breaker, clock, fail } = openBreaker();
  const early = breaker.begin();
  fail(5);
  clock.ms += 30_000;
  breaker.begin();
  early?.end('unknown');
  expect(breaker.begin()).toBeUndefined();
});
