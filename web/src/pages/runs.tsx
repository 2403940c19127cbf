// Runs, which outlive the call that asked for them: how each stands, live, filtered by what the address says (J2, J8).
import { useOutage } from '../api/server-state.ts';
import { type RunFilter, type RunsView, useRuns } from '../api/use-runs.ts';
import { setQuery } from '../browser/router.ts';
import { Card, Page } from '../components/page.tsx';
import { RunTable } from '../components/run-table.tsx';
import { RunTabs } from '../components/run-tabs.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import type { Me, Run } from '../model/shapes.ts';

const STATES = { '': 'any', waiting: 'waiting for approval', unfinished: 'unfinished', finished: 'finished' } as const;

export function RunsPage({ query, me }: { readonly query: URLSearchParams; readonly me: Me }) {
  const filter = filterOf(query);
  const runs = useRuns(me, filter);
  const waiting = useRuns(me, WAITING, me.may_decide_runs);
  const isWhole = !me.may_decide_runs || waiting.value !== undefined || waiting.trouble !== undefined;
  const toDecide = waiting.value?.runs.filter(({ may_decide }) => may_decide) ?? [];
  return (
    <Page title="Runs" lede={ledeFor(me)} {...(me.may_read_log ? { tools: <RunTabs here="runs" /> } : {})}>
      {isWhole && filter.state === '' && toDecide.length > 0 && (
        <Card title="Waiting for your decision" isMarked>
          <RunTable runs={toDecide} me={me} />
        </Card>
      )}
      <Filters filter={filter} me={me} runs={[...toDecide, ...(runs.value?.runs ?? [])]} />
      <section class="card" aria-label="Runs">
        {isWhole ? <List runs={runs} me={me} filter={filter} /> : <Skeleton lines={8} />}
      </section>
    </Page>
  );
}

const WAITING: RunFilter = { state: 'waiting', skill: '' };

const ledeFor = (me: Me): string =>
  `${me.may_read_log ? 'Calls' : 'Your calls'} that are stored before they run and survive a restart of the server, newest first.`;

/** What the address says may have been typed by hand. */
function filterOf(query: URLSearchParams): RunFilter {
  const state = query.get('state') ?? '';
  return { state: Object.hasOwn(STATES, state) ? state : '', skill: query.get('skill') ?? '' };
}

interface FiltersProps {
  readonly filter: RunFilter;
  readonly me: Me;
  /** Those that are shown. */
  readonly runs: readonly Run[];
}

function Filters({ filter, me, runs }: FiltersProps) {
  const isFiltered = filter.state !== '' || filter.skill !== '';
  // Also what those who read the log or decide may not invoke.
  const names = new Set([...me.may_invoke, ...runs.map(({ skill_name }) => skill_name)]);
  const skills = [...names, ...(filter.skill === '' || names.has(filter.skill) ? [] : [filter.skill])].toSorted();
  return (
    <search class="filters">
      <Choices
        name="state"
        label="State"
        value={filter.state}
        choices={Object.entries(STATES).map(([value, text]) => ({ value, text }))}
      />
      <Choices
        name="skill"
        label="Skill"
        value={filter.skill}
        choices={[{ value: '', text: 'any' }, ...skills.map((name) => ({ value: name, text: name }))]}
      />
      <a class={isFiltered ? 'button quiet' : 'button quiet unshown'} href="/runs">
        Clear
      </a>
    </search>
  );
}

interface ChoicesProps {
  readonly name: 'state' | 'skill';
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly text: string }[];
}

const Choices = ({ name, label, value, choices }: ChoicesProps) => (
  <div class="field">
    <label class="field-label" for={`filter-${name}`}>
      {label}
    </label>
    <select id={`filter-${name}`} value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.text}
        </option>
      ))}
    </select>
  </div>
);

interface ListProps {
  readonly runs: RunsView;
  readonly me: Me;
  readonly filter: RunFilter;
}

function List({ runs: { value, trouble, reload, hasMore, loadMore }, me, filter }: ListProps) {
  const isOutage = useOutage(trouble);
  const hasRows = value !== undefined && value.runs.length > 0;
  if (trouble !== undefined && !(isOutage && hasRows)) return <Failed trouble={trouble} retry={reload} />;
  if (value === undefined) return <Skeleton lines={8} />;
  if (value.runs.length === 0) return <None me={me} filter={filter} />;
  return (
    <>
      <div class={isOutage ? 'stale' : ''}>
        <RunTable runs={value.runs} me={me} />
      </div>
      {hasMore && !isOutage && (
        <div class="more">
          <button type="button" class="button" onClick={loadMore}>
            Show more
          </button>
        </div>
      )}
    </>
  );
}

function None({ me, filter: { state, skill } }: Pick<ListProps, 'me' | 'filter'>) {
  if (state === 'waiting' && skill === '')
    return (
      <Empty title="Nothing waits for a decision">
        A run of a skill that needs approval appears here by itself. <a href="/runs">Show all runs</a>
      </Empty>
    );
  if (state !== '' || skill !== '')
    return (
      <Empty title="No run fits these filters">
        <a href="/runs">Show all runs</a>
      </Empty>
    );
  return (
    <Empty title="No runs yet" command={{ words: "invoke SKILL --async --input '{}'", reach: 'typed' }}>
      A typed skill with <code>durable</code> or <code>approval: 'required'</code> in its definition makes runs: call it
      from its page in <a href="/skills">Skills</a>, over the API with <code>Prefer: respond-async</code>, or{' '}
      {me.is_operator ? "on the server's machine:" : 'with:'}
    </Empty>
  );
}
