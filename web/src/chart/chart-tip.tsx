// What a point of a chart stands for, beside it: its time, and its values in words.
import type uPlot from 'uplot';
import type { ChartProps } from './chart-options.ts';
import { pointText } from './point-text.ts';

interface ChartTipProps {
  readonly chart: ChartProps;
  /** `undefined`: not drawn any more. */
  readonly plot: uPlot | undefined;
  readonly point: number;
}

/** Away from the point, so that it hides neither it nor what is left of it. */
const GAP = 12;

/** Readers who do not see it are told by the slider. */
export function ChartTip({ chart, plot, point }: ChartTipProps) {
  if (plot === undefined) return null;
  const { time, values } = pointText(chart, point);
  const left = plot.over.offsetLeft + plot.valToPos(chart.times[point] ?? 0, 'x');
  const isRight = left > plot.width / 2;
  const place = isRight ? { right: `${plot.width - left + GAP}px` } : { left: `${left + GAP}px` };
  return (
    <div class="chart-tip" style={place} aria-hidden="true">
      <strong>{time}</strong>
      {values.map((value) => (
        <div key={value}>{value}</div>
      ))}
    </div>
  );
}
