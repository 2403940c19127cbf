// How near the percentiles from buckets come to the durations themselves (X8).
import { expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { bucketOf, percentile } from './duration-buckets.ts';

test.each(Array.from({ length: 11 }, (_, index) => index))('%d ms is exact', (durationMs) => {
  expect(percentile(new Map([[bucketOf(durationMs), 1]]), 0.5)).toBe(durationMs);
});

test('every duration is within 5 % of what its bucket says (X8)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (durationMs) => {
      const said = percentile(new Map([[bucketOf(durationMs), 1]]), 1);
      expect(Math.abs(said - durationMs) / durationMs).toBeLessThan(0.05);
    }),
    { numRuns: 2_000 },
  );
});

test('a longer duration is never in an earlier bucket', () => {
  const buckets = Array.from({ length: 100_000 }, (_, durationMs) => bucketOf(durationMs));
  expect(buckets.every((bucket, index) => index === 0 || bucket >= (buckets[index - 1] ?? 0))).toBe(true);
});

test('nearest rank: half of the durations are not longer than p50', () => {
  const counts = new Map([
    [bucketOf(1), 5],
    [bucketOf(5), 4],
    [bucketOf(9), 1],
  ]);
  expect([0.5, 0.51, 0.9, 0.91, 1].map((share) => percentile(counts, share))).toEqual([1, 5, 5, 9, 9]);
  expect(percentile(new Map(), 0.5)).toBe(0);
});
