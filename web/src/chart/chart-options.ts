// What uPlot is told: axes in the reader's own words, colours of the style sheet, bars that stand on each other.
import type uPlot from 'uplot';
import { dayText, minuteText } from '../text/format.ts';
import { axisTexts } from './axis-text.ts';
import { logMarks, logRange, onLogScale } from './log-scale.ts';
import { stepOf } from './point-text.ts';

interface ChartSeries {
  readonly label: string;
  /** A custom property of the style sheet. */
  readonly colour: string;
  /** `null` where there is nothing to tell. */
  readonly values: readonly (number | null)[];
  /** Of a line, in pixels. Lines that lie on each other are all seen when each is thinner than those below it. */
  readonly width?: number;
}

export interface ChartProps {
  readonly label: string;
  /** Seconds since 1970, evenly spaced. */
  readonly times: readonly number[];
  /** The last one is drawn first. */
  readonly series: readonly ChartSeries[];
  /** Lines are drawn on a logarithmic scale. */
  readonly kind: 'stack' | 'lines';
  readonly format: (value: number) => string;
  /** What is said of a time in which there was nothing. */
  readonly none: string;
  readonly height?: number;
  /** The time whose step was chosen. */
  readonly marked?: number;
  /** Called with the place of a point in `times`. */
  readonly onPick?: (index: number) => void;
}

export const CHART_HEIGHT = 180;

const DAY = 86_400;

export const innerWidthOf = (place: HTMLElement): number => Math.max(120, place.clientWidth);

/** Of a stack each stands on those before it, so that the last one is the highest. */
export function plotData({ times, series, kind }: ChartProps): uPlot.AlignedData {
  const values = series.map(({ values: own }) => (kind === 'lines' ? own.map(onLogScale) : [...own]));
  if (kind === 'stack')
    for (let above = 1; above < values.length; above++)
      values[above] = (values[above] ?? []).map((own, index) => (own ?? 0) + (values[above - 1]?.[index] ?? 0));
  return [[...times], ...values.reverse()] as uPlot.AlignedData;
}

type Colour = (name: string) => string;

/** `onPoint`: the cursor is at another point, or at none. */
export function chartOptions(
  draw: typeof uPlot,
  place: HTMLElement,
  props: () => ChartProps,
  onPoint: (index: number | undefined) => void,
): uPlot.Options {
  const { kind, height = CHART_HEIGHT } = props();
  const styles = getComputedStyle(document.documentElement);
  const colour: Colour = (name) => styles.getPropertyValue(name).trim();
  return {
    width: innerWidthOf(place),
    height,
    padding: [8, 20, 0, 0],
    cursor: { drag: { x: false, y: false }, y: false, points: { show: kind === 'lines' } },
    legend: { show: false },
    scales: {
      x: { time: true, range: (_plot, least, most) => withMargin(least, most, props()) },
      y: kind === 'lines' ? LOGARITHMIC : { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: axesFor(props, colour),
    series: [{}, ...plotSeries(draw, props, colour)],
    hooks: {
      ready: [(plot) => listenForPicks(plot, props)],
      drawClear: [(plot) => drawMark(plot, props(), colour('--accent-soft'))],
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? undefined)],
    },
  };
}

/** uPlot's name of it. */
const LOG = 3;

const LOGARITHMIC: uPlot.Scale = {
  distr: LOG,
  // Nothing is drawn: any range will do.
  range: (_plot, least, most) => [...logRange(least ?? 1, most ?? 1)],
};

function axesFor(props: () => ChartProps, colour: Colour): uPlot.Axis[] {
  const common: uPlot.Axis = {
    stroke: colour('--ink-2'),
    font: `11px ${colour('--font')}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1, size: 4 },
  };
  return [
    {
      ...common,
      values: (_plot, splits) => splits.map((at) => axisTime(at, props().times)),
      space: 64,
      size: 30,
      grid: { show: false },
    },
    {
      ...common,
      size: 56,
      ...(props().kind === 'lines' && { splits: (_plot, _axis, least, most) => [...logMarks(least, most)] }),
      values: (_plot, splits) => [...axisTexts(splits, { ...props(), isEmpty: isEmpty(props()) })],
    },
  ];
}

/** Half a step at either end, so that the first and the last bar are whole. */
function withMargin(least: number, most: number, { times, kind }: ChartProps): [number, number] {
  const margin = kind === 'stack' ? stepOf(times) / 2 : 0;
  return [least - margin, most + margin];
}

function plotSeries(draw: typeof uPlot, props: () => ChartProps, colour: Colour): uPlot.Series[] {
  const { kind, series } = props();
  const bars = draw.paths.bars?.({ size: [0.8, 24] });
  return [...series].reverse().map(({ label, colour: name, width = 2 }) => ({
    label,
    stroke: colour(name),
    width: kind === 'stack' ? 0 : width,
    points: { show: kind === 'lines', filter: findLonely, size: width + 3, width: 0, fill: colour(name) },
    ...(kind === 'stack' && { fill: colour(name), ...(bars !== undefined && { paths: bars }) }),
  }));
}

/** No line leads through a time without values; one that has none beside it would not be seen. */
function findLonely(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const isNone = (at: number) => values[at] === null || values[at] === undefined;
  return [...values.keys()].filter((at) => !isNone(at) && isNone(at - 1) && isNone(at + 1));
}

function axisTime(at: number, times: readonly number[]): string {
  const moment = new Date(at * 1_000);
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return span > 2 * DAY ? dayText(moment) : minuteText(moment);
}

const isEmpty = ({ series }: ChartProps): boolean =>
  !series.some(({ values }) => values.some((value) => value !== null));

/** A band behind the step that was chosen. */
function drawMark(plot: uPlot, { times, marked }: ChartProps, colour: string): void {
  const step = stepOf(times);
  if (marked === undefined || step <= 0 || !times.includes(marked)) return;
  const [left, right] = [marked - step / 2, marked + step / 2].map((at) => plot.valToPos(at, 'x', true));
  if (left === undefined || right === undefined) return;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colour;
  const from = Math.max(left, bbox.left);
  ctx.fillRect(from, bbox.top, Math.min(right, bbox.left + bbox.width) - from, bbox.height);
  ctx.restore();
}

function listenForPicks(plot: uPlot, props: () => ChartProps): void {
  plot.over.addEventListener('click', () => {
    const at = plot.cursor.idx;
    if (at !== null && at !== undefined) props().onPick?.(at);
  });
}
