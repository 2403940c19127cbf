// Everything that ran under one correlation id, as bars on one time axis: the steps of a workflow, and what they waited for.
import { withQuery } from '../api/ask.ts';
import type { InvocationList } from '../api/shapes.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { Crumb } from '../components/crumb.tsx';
import { Name } from '../components/name.tsx';
import { Card, Page } from '../components/page.tsx';
import { StatusPill } from '../components/pills.tsx';
import { Empty, Show } from '../components/states.tsx';
import { durationText, plural, timeText } from '../format.ts';
import { rowOf } from '../invocation-rows.ts';
import { pathTo } from '../router.ts';
import { type Step, traceOf } from '../trace.ts';

const MOST_STEPS = 1_000;

export function TracePage({ correlationId }: { readonly correlationId: string }) {
  const path = withQuery('/api/invocations', { correlation_id: correlationId, limit: MOST_STEPS });
  const loaded = useLoaded<InvocationList>(path);
  useRefresh(loaded.reload, (event) => {
    if (event.kind === 'tick') return true;
    return event.kind === 'invocation' && event.invocation.correlation_id === correlationId.toLowerCase();
  });
  const count = loaded.value?.invocations.length;
  return (
    <Page title="Trace" crumb={<Crumb to="invocations" />} lede={<code>{correlationId}</code>}>
      <Card title={count === undefined ? 'Steps' : plural(count, 'step')}>
        <Show loaded={loaded} lines={6}>
          {({ invocations }) =>
            invocations.length === 0 ? (
              <Empty title="Nothing ran under this id">Send it as X-Correlation-Id with what belongs together.</Empty>
            ) : (
              <Steps invocations={invocations} />
            )
          }
        </Show>
      </Card>
    </Page>
  );
}

function Steps({ invocations }: Pick<InvocationList, 'invocations'>) {
  const { steps, startedAt, totalMs } = traceOf(invocations.map(rowOf), new Date());
  return (
    <div class="table-wrap">
      <table class="table rows trace">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" class="hide-small">
              Outcome
            </th>
            <th scope="col">
              <span class="axis">
                <span>{timeText(startedAt)}</span>
                <span>+{durationText(totalMs)}</span>
              </span>
            </th>
            <th scope="col" class="number">
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <StepRow key={step.row.id} step={step} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const StepRow = ({ step: { row, left, width, tone, durationMs, offsetMs } }: { readonly step: Step }) => (
  <tr>
    <td class="wide">
      <a class="row-link" href={pathTo('invocations', row.id)}>
        <Name text={row.skill} />
      </a>
      <div class="small muted">{row.agent}</div>
    </td>
    <td class="fit hide-small">
      <StatusPill status={row.status} />
    </td>
    <td>
      <div class="lane">
        <span class={tone} style={{ left: `${left}%`, width: `${width}%` }} title={`after ${durationText(offsetMs)}`} />
      </div>
    </td>
    <td class="number fit">{row.durationMs === undefined ? 'running' : durationText(durationMs)}</td>
  </tr>
);
