// What is said of a point of a chart, under the mouse and by keyboard (U12).
import { expect, test } from 'vitest';
import { countText, durationText } from '../text/format.ts';
import type { ChartProps } from './chart-options.ts';
import { emptyText, pointText, spanText } from './point-text.ts';

const NOON = new Date(2026, 10, 17, 12).getTime() / 1_000;
const common = { label: 'x', times: [NOON, NOON + 60, NOON + 120], none: 'nothing ran' };
const series = (label: string, values: readonly (number | null)[]) => ({ label, colour: '--x', values });

test('a bar says how many of what, also where one of them is none (U12)', () => {
  const parts = [series('succeeded', [12, 0, 3]), series('failed', [1, 0, 0])];
  const chart: ChartProps = { ...common, kind: 'stack', format: countText, series: parts };
  expect([0, 1, 2].map((point) => pointText(chart, point).values)).toEqual([
    ['12 succeeded', '1 failed'],
    ['nothing ran'],
    ['3 succeeded', '0 failed'],
  ]);
});

test('a point of lines says how long, and a time without runs that nothing ran (U12)', () => {
  const lines = [series('median', [0, null, 8]), series('99th percentile', [40, null, 1_200])];
  const chart: ChartProps = { ...common, kind: 'lines', format: durationText, series: lines };
  expect([0, 1, 2].map((point) => pointText(chart, point).values)).toEqual([
    ['median 0 ms', '99th percentile 40 ms'],
    ['nothing ran'],
    ['median 8 ms', '99th percentile 1.20 s'],
  ]);
});

test('a chart without any point says that there is nothing, and one with a point does not (U12)', () => {
  const chart = (values: readonly (number | null)[]): ChartProps => ({
    ...common,
    kind: 'stack',
    format: countText,
    series: [series('read', values)],
  });
  expect(emptyText(chart([0, 0, 0]))).toBe('Nothing ran in this time');
  expect(emptyText(chart([0, 1, 0]))).toBeUndefined();
});

test.each([
  [60, '12:00 to 12:01'],
  [3_600, '12:00 to 13:00'],
  [86_400, 'Tue 17 Nov'],
])('a step of %d seconds is "%s" (U12)', (step, text) => {
  expect(spanText(NOON, step, new Date(2026, 10, 17, 18)).replace(',', '')).toBe(text);
});

test('a time of another day has the day (U12)', () => {
  expect(spanText(NOON, 60, new Date(2026, 10, 18, 18))).toBe('17 Nov, 12:00 to 12:01');
});
