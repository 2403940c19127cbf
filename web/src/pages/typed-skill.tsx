// One typed skill: what it takes and gives, how it has gone, and a form that invokes it.
import { type Trouble, withQuery } from '../api/ask.ts';
import type { LiveEvent } from '../api/live.ts';
import { useChange } from '../api/use-change.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { Chart } from '../chart/chart.tsx';
import { Crumb } from '../components/crumb.tsx';
import { Card, Page } from '../components/page.tsx';
import { Empty, Failed, Show, Skeleton } from '../components/states.tsx';
import { UsesCard } from '../components/uses-card.tsx';
import { InvokeForm } from '../form/invoke-form.tsx';
import { SchemaView } from '../form/schema-table.tsx';
import { durableText, limitsText } from '../model/definition-words.ts';
import { grantWords } from '../model/grant-words.ts';
import type { Definition, InvocationWithResult, Me, Stats } from '../model/shapes.ts';
import { countText, durationText, percentText, plural } from '../text/format.ts';

interface TypedSkillPageProps {
  readonly name: string;
  readonly query: URLSearchParams;
  readonly me: Me;
}

export function TypedSkillPage({ name, query, me }: TypedSkillPageProps) {
  const { value, trouble, reload } = useLoaded<Definition>(`/api/typed-skills/${encodeURIComponent(name)}`);
  useChange(me, reload);
  const from = query.get('from');
  const earlier = useLoaded<InvocationWithResult>(
    from === null ? undefined : `/api/invocations/${encodeURIComponent(from)}`,
  );
  const isWaiting = from !== null && earlier.value === undefined && earlier.trouble === undefined;
  if (value === undefined || isWaiting || trouble?.status === 404)
    return (
      <Page title={name} crumb={<Crumb to="skills" />}>
        <div key="coming" class="card">
          {trouble === undefined ? <Skeleton lines={12} /> : <NotShown me={me} trouble={trouble} retry={reload} />}
        </div>
      </Page>
    );
  return (
    <Page
      title={value.name}
      crumb={<Crumb to="skills" />}
      lede={value.description}
      tools={<span class="pill">{value.category}</span>}
    >
      <div key="there" class="halves">
        <div class="stack">
          <InvokeForm
            definition={value}
            me={me}
            start={earlier.value?.invocation.input_payload ?? ownStart(value, me)}
          />
        </div>
        <div class="stack">
          {me.may_read_log && <History name={name} />}
          {me.may_read_log && <UsesCard name={name} kind="typed" />}
          <Card title="Input">
            <SchemaView schema={value.input_schema} label="Input" />
          </Card>
          <Card title="Result">
            <SchemaView schema={value.output_schema} label="Result" />
          </Card>
          <About definition={value} />
        </div>
      </div>
    </Page>
  );
}

/** A user acts for themselves unless a role lets them act for others: their own id is filled in. */
const ownStart = ({ input_schema: { properties } }: Definition, me: Me) =>
  me.kind === 'user' && typeof properties === 'object' && properties !== null && 'user_id' in properties
    ? { user_id: me.name }
    : undefined;

interface NotShownProps {
  readonly me: Me;
  readonly trouble: Trouble;
  readonly retry: () => void;
}

/** The server does not tell a skill that the reader may not invoke from one that does not exist (X10). */
function NotShown({ me, trouble, retry }: NotShownProps) {
  if (trouble.status !== 404 || me.is_operator) return <Failed trouble={trouble} retry={retry} />;
  const roles = me.roles.length === 0 ? 'no role' : me.roles.join(', ');
  if (me.kind === 'user')
    return (
      <Empty title={NOT_YOURS} command={{ words: grantWords(me, '--role ROLE'), reach: 'store' }}>
        It does not exist, or it needs a role that you do not have: you have {roles}. The operator can grant you one:
      </Empty>
    );
  return (
    <Empty title={NOT_YOURS} command={{ words: 'agent add NAME --role ROLE', reach: 'store' }}>
      It does not exist, or it is for other roles: the agent {me.name} acts as {roles}. The operator can add an agent
      with other roles:
    </Empty>
  );
}

const NOT_YOURS = 'No skill of this name that you may invoke';

const About = ({ definition }: { readonly definition: Definition }) => (
  <Card title="What it promises">
    <div class="card-body">
      <dl class="facts">
        {definition.success_criteria.length > 0 && (
          <>
            <dt>Success</dt>
            <dd>
              {definition.success_criteria.map((criterion) => (
                <div key={criterion}>{criterion}</div>
              ))}
            </dd>
          </>
        )}
        <dt>Failures</dt>
        <dd class="pills">
          {definition.failure_modes.length === 0 && <span class="muted">none of its own</span>}
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
        <HowItRuns definition={definition} />
      </dl>
    </div>
  </Card>
);

/** Only what was set for it. */
const HowItRuns = ({ definition }: { readonly definition: Definition }) => (
  <>
    {definition.limits !== undefined && (
      <>
        <dt>Limits</dt>
        <dd>{limitsText(definition.limits)}</dd>
      </>
    )}
    {definition.durable !== undefined && (
      <>
        <dt>Durable</dt>
        <dd>{durableText(definition.durable)}</dd>
      </>
    )}
    {definition.approval !== undefined && (
      <>
        <dt>Approval</dt>
        <dd>required: each run waits until a person allows it</dd>
      </>
    )}
  </>
);

function History({ name }: { readonly name: string }) {
  const stats = useLoaded<Stats>(withQuery('/api/stats', { skill: name, window: '24h' }));
  const isNone = stats.value?.skills.length === 0;
  const matters = (event: LiveEvent) => event.kind === 'invocation' && event.invocation.skill_name === name;
  // "Not invoked" must not stand beside the result of a run.
  useRefresh(stats.reload, matters, isNone ? AT_ONCE_MS : undefined);
  return (
    <Card title="The last day">
      <div class="day">
        <Show loaded={stats} lines={6}>
          {({ skills: [own], series }) =>
            own === undefined ? (
              <p class="day-none muted">Not invoked in this period.</p>
            ) : (
              <Day name={name} own={own} series={series} />
            )
          }
        </Show>
      </div>
    </Card>
  );
}

interface DayProps {
  readonly name: string;
  readonly own: Stats['skills'][number];
  readonly series: Stats['series'];
}

const Day = ({ name, own, series }: DayProps) => (
  <>
    <p class="card-body small">
      {plural(own.count, 'invocation')}, {percentText(own.success_rate)} succeeded
      {own.caller_failure_count > 0 && ` (${plural(own.caller_failure_count, 'failure')} by callers)`}; median{' '}
      {durationText(own.duration_ms.p50)}, 95th percentile {durationText(own.duration_ms.p95)}.
    </p>
    <Chart
      label={`Invocations of ${name} in the last day`}
      times={series.map(({ start }) => Date.parse(start) / 1_000)}
      series={[
        { label: 'succeeded', colour: '--chart-good', values: series.map((at) => at.count - at.failure_count) },
        { label: 'failed', colour: '--chart-bad', values: series.map((at) => at.failure_count) },
      ]}
      kind="stack"
      format={countText}
      none="nothing ran"
      height={DAY_HEIGHT}
    />
  </>
);

const DAY_HEIGHT = 140;

const AT_ONCE_MS = 50;
