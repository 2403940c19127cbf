// How often each skill, agent or category ran in the time that one chose, how well and how fast (X8).
import type { ComponentChildren } from 'preact';
import { withQuery } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { pathTo, setQuery } from '../browser/router.ts';
import { Name } from '../components/name.tsx';
import { Card } from '../components/page.tsx';
import { Show } from '../components/states.tsx';
import { callerText } from '../model/run-state.ts';
import type { Stats, StatsByKey } from '../model/shapes.ts';
import { countText, durationText, percentText } from '../text/format.ts';

const KEYS = { skill: 'Skill', agent: 'Agent', category: 'Category' } as const;

type Key = keyof typeof KEYS;

/** What the address asks for; else by skill. */
export const usageKeyIn = (query: URLSearchParams): Key => {
  const by = query.get('by');
  return by === 'agent' || by === 'category' ? by : 'skill';
};

type Row = StatsByKey['rows'][number];

export function Usage({ window, by }: { readonly window: string; readonly by: Key }) {
  const path = withQuery('/api/stats', { window, by: by === 'skill' ? undefined : by });
  const loaded = useLoaded<Stats | StatsByKey>(path);
  useRefresh(loaded.reload);
  return (
    <Card title="Usage" note={<Switch by={by} />}>
      <Show loaded={loaded} lines={5}>
        {(answer) => <Rows by={by} rows={rowsIn(answer)} />}
      </Show>
    </Card>
  );
}

/** The most used first. */
const rowsIn = (answer: Stats | StatsByKey): readonly Row[] =>
  ('rows' in answer ? answer.rows : answer.skills.map(({ skill_name, ...rest }) => ({ key: skill_name, ...rest })))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_ROWS);

const MOST_ROWS = 50;

const Switch = ({ by }: { readonly by: Key }) => (
  <fieldset class="segments">
    <legend class="unseen">Usage by</legend>
    {Object.entries(KEYS).map(([key, label]) => (
      <button
        key={key}
        type="button"
        aria-pressed={key === by}
        onClick={() => setQuery({ by: key === 'skill' ? undefined : key })}
      >
        {label}
      </button>
    ))}
  </fieldset>
);

function Rows({ by, rows }: { readonly by: Key; readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <p class="card-body muted">No typed skill ran in this time.</p>;
  return (
    <div class="table-wrap">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{KEYS[by]}</th>
            <Figure isHead>Runs</Figure>
            <Figure isHead>Succeeded</Figure>
            <Figure isHead isMinor title="VALIDATION_ERROR, UNAUTHORIZED, RATE_EXCEEDED">
              Caller failures
            </Figure>
            <Figure isHead isMinor>
              Median
            </Figure>
            <Figure isHead title="95% took no longer">
              95th<span class="hide-small"> percentile</span>
            </Figure>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td class="wide">
                <Keyed by={by} name={row.key} />
              </td>
              <Figure>{countText(row.count)}</Figure>
              <Figure>{percentText(row.success_rate)}</Figure>
              <Figure isMinor>{countText(row.caller_failure_count)}</Figure>
              <Figure isMinor>{durationText(row.duration_ms.p50)}</Figure>
              <Figure>{durationText(row.duration_ms.p95)}</Figure>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FigureProps {
  readonly isHead?: boolean;
  /** There is no room for it on small screens. */
  readonly isMinor?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
}

function Figure({ isHead = false, isMinor = false, title, children }: FigureProps) {
  const look = isMinor ? 'number hide-small' : 'number';
  if (!isHead) return <td class={look}>{children}</td>;
  return (
    <th scope="col" class={look} title={title}>
      {children}
    </th>
  );
}

/** A skill leads to its page, an agent to what it ran. */
function Keyed({ by, name }: { readonly by: Key; readonly name: string }) {
  if (by === 'category') return <Name text={name} />;
  const address = by === 'skill' ? pathTo('typed', name) : withQuery('/activity', { agent: name });
  return (
    <a href={address}>
      <Name text={by === 'agent' ? callerText(name) : name} />
    </a>
  );
}
