// What ran: filtered by what the address says, live.
import { useEffect, useState } from 'preact/hooks';
import { InvocationTable } from '../components/invocation-list.tsx';
import { Page } from '../components/page.tsx';
import { FILTERS, type Filter } from '../invocation-rows.ts';
import { setQuery } from '../router.ts';

const TYPING_MS = 300;

const STATUSES = ['pending', 'running', 'completed', 'failed', 'timeout'];

const SINCE = {
  '': 'any time',
  '15m': 'the last 15 minutes',
  '1h': 'the last hour',
  '24h': 'the last day',
  '7d': 'the last week',
};

export function InvocationsPage({ query }: { readonly query: URLSearchParams }) {
  const filter = filterOf(query);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title="Invocations" lede="Every run of a typed skill, newest first. New ones appear by themselves.">
      <search class="filters">
        <TextFilter name="skill" label="Skill" value={filter.skill} isSearch />
        <Choice name="status" label="Status" value={filter.status} choices={[['', 'any'], ...STATUSES.map(same)]} />
        <TextFilter name="agent" label="Agent" value={filter.agent} />
        <TextFilter name="correlation_id" label="Correlation id" value={filter.correlation_id} />
        <Choice name="since" label="Started in" value={filter.since} choices={sinceChoices(filter.since)} />
        {isFiltered && (
          <a class="button quiet" href="/invocations">
            Clear
          </a>
        )}
      </search>
      <section class="card" aria-label="Invocations">
        <InvocationTable
          filter={filter}
          empty={
            isFiltered
              ? 'No invocation fits these filters. Clear them, or look further back.'
              : 'Invoke a typed skill from its page, from an agent, or by this command:'
          }
        />
      </section>
    </Page>
  );
}

const same = (value: string): readonly [string, string] => [value, value];

function filterOf(query: URLSearchParams): Filter {
  const given = FILTERS.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

/** A moment that another page put into the address is kept as a choice. */
function sinceChoices(since: string | undefined): readonly (readonly [string, string])[] {
  const usual = Object.entries(SINCE);
  return since === undefined || since in SINCE ? usual : [...usual, [since, `since ${since}`]];
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [string, string])[];
}

const Choice = ({ name, label, value = '', choices }: ChoiceProps) => (
  <div class="field">
    <label class="field-label" for={`filter-${name}`}>
      {label}
    </label>
    <select
      id={`filter-${name}`}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value, until: undefined })}
    >
      {choices.map(([choice, text]) => (
        <option key={choice} value={choice} selected={choice === value}>
          {text}
        </option>
      ))}
    </select>
  </div>
);

interface TextFilterProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly isSearch?: boolean;
}

function TextFilter({ name, label, value = '', isSearch = false }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    const timer = setTimeout(() => typed.trim() !== value && setQuery({ [name]: typed.trim() }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, name]);
  return (
    <div class="field">
      <label class="field-label" for={`filter-${name}`}>
        {label}
      </label>
      <input
        id={`filter-${name}`}
        // Its types know one literal at a time, not a choice of two.
        {...({ type: isSearch ? 'search' : 'text' } as { type: 'text' })}
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}
