// What ran: filtered by what the address says, live.
import { FAILURE_CODES } from '../../../src/skills/define/failure.ts';
import { isUuid } from '../../../src/values/uuid.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { ChoiceFilter, TextFilter } from '../components/filter-fields.tsx';
import { InvocationTable } from '../components/invocation-list.tsx';
import { Page } from '../components/page.tsx';
import { FILTERS, type Filter } from '../model/invocation-rows.ts';
import type { AgentList, DefinitionList, Me } from '../model/shapes.ts';

const STATUSES = ['pending', 'running', 'completed', 'failed', 'timeout'];

const SINCE = {
  '': 'any time',
  '15m': 'the last 15 minutes',
  '1h': 'the last hour',
  '24h': 'the last day',
  '7d': 'the last week',
};

/** What the operator is called in the log. */
const OPERATOR = 'local';

export function InvocationsPage({ query, me }: { readonly query: URLSearchParams; readonly me: Me }) {
  const filter = filterOf(query);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title="Invocations" lede="Every run of a typed skill, newest first. New ones appear by themselves.">
      <Filters filter={filter} correlationId={query.get('correlation_id') ?? undefined} me={me} />
      <section class="card" aria-label="Invocations">
        <InvocationTable
          filter={filter}
          empty={
            isFiltered
              ? 'No invocation fits these filters, which must be met exactly. Clear them, or look further back.'
              : 'Invoke a typed skill from its page, from an agent, or by this command:'
          }
        />
      </section>
    </Page>
  );
}

interface FiltersProps {
  readonly filter: Filter;
  /** As the address has it, right or wrong. */
  readonly correlationId: string | undefined;
  readonly me: Me;
}

function Filters({ filter, correlationId, me }: FiltersProps) {
  const skills = useLoaded<DefinitionList>('/api/typed-skills').value?.skills ?? [];
  const agents = useLoaded<AgentList>(me.is_operator ? '/api/agents' : undefined).value?.agents ?? [];
  const skillNames = skills.map(({ name }) => name);
  const agentNames = [...new Set([OPERATOR, me.name, ...agents.map(({ name }) => name)])];
  return (
    <search class="filters">
      <TextFilter
        name="skill"
        label="Skill"
        placeholder="whole name"
        value={filter.skill}
        known={skillNames}
        isSearch
      />
      <ChoiceFilter name="status" label="Status" value={filter.status} choices={[['', 'any'], ...STATUSES.map(same)]} />
      <ChoiceFilter
        name="failure_code"
        label="Failure"
        value={filter.failure_code}
        choices={[['', 'any'], ...FAILURE_CODES.map(same)]}
      />
      <TextFilter name="agent" label="Agent" placeholder="whole name" value={filter.agent} known={agentNames} />
      <TextFilter
        name="correlation_id"
        label="Correlation id"
        placeholder="whole id"
        value={correlationId}
        faultOf={idFault}
      />
      <ChoiceFilter name="since" label="Started in" value={filter.since} choices={sinceChoices(filter.since)} />
      <a
        class={Object.keys(filter).length > 0 || correlationId !== undefined ? 'button quiet' : 'button quiet unshown'}
        href="/invocations"
      >
        Clear
      </a>
    </search>
  );
}

const idFault = (text: string): string | undefined =>
  text === '' || isUuid(text) ? undefined : 'Not a whole id: 8-4-4-4-12 hexadecimal digits';

const same = (value: string): readonly [string, string] => [value, value];

/** An id that is none is left out: its field says so. */
function filterOf(query: URLSearchParams): Filter {
  const given = FILTERS.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given.filter(([name, value]) => name !== 'correlation_id' || isUuid(value)));
}

/** A moment that another page put into the address is kept as a choice. */
function sinceChoices(since: string | undefined): readonly (readonly [string, string])[] {
  const usual = Object.entries(SINCE);
  return since === undefined || since in SINCE ? usual : [...usual, [since, `since ${since}`]];
}
