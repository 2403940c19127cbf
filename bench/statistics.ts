// What is said of many samples: the middle, and the slow end. Pure.

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** Between two samples: the point on the line between them. No samples: NaN. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
