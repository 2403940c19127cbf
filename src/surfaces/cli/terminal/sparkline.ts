// A series of counts as one line of bars; those with failures in another colour. Pure.

export interface SparkPoint {
  readonly count: number;
  readonly failureCount: number;
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const NOTHING = '·';

/** At most `width` columns; a longer series is summed up in equal steps. */
export function sparkline(series: readonly SparkPoint[], width: number, mark: (bar: string) => string): string {
  const points = squeeze(series, width);
  let most = 1;
  for (const { count } of points) most = Math.max(most, count);
  return points
    .map(({ count, failureCount }) => {
      if (count === 0) return NOTHING;
      const bar = BARS[Math.ceil((count / most) * BARS.length) - 1] ?? BARS[0];
      return failureCount > 0 ? mark(bar) : bar;
    })
    .join('');
}

function squeeze(series: readonly SparkPoint[], width: number): readonly SparkPoint[] {
  if (series.length <= width) return series;
  const sums = Array.from({ length: width }, () => ({ count: 0, failureCount: 0 }));
  series.forEach(({ count, failureCount }, index) => {
    const sum = sums[Math.floor((index * width) / series.length)];
    if (sum === undefined) return;
    sum.count += count;
    sum.failureCount += failureCount;
  });
  return sums;
}
