// A chart over time by uPlot: stacked bars, or lines on a logarithmic scale. What a point stands for is told in words, under the
// mouse and by keyboard; points can be picked.
import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { fixBrowserLanguage } from '../browser/language.ts';
import { useTheme } from '../browser/theme.ts';
import { ChartNumbers } from './chart-numbers.tsx';
import { CHART_HEIGHT, type ChartProps, chartOptions, innerWidthOf, plotData } from './chart-options.ts';
import { ChartTip } from './chart-tip.tsx';
import { emptyText, pointText } from './point-text.ts';

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
  const { label, times, onPick } = props;
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const [at, setAt] = useState(times.length - 1);
  /** What the tip tells of. */
  const [told, setTold] = useState<number | undefined>(undefined);
  usePlot(draw, props, holder, plot, setTold);
  const point = Math.max(0, Math.min(at, times.length - 1));
  const show = (next: number) => {
    setAt(next);
    plot.current?.setCursor({ left: plot.current.valToPos(times[next] ?? 0, 'x'), top: 10 });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onPick?.(point);
    const next = pointAfter(event.key, point, times.length);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  const { time, values } = pointText(props, point);
  const empty = emptyText(props);
  return (
    <div
      class={onPick === undefined ? 'chart' : 'chart picks'}
      style={{ '--plot-height': `${props.height ?? CHART_HEIGHT}px` }}
    >
      <div
        class="plot"
        ref={holder}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={point}
        aria-valuetext={`${time}: ${values.join(', ')}`}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && show(point)}
        onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
      />
      {empty !== undefined && <p class="chart-none">{empty}</p>}
      {told !== undefined && <ChartTip chart={props} plot={plot.current} point={told} />}
      <Legend {...props} />
    </div>
  );
}

function pointAfter(key: string, point: number, count: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: point - 1,
    ArrowRight: point + 1,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(places, key) ? places[key] : undefined;
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

/** A square of the bars' colour, or a piece of the line as it is drawn. */
const Legend = ({ series, kind }: ChartProps) => (
  <ul class="legend">
    {series.map(({ label, colour, width }) => (
      <li key={label}>
        <span
          class={kind === 'lines' ? 'line' : ''}
          style={{ background: `var(${colour})`, ...(width !== undefined && { height: `${width}px` }) }}
        />
        {label}
      </li>
    ))}
  </ul>
);

type Holder = { readonly current: HTMLDivElement | null };

function usePlot(
  draw: Draw,
  props: ChartProps,
  holder: Holder,
  plot: { current: uPlot | undefined },
  onPoint: (point: number | undefined) => void,
): void {
  const [theme] = useTheme();
  const newest = useRef(props);
  newest.current = props;
  const shape = `${props.kind} ${props.series.map(({ label }) => label).join(' ')} ${props.times.length} ${theme}`;
  useEffect(() => {
    const place = holder.current;
    if (place === null || draw === undefined) return;
    const made = new draw(
      chartOptions(draw, place, () => newest.current, onPoint),
      plotData(newest.current),
      place,
    );
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: innerWidthOf(place), height: made.height }));
    sizes.observe(place);
    return () => {
      sizes.disconnect();
      made.destroy();
      plot.current = undefined;
      onPoint(undefined);
    };
  }, [shape, draw]);
  useEffect(() => plot.current?.setData(plotData(props)), [props, plot]);
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
