// The figures of the overview: a row of numbers, and three charts over the same time.
import type { ComponentChildren } from 'preact';
import { windowWords } from '../../../src/values/duration-ms.ts';
import { useServerState } from '../api/server-state.ts';
import { Chart } from '../chart/chart.tsx';
import type { ChartProps } from '../chart/chart-options.ts';
import { Card } from '../components/page.tsx';
import type { Picked } from '../model/picked-time.ts';
import type { Overview } from '../model/shapes.ts';
import { countText, durationText, percentText, plural } from '../text/format.ts';

export function Tiles({ overview: { totals, skills, window, ...overview } }: { readonly overview: Overview }) {
  // The number that the navigation shows, too.
  const { problems = overview.problems } = useServerState();
  return (
    <dl class="tiles">
      <Tile name="Invocations" note={`in the last ${windowWords(window)}`}>
        {countText(totals.count)}
      </Tile>
      <Tile name="Succeeded" note={failuresText(totals)}>
        {totals.success_rate === null ? '–' : percentText(totals.success_rate)}
      </Tile>
      <Tile name="95th percentile" note={spreadText(totals)}>
        {totals.p95 === null ? '–' : durationText(totals.p95)}
      </Tile>
      <Tile name="Documents read" note={`in the last ${windowWords(window)}`}>
        {countText(totals.loads)}
      </Tile>
      <Tile
        name="Skills"
        note={<a href="/skills">{`${plural(skills.documents, 'document')}, ${countText(skills.typed)} typed`}</a>}
      >
        {countText(skills.documents + skills.typed)}
      </Tile>
      <Tile name="Problems" note={problems === 0 ? 'everything is served' : <a href="/problems">What to do</a>}>
        {countText(problems)}
      </Tile>
    </dl>
  );
}

interface TileProps {
  readonly name: string;
  readonly note: ComponentChildren;
  readonly children: ComponentChildren;
}

const Tile = ({ name, note, children }: TileProps) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd>{children}</dd>
    <dd class="note">{note}</dd>
  </div>
);

function failuresText({ count, failure_count }: Overview['totals']): string {
  if (count === 0) return 'nothing ran';
  return failure_count === 0 ? 'no failures' : plural(failure_count, 'failure');
}

const spreadText = ({ p50 }: Overview['totals']): string =>
  p50 === null ? 'nothing ran' : `median ${durationText(p50)}`;

interface ChartsProps {
  readonly overview: Overview;
  readonly onPick: (index: number) => void;
  readonly picked: Picked | undefined;
}

export function Charts({ overview: { series, step_seconds }, onPick, picked }: ChartsProps) {
  const times = series.map(({ start }) => Date.parse(start) / 1_000);
  const picking = picked === undefined ? { onPick } : { onPick, marked: Date.parse(picked.filter.since) / 1_000 };
  const per = STEPS[step_seconds] ?? 'step';
  const note = 'select a bar to see what ran then';
  return (
    <>
      <Card title={`Invocations per ${per}`} note={<span class="hide-small">{note}</span>}>
        <Chart
          label={`Invocations per ${per}: ${note}`}
          times={times}
          series={[
            { label: 'succeeded', colour: '--chart-good', values: series.map((at) => at.success_count) },
            { label: 'failed', colour: '--chart-bad', values: series.map((at) => at.failure_count) },
          ]}
          kind="stack"
          format={countText}
          none="nothing ran"
          {...picking}
        />
      </Card>
      <div class="halves">
        <Card title="Duration">
          <Durations series={series} times={times} picking={picking} />
        </Card>
        <Card title={`Documents read per ${per}`}>
          <Chart
            label={`Documents read per ${per}`}
            times={times}
            series={[{ label: 'read', colour: '--chart-load', values: series.map((at) => at.loads) }]}
            kind="stack"
            format={countText}
            none="nothing read"
          />
        </Card>
      </div>
    </>
  );
}

interface DurationsProps {
  readonly series: Overview['series'];
  readonly times: readonly number[];
  readonly picking: Pick<ChartProps, 'onPick' | 'marked'>;
}

/** Told apart without colours, too: the rarer, the broader. */
const Durations = ({ series, times, picking }: DurationsProps) => (
  <Chart
    label="Duration of invocations"
    times={times}
    series={[
      { label: 'median', colour: '--chart-p50', width: 1.5, values: series.map((at) => at.p50) },
      { label: '95th percentile', colour: '--chart-p95', width: 3.5, values: series.map((at) => at.p95) },
      { label: '99th percentile', colour: '--chart-p99', width: 6, values: series.map((at) => at.p99) },
    ]}
    kind="lines"
    format={durationText}
    none="nothing ran"
    {...picking}
  />
);

const STEPS: Readonly<Record<number, string>> = { 60: 'minute', 3600: 'hour', 86400: 'day' };
