// One typed skill: what it takes and gives, how it has gone, and a form that invokes it.
import { withQuery } from '../api/ask.ts';
import type { Definition, InvocationWithResult, Me, Stats } from '../api/shapes.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { Chart } from '../components/chart.tsx';
import { Card, Page } from '../components/page.tsx';
import { SchemaTable } from '../components/schema-table.tsx';
import { Failed, Show, Skeleton } from '../components/states.tsx';
import { InvokeForm } from '../form/invoke-form.tsx';
import { countText, durationText, percentText, plural } from '../format.ts';

interface TypedSkillPageProps {
  readonly name: string;
  readonly query: URLSearchParams;
  readonly me: Me;
}

const CRUMB = <a href="/skills">Skills</a>;

export function TypedSkillPage({ name, query, me }: TypedSkillPageProps) {
  const { value, trouble, reload } = useLoaded<Definition>(`/api/typed-skills/${encodeURIComponent(name)}`);
  const from = query.get('from');
  const earlier = useLoaded<InvocationWithResult>(
    from === null ? undefined : `/api/invocations/${encodeURIComponent(from)}`,
  );
  const isWaiting = from !== null && earlier.value === undefined && earlier.trouble === undefined;
  if (value === undefined || isWaiting)
    return (
      <Page title={name} crumb={CRUMB}>
        <div class="card">
          {trouble === undefined ? <Skeleton lines={12} /> : <Failed trouble={trouble} retry={reload} />}
        </div>
      </Page>
    );
  return (
    <Page title={value.name} crumb={CRUMB} lede={value.description} tools={<span class="pill">{value.category}</span>}>
      <div class="halves">
        <div class="stack">
          <InvokeForm definition={value} me={me} start={earlier.value?.invocation.input_payload} />
        </div>
        <div class="stack">
          {me.may_read_log && <History name={name} />}
          <Card title="Input">
            <SchemaTable schema={value.input_schema} label="Input" />
          </Card>
          <Card title="Result">
            <SchemaTable schema={value.output_schema} label="Result" />
          </Card>
          <About definition={value} />
        </div>
      </div>
    </Page>
  );
}

const About = ({ definition }: { readonly definition: Definition }) => (
  <Card title="What it promises">
    <div class="card-body">
      <dl class="facts">
        <dt>Success</dt>
        <dd>
          {definition.success_criteria.length === 0 && <span class="muted">nothing is said</span>}
          {definition.success_criteria.map((criterion) => (
            <div key={criterion}>{criterion}</div>
          ))}
        </dd>
        <dt>Failures</dt>
        <dd class="pills">
          {definition.failure_modes.map((code) => (
            <span key={code} class="pill">
              {code}
            </span>
          ))}
        </dd>
        <dt>Agents</dt>
        <dd>{definition.assigned_to.length === 0 ? 'every agent' : definition.assigned_to.join(', ')}</dd>
        <dt>Time limit</dt>
        <dd>{definition.timeout_seconds} s</dd>
      </dl>
    </div>
  </Card>
);

function History({ name }: { readonly name: string }) {
  const stats = useLoaded<Stats>(withQuery('/api/stats', { skill: name, window: '24h' }));
  const link = <a href={`/invocations?skill=${encodeURIComponent(name)}`}>Invocations</a>;
  return (
    <Card title="The last day" note={link}>
      <Show loaded={stats} lines={6}>
        {({ skills: [own], series }) =>
          own === undefined ? (
            <p class="card-body muted">Nobody invoked it in this time.</p>
          ) : (
            <>
              <p class="card-body small">
                {plural(own.count, 'invocation')}, {percentText(own.success_rate)} succeeded; p50{' '}
                {durationText(own.duration_ms.p50)}, p95 {durationText(own.duration_ms.p95)}.
              </p>
              <Chart
                label={`Invocations of ${name} in the last day`}
                times={series.map(({ start }) => Date.parse(start) / 1_000)}
                series={[
                  {
                    label: 'succeeded',
                    colour: '--chart-good',
                    values: series.map((at) => at.count - at.failure_count),
                  },
                  { label: 'failed', colour: '--chart-bad', values: series.map((at) => at.failure_count) },
                ]}
                kind="stack"
                format={countText}
                height={140}
              />
            </>
          )
        }
      </Show>
    </Card>
  );
}
