// One invocation: who ran what with which input, how long it took, what came out.
import { withQuery } from '../api/ask.ts';
import { useLive } from '../api/live.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { pathTo } from '../browser/router.ts';
import { Crumb } from '../components/crumb.tsx';
import { JsonView } from '../components/json-view.tsx';
import { Card, Page } from '../components/page.tsx';
import { StatusPill } from '../components/pills.tsx';
import { ResultView } from '../components/result-view.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import { When } from '../components/when.tsx';
import type { InvocationWithResult } from '../model/shapes.ts';
import { durationText, fullTimeText } from '../text/format.ts';

export function InvocationPage({ id }: { readonly id: string }) {
  const { value, trouble, reload } = useLoaded<InvocationWithResult>(`/api/invocations/${encodeURIComponent(id)}`);
  useLive(value?.result === null, (event) => {
    if (event.kind === 'tick' || (event.kind === 'invocation' && event.invocation.id === id)) reload();
  });
  if (value === undefined)
    return (
      <Page title="Invocation" crumb={<Crumb to="activity" />}>
        <div class="card">
          {trouble === undefined ? <Skeleton lines={8} /> : <Failed trouble={trouble} retry={reload} />}
        </div>
      </Page>
    );
  const { invocation, result } = value;
  return (
    <Page title={invocation.skill_name} crumb={<Crumb to="activity" />} tools={<Tools invocation={invocation} />}>
      <About value={value} />
      <div class="halves">
        <Card title="Input" note="without its secrets">
          <div class="card-body">
            <JsonView value={invocation.input_payload} label="Input" />
          </div>
        </Card>
        <Card title="Result">
          {result === null ? (
            <Empty title="It has not ended yet">The result appears here by itself.</Empty>
          ) : (
            <div class="card-body">
              <ResultView result={result} />
            </div>
          )}
        </Card>
      </div>
    </Page>
  );
}

const Tools = ({ invocation }: Pick<InvocationWithResult, 'invocation'>) => (
  <div class="pills">
    <a class="button" href={pathTo('traces', invocation.correlation_id)}>
      Trace
    </a>
    <a class="button" href={`${pathTo('typed', invocation.skill_name)}?from=${encodeURIComponent(invocation.id)}`}>
      Open in the form
    </a>
  </div>
);

const About = ({ value: { invocation, result } }: { readonly value: InvocationWithResult }) => (
  <Card title="About" note={<StatusPill status={invocation.status} />}>
    <div class="card-body">
      <dl class="facts">
        <dt>Skill</dt>
        <dd>
          <a href={pathTo('typed', invocation.skill_name)}>{invocation.skill_name}</a>
        </dd>
        <dt>Agent</dt>
        <dd>
          <a href={withQuery('/activity', { agent: invocation.invoking_agent })}>{invocation.invoking_agent}</a>
        </dd>
        <dt>Started</dt>
        <dd>
          {fullTimeText(new Date(invocation.timestamp))}{' '}
          <span class="muted">
            (<When at={invocation.timestamp} />)
          </span>
        </dd>
        <dt>Took</dt>
        <dd>{result === null ? 'still running' : durationText(result.duration_ms)}</dd>
        <dt>Correlation id</dt>
        <dd>
          <a class="mono" href={pathTo('traces', invocation.correlation_id)}>
            {invocation.correlation_id}
          </a>
        </dd>
        <dt>Invocation id</dt>
        <dd class="mono">{invocation.id}</dd>
      </dl>
    </div>
  </Card>
);
