// What a chart would show, as a small table: for browsers that cannot run the drawing.
import { timeText } from '../text/format.ts';
import type { ChartProps } from './chart-options.ts';

const MOST_LINES = 12;

/** The newest points at which there is something, newest first. */
export function ChartNumbers({ label, times, series, format, onPick }: ChartProps) {
  const points = times.flatMap((time, at) => (series.some(({ values }) => values[at]) ? [{ time, at }] : []));
  if (points.length === 0) return <p class="card-body small muted">This browser cannot draw the chart. Nothing yet.</p>;
  return (
    <>
      <p class="card-body small muted">This browser cannot draw the chart. The newest of its numbers:</p>
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ label: name }) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points
            .reverse()
            .slice(0, MOST_LINES)
            .map(({ time, at }) => (
              <tr key={time}>
                <td>
                  <PointTime time={time} pick={onPick === undefined ? undefined : () => onPick(at)} />
                </td>
                {series.map(({ label: name, values }) => (
                  <td key={name} class="number">
                    {valueText(values[at], format)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}

function PointTime({ time, pick }: { readonly time: number; readonly pick: (() => void) | undefined }) {
  const text = timeText(new Date(time * 1_000));
  if (pick === undefined) return <>{text}</>;
  return (
    <button type="button" class="button quiet little" onClick={pick}>
      {text}
    </button>
  );
}

const valueText = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? 'none' : format(value);
