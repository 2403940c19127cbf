// Everything that ran under one correlation id, as bars on one time axis: the steps of a workflow, and what they waited for.
import { withQuery } from '../api/ask.ts';
import { loadTrace } from '../api/load-trace.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { pathTo } from '../browser/router.ts';
import { Crumb } from '../components/crumb.tsx';
import { Name } from '../components/name.tsx';
import { Card, Page } from '../components/page.tsx';
import { StatusPill } from '../components/pills.tsx';
import { Empty, Show } from '../components/states.tsx';
import { rowOf } from '../model/invocation-row.ts';
import { callerText } from '../model/run-state.ts';
import type { InvocationList } from '../model/shapes.ts';
import { type Step, type Trace, traceOf } from '../model/trace.ts';
import type { Traced } from '../model/workflow-steps.ts';
import { durationText, plural, timeText } from '../text/format.ts';

/** Of the indent: the names need room, too. */
const DEEPEST = 4;

export function TracePage({ correlationId }: { readonly correlationId: string }) {
  const path = withQuery('/api/invocations', { correlation_id: correlationId });
  const loaded = useLoaded(path, { load: loadTrace });
  useRefresh(loaded.reload, (event) => {
    if (event.kind === 'tick') return true;
    return event.kind === 'invocation' && event.invocation.correlation_id === correlationId.toLowerCase();
  });
  const trace = loaded.value === undefined ? undefined : traceOf(loaded.value.map(tracedOf), new Date());
  return (
    <Page title="Trace" crumb={<Crumb to="activity" />} lede={<code>{correlationId}</code>}>
      <Card title={trace === undefined ? 'Steps' : plural(trace.stepCount, 'step')}>
        <Show loaded={{ ...loaded, value: trace }} lines={6}>
          {(shown) =>
            shown.steps.length === 0 ? (
              <Empty title="Nothing ran under this id">Send it as X-Correlation-Id with what belongs together.</Empty>
            ) : (
              <Steps trace={shown} />
            )
          }
        </Show>
      </Card>
    </Page>
  );
}

const tracedOf = (invocation: InvocationList['invocations'][number]): Traced => ({
  row: rowOf(invocation),
  input: invocation.input_payload,
  output: invocation.result?.output_payload ?? undefined,
});

function Steps({ trace: { steps, startedAt, totalMs } }: { readonly trace: Trace }) {
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

const StepRow = ({ step }: { readonly step: Step }) => {
  const { row, stepId, depth, left, width, tone, durationMs, offsetMs } = step;
  return (
    <tr>
      <td class="wide">
        <div class="trace-step" style={{ '--depth': String(Math.min(depth, DEEPEST)) }}>
          <a class="row-link" href={pathTo('invocations', row.id)}>
            <Name text={row.skill} />
          </a>
          {/* A step runs as the caller of the workflow. */}
          <div class="small muted">
            {stepId === undefined ? (
              callerText(row.agent)
            ) : (
              <>
                step <code>{stepId}</code>
              </>
            )}
          </div>
        </div>
      </td>
      <td class="fit hide-small">
        <StatusPill status={row.status} />
      </td>
      <td>
        <div class="lane">
          <span
            class={tone}
            style={{ left: `${left}%`, width: `${width}%` }}
            title={`after ${durationText(offsetMs)}`}
          />
        </div>
      </td>
      <td class="number fit">{row.durationMs === undefined ? 'running' : durationText(durationMs)}</td>
    </tr>
  );
};
