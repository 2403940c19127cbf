// Durations in buckets that grow by a tenth: percentiles within 5 %, from about a hundred counters whatever the traffic.

const GROWTH = 1.1;

/** 0 for less than a millisecond. */
export function bucketOf(durationMs: number): number {
  return durationMs < 1 ? 0 : 1 + Math.floor(Math.log(durationMs) / Math.log(GROWTH));
}

/** As every surface shows them. */
export const percentilesOf = (counts: ReadonlyMap<number, number>) => ({
  p50: percentile(counts, 0.5),
  p95: percentile(counts, 0.95),
  p99: percentile(counts, 0.99),
});

/** `counts` by bucket. The duration that a share (0–1) of them does not exceed, nearest rank. */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let rank = Math.ceil(share * total);
  for (const [bucket, count] of buckets) {
    rank -= count;
    if (rank <= 0) return middleOf(bucket);
  }
  return 0;
}

/** The middle of the whole milliseconds in a bucket: below 11 ms there is only one, so the answer is exact. */
function middleOf(bucket: number): number {
  if (bucket === 0) return 0;
  const lowest = Math.ceil(GROWTH ** (bucket - 1) - 1e-9);
  const highest = Math.max(lowest, Math.ceil(GROWTH ** bucket - 1e-9) - 1);
  // A tenth: between 12 and 13 neither is within 5 % of the other.
  return Math.round(Math.sqrt(lowest * highest) * 10) / 10;
}
