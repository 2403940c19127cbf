// What agents read and ran, as one stream: filtered by what the address says, live.
import { useState } from 'preact/hooks';
import { isUuid } from '../../../src/values/uuid.ts';
import { withQuery } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { setQuery } from '../browser/router.ts';
import { ActivityTable } from '../components/activity-list.tsx';
import { type Choice, ComboFilter } from '../components/combo-filter.tsx';
import { CorrelationFilter, SinceFilter } from '../components/filter-fields.tsx';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { FILTERS, type Filter } from '../model/activity-rows.ts';
import type { ActivityChoices, Me } from '../model/shapes.ts';
import { timeText } from '../text/format.ts';

const KINDS = { '': 'All', read: 'Documents', file: 'Files', run: 'Runs' } as const;

const SINCE = {
  '': 'any time',
  '15m': 'the last 15 minutes',
  '1h': 'the last hour',
  '24h': 'the last day',
  '7d': 'the last week',
  '30d': 'the last 30 days',
};

export function ActivityPage({ query, me }: { readonly query: URLSearchParams; readonly me: Me }) {
  const filter = filterOf(query);
  return (
    <Page title="Activity" lede="What agents read and ran, newest first." tools={<Kinds kind={filter.kind ?? ''} />}>
      <Filters filter={filter} correlationId={query.get('correlation_id') ?? undefined} />
      <section class="card" aria-label="Activity">
        <ActivityTable filter={filter} empty={Object.keys(filter).length > 0 ? <NothingFits /> : <Nothing me={me} />} />
      </section>
    </Page>
  );
}

const NothingFits = () => (
  <Empty title="Nothing fits these filters">
    Look further back, or <a href="/activity">show everything</a>.
  </Empty>
);

const Nothing = ({ me }: { readonly me: Me }) => (
  <Empty title="Nothing yet">
    When an agent reads a skill or runs one, it appears here by itself.{' '}
    {me.is_operator && <a href="/connect">Connect an agent</a>}
  </Empty>
);

const Kinds = ({ kind }: { readonly kind: string }) => (
  <fieldset class="segments">
    <legend class="unseen">Which kind</legend>
    {Object.entries(KINDS).map(([value, label]) => (
      <button key={value} type="button" aria-pressed={kind === value} onClick={() => setQuery({ kind: value })}>
        {label}
      </button>
    ))}
  </fieldset>
);

interface FiltersProps {
  readonly filter: Filter;
  /** As the address has it, right or wrong. */
  readonly correlationId: string | undefined;
}

function Filters({ filter, correlationId }: FiltersProps) {
  const isFiltered = Object.keys(filter).length > 0 || correlationId !== undefined;
  return (
    <search class="filters">
      <NameFilter name="skill" label="Skill" filter={filter} isSearch />
      <NameFilter name="agent" label="Agent" filter={filter} />
      <OutcomeFilter filter={filter} />
      <SinceFilter value={filter.since} choices={sinceChoices(filter)} />
      <CorrelationFilter value={correlationId} />
      <a class={isFiltered ? 'button quiet' : 'button quiet unshown'} href="/activity">
        Clear
      </a>
    </search>
  );
}

interface NameFilterProps {
  readonly name: 'skill' | 'agent';
  readonly label: string;
  readonly filter: Filter;
  readonly isSearch?: boolean;
}

function NameFilter({ name, label, filter, isSearch = false }: NameFilterProps) {
  const { value, open } = useChoices({ ...filter, [name]: undefined });
  return (
    <ComboFilter
      name={name}
      label={label}
      value={filter[name] ?? ''}
      choices={value?.[`${name}s`].map(choiceOf)}
      isSearch={isSearch}
      onOpen={open}
      onPick={(picked) => setQuery({ [name]: picked })}
    />
  );
}

/** How something ended: its status, or the code that it failed with, which says more. */
function OutcomeFilter({ filter }: { readonly filter: Filter }) {
  const { value, open } = useChoices({ ...filter, status: undefined, failure_code: undefined });
  const isCode = (text: string) => value?.failure_codes.some(({ name }) => name === text) ?? /^[A-Z_]+$/.test(text);
  return (
    <ComboFilter
      name="outcome"
      label="Outcome"
      value={filter.failure_code ?? filter.status ?? ''}
      choices={value && [...value.statuses, ...value.failure_codes].map(choiceOf)}
      isClosed
      onOpen={open}
      onPick={(picked) =>
        setQuery({ status: isCode(picked) ? '' : picked, failure_code: isCode(picked) ? picked : '' })
      }
    />
  );
}

const choiceOf = ({ name, count }: ActivityChoices['skills'][number]): Choice => ({ value: name, count });

/** Asked for when a field is opened, and anew for other filters. */
function useChoices(others: Partial<Record<keyof Filter, string | undefined>>) {
  const [isWanted, setWanted] = useState(false);
  const { value, reload } = useLoaded<ActivityChoices>(
    isWanted ? withQuery('/api/activity/choices', others) : undefined,
    { keep: true },
  );
  const open = () => {
    if (isWanted) reload();
    setWanted(true);
  };
  return { value, open };
}

/** An id that is none is left out: its field says so. */
function filterOf(query: URLSearchParams): Filter {
  const given = FILTERS.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given.filter(([name, value]) => name !== 'correlation_id' || isUuid(value)));
}

/** A moment that another page put into the address is kept as a choice. */
function sinceChoices({ since, until }: Filter): readonly (readonly [string, string])[] {
  const usual = Object.entries(SINCE);
  if (since === undefined || since in SINCE) return usual;
  const end = until === undefined ? '' : ` to ${momentText(until)}`;
  return [...usual, [since, `from ${momentText(since)}${end}`]];
}

/** The address may have been typed by hand. */
const momentText = (text: string): string =>
  Number.isNaN(Date.parse(text)) ? text : timeText(new Date(Date.parse(text)));
