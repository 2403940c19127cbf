// A chart over time by uPlot: stacked bars or lines, a legend that follows the cursor, points that can be picked.
import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { fixBrowserLanguage } from '../browser/language.ts';
import { useTheme } from '../browser/theme.ts';
import { fullTimeText } from '../text/format.ts';
import { ChartNumbers, valueText } from './chart-numbers.tsx';
import {
  CHART_HEIGHT,
  type ChartProps,
  type ChartSeries,
  chartOptions,
  innerWidthOf,
  stackedData,
} from './chart-options.ts';

/** Room for a chart that is not there yet. */
export const ChartPlace = () => (
  <div class="chart" aria-busy="true">
    <span class="skeleton plot" />
  </div>
);

/** As numbers where the drawing cannot be loaded. */
export function Chart(props: ChartProps) {
  const drawing = useDrawing();
  return drawing === 'missing' ? <ChartNumbers {...props} /> : <DrawnChart {...props} draw={drawing} />;
}

type Draw = typeof uPlot | undefined;

function DrawnChart({ draw, ...props }: ChartProps & { readonly draw: Draw }) {
  const { label, times, series, onPick } = props;
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const [at, setAt] = useState(times.length - 1);
  usePlot(draw, props, holder, plot);
  const point = Math.min(at, times.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Enter') onPick?.(point);
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(times.length - 1, point + step));
    setAt(next);
    const left = plot.current?.valToPos(times[next] ?? 0, 'x') ?? -1;
    plot.current?.setCursor({ left, top: 10 });
  };
  return (
    <div
      class={onPick === undefined ? 'chart' : 'chart picks'}
      style={{ '--plot-height': `${props.height ?? CHART_HEIGHT}px` }}
      ref={holder}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, times.length - 1)}
      aria-valuenow={Math.max(0, point)}
      aria-valuetext={pointText(props, series, point)}
      onKeyDown={onKeyDown}
    />
  );
}

function pointText({ times, format }: ChartProps, series: readonly ChartSeries[], point: number): string {
  const time = times[point];
  if (time === undefined) return 'no data';
  const parts = series.map(({ label, values }) => `${label} ${valueText(values[point], format)}`);
  return `${fullTimeText(new Date(time * 1_000))}: ${parts.join(', ')}`;
}

type Holder = { readonly current: HTMLDivElement | null };

function usePlot(draw: Draw, props: ChartProps, holder: Holder, plot: { current: uPlot | undefined }): void {
  const [theme] = useTheme();
  const newest = useRef(props);
  newest.current = props;
  const shape = `${props.kind} ${props.series.map(({ label }) => label).join(' ')} ${props.times.length} ${theme}`;
  useEffect(() => {
    const place = holder.current;
    if (place === null || draw === undefined) return;
    const made = new draw(
      chartOptions(draw, place, () => newest.current),
      stackedData(newest.current),
      place,
    );
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: innerWidthOf(place), height: made.height }));
    sizes.observe(place);
    return () => {
      sizes.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [shape, draw]);
  useEffect(() => plot.current?.setData(stackedData(props)), [props, plot]);
}

/** Comes after the page: the figures are read without it, also where a browser cannot run it. */
function useDrawing(): Draw | 'missing' {
  const [loaded, setLoaded] = useState<{ readonly draw: typeof uPlot | 'missing' } | undefined>(undefined);
  useEffect(() => {
    fixBrowserLanguage();
    import('uplot').then(
      ({ default: draw }) => setLoaded({ draw }),
      () => setLoaded({ draw: 'missing' }),
    );
  }, []);
  return loaded?.draw;
}
