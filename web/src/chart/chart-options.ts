// What uPlot is told: axes in the reader's own words, colours of the style sheet, bars that stand on each other.
import type uPlot from 'uplot';
import { dayText, minuteText, timeText } from '../text/format.ts';
import { axisTexts } from './axis-text.ts';

export interface ChartSeries {
  readonly label: string;
  /** A custom property of the style sheet. */
  readonly colour: string;
  /** `null` where there is nothing to tell. */
  readonly values: readonly (number | null)[];
  /** Of a line. */
  readonly line?: LineStyle;
}

/** As the border styles of the style sheet. */
type LineStyle = 'solid' | 'dashed' | 'dotted';

export interface ChartProps {
  readonly label: string;
  /** Seconds since 1970, evenly spaced. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'stack' | 'lines';
  readonly format: (value: number) => string;
  readonly height?: number;
  /** The time whose step was chosen. */
  readonly marked?: number;
  /** Called with the place of a point in `times`. */
  readonly onPick?: (index: number) => void;
}

export const CHART_HEIGHT = 180;

const DAY = 86_400;

export const innerWidthOf = (place: HTMLElement): number => Math.max(120, place.clientWidth - 16);

/** The last series is drawn first and highest: each stands on those before it. */
export function stackedData({ times, series, kind }: ChartProps): uPlot.AlignedData {
  const values = series.map(({ values: own }) => [...own]);
  if (kind === 'stack') {
    for (let above = 1; above < values.length; above++)
      values[above] = (values[above] ?? []).map((own, index) => (own ?? 0) + (values[above - 1]?.[index] ?? 0));
    values.reverse();
  }
  return [[...times], ...values] as uPlot.AlignedData;
}

type Colour = (name: string) => string;

export function chartOptions(draw: typeof uPlot, place: HTMLElement, props: () => ChartProps): uPlot.Options {
  const { kind, height = CHART_HEIGHT } = props();
  const styles = getComputedStyle(document.documentElement);
  const colour: Colour = (name) => styles.getPropertyValue(name).trim();
  const series = plotSeries(draw, props, colour);
  return {
    width: innerWidthOf(place),
    height,
    padding: [8, 20, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { show: kind === 'lines' } },
    legend: { live: true, markers: legendMarkers(props(), series) },
    scales: {
      x: { time: true, range: (_plot, least, most) => withMargin(least, most, props()) },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: axesFor(props, colour),
    series: [{ label: 'time', value: (_plot, at) => (at === null ? '–' : timeText(new Date(at * 1_000))) }, ...series],
    hooks: {
      ready: [(plot) => listenForPicks(plot, props)],
      drawClear: [(plot) => drawMark(plot, props(), colour('--accent-soft'))],
    },
  };
}

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
      values: (_plot, splits) => [...axisTexts(splits, { ...props(), isEmpty: isEmpty(props()) })],
    },
  ];
}

/** Half a step at either end, so that the first and the last bar are whole. */
function withMargin(least: number, most: number, { times, kind }: ChartProps): [number, number] {
  const margin = kind === 'stack' ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 : 0;
  return [least - margin, most + margin];
}

function plotSeries(draw: typeof uPlot, props: () => ChartProps, colour: (name: string) => string): uPlot.Series[] {
  const { kind, series } = props();
  const indices = series.map((_, index) => index);
  if (kind === 'stack') indices.reverse();
  const bars = draw.paths.bars?.({ size: [0.8, 24] });
  return indices.map((index) => {
    const { label, colour: name, line = 'solid' } = series[index] ?? { label: '', colour: '--ink' };
    return {
      label,
      stroke: colour(name),
      width: kind === 'stack' ? 0 : 1.75,
      dash: DASHES[line],
      points: { show: kind === 'lines' && isSparse(series[index]?.values ?? []), size: 5 },
      spanGaps: true,
      ...(kind === 'stack' ? { fill: colour(name), ...(bars === undefined ? {} : { paths: bars }) } : {}),
      // Its own value, not the height that it stands at.
      value: (_plot: uPlot, _height: number, _series: number, at: number | null) => legendValue(props(), index, at),
    };
  });
}

const DASHES: Readonly<Record<LineStyle, number[]>> = { solid: [], dashed: [7, 4], dotted: [2, 3] };

/** A square of the bars' colour, or a piece of the line as it is drawn. */
function legendMarkers({ kind, series }: ChartProps, drawn: readonly uPlot.Series[]): uPlot.Legend.Markers {
  const strokeOf = (index: number) => String(drawn[index - 1]?.stroke ?? '');
  if (kind === 'stack') return { width: 0, fill: (_plot, index) => strokeOf(index) };
  return {
    width: 2,
    fill: 'transparent',
    stroke: (_plot, index) => strokeOf(index),
    dash: (_plot, index) => series[index - 1]?.line ?? 'solid',
  };
}

/** A line needs two neighbours; a few values far apart are shown as points. */
const isSparse = (values: readonly (number | null)[]): boolean => values.filter((value) => value !== null).length < 40;

function legendValue({ series, format }: ChartProps, index: number, at: number | null): string {
  const value = at === null ? undefined : series[index]?.values[at];
  return value === null || value === undefined ? '–' : format(value);
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
  const step = (times[1] ?? 0) - (times[0] ?? 0);
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
