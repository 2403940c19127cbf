// Which traces are kept.
import { expect, test } from 'vitest';
import { findSampler } from './sampler.ts';
import { newTraceId } from './span.ts';

const FIRST = `${'a'.repeat(18)}${'0'.repeat(14)}`;
const LAST = `${'a'.repeat(18)}${'f'.repeat(14)}`;
const parent = (isSampled: boolean) => ({ traceId: LAST, spanId: 'b'.repeat(16), isSampled });

test.each([
  ['always_on', 0, [true, true, true, true]],
  ['always_off', 1, [false, false, false, false]],
  ['traceidratio', 0.5, [false, true, true, true]],
  ['traceidratio', 0, [false, false, false, false]],
  ['traceidratio', 1, [true, true, true, true]],
  ['parentbased_always_on', 0, [true, true, true, false]],
  ['parentbased_always_off', 1, [false, false, true, false]],
  ['parentbased_traceidratio', 0.5, [false, true, true, false]],
])('%s with %d decides by the id and by the parent (N5)', (name, ratio, expected) => {
  const sampler = findSampler(name, ratio);
  const decisions = [
    sampler?.(FIRST, undefined),
    sampler?.(LAST, undefined),
    sampler?.(LAST, parent(true)),
    sampler?.(LAST, parent(false)),
  ];
  expect(decisions).toEqual(expected);
});

test('a ratio keeps about that part of new traces (N5)', () => {
  const sampler = findSampler('traceidratio', 0.25);
  const kept = Array.from({ length: 4_000 }, newTraceId).filter((id) => sampler?.(id, undefined));
  expect(kept.length).toBeGreaterThan(800);
  expect(kept.length).toBeLessThan(1_200);
});

test.each(['', 'jaeger_remote', 'parentbased_', 'toString', 'parentbased_parentbased_always_on'])(
  'there is no sampler "%s" (N5)',
  (name) => {
    expect(findSampler(name, 1)).toBeUndefined();
  },
);
