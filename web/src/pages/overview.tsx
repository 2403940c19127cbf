// How the server is doing: what ran, what was read, what failed and how fast it was, over the time that one chooses.
import { withQuery } from '../api/ask.ts';
import type { Me, Overview } from '../api/shapes.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { InvocationTable } from '../components/invocation-list.tsx';
import { Card, Page } from '../components/page.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import { timeText } from '../format.ts';
import { setQuery } from '../router.ts';
import { Charts, Tiles } from './overview-figures.tsx';
import { Rankings, ServerCard } from './overview-tables.tsx';

const WINDOWS = ['15m', '1h', '6h', '24h', '7d', '30d'];

export function OverviewPage({ me, query }: { readonly me: Me; readonly query: URLSearchParams }) {
  if (!me.may_read_log) return <WithoutLog me={me} />;
  return <LogOverview window={WINDOWS.find((window) => window === query.get('window')) ?? '1h'} query={query} />;
}

function LogOverview({ window, query }: { readonly window: string; readonly query: URLSearchParams }) {
  const loaded = useLoaded<Overview>(withQuery('/api/overview', { window }), { keep: true });
  useRefresh(loaded.reload);
  const { value, trouble, reload } = loaded;
  const picked = pickedIn(query);
  return (
    <Page title="Overview" tools={<Windows window={window} />}>
      {trouble !== undefined && (
        <div class="card">
          <Failed trouble={trouble} retry={reload} />
        </div>
      )}
      {value === undefined && trouble === undefined && (
        <div class="card">
          <Skeleton lines={14} />
        </div>
      )}
      {value !== undefined && trouble === undefined && (
        <>
          <Tiles overview={value} />
          <Charts overview={value} onPick={(index) => pick(value, index)} />
          <Rankings overview={value} />
        </>
      )}
      {trouble === undefined && (
        <Card title={picked.title} note={picked.isPicked && <Unpick />}>
          <InvocationTable
            filter={picked.filter}
            page={picked.isPicked ? 50 : 10}
            empty="Nothing ran in this time. A typed skill's page can invoke it, or:"
          />
        </Card>
      )}
      {value !== undefined && <ServerCard overview={value} />}
    </Page>
  );
}

const Windows = ({ window }: { readonly window: string }) => (
  <fieldset class="segments">
    <legend class="unseen">How far back</legend>
    {WINDOWS.map((choice) => (
      <button
        key={choice}
        type="button"
        aria-pressed={choice === window}
        onClick={() => setQuery({ window: choice === '1h' ? undefined : choice, since: undefined, until: undefined })}
      >
        {choice}
      </button>
    ))}
  </fieldset>
);

const Unpick = () => (
  <button type="button" class="button quiet little" onClick={() => setQuery({ since: undefined, until: undefined })}>
    Show the newest
  </button>
);

/** The list below then shows what ran in that step. */
function pick({ series, step_seconds }: Overview, index: number): void {
  const start = series[index]?.start;
  if (start === undefined) return;
  setQuery({ since: start, until: new Date(Date.parse(start) + step_seconds * 1_000).toISOString() });
}

function pickedIn(query: URLSearchParams) {
  const [since, until] = [query.get('since'), query.get('until')];
  if (!isMoment(since) || !isMoment(until)) return { title: 'Newest invocations', isPicked: false, filter: {} };
  const title = `Invocations from ${timeText(new Date(since))} to ${timeText(new Date(until))}`;
  return { title, isPicked: true, filter: { since, until } };
}

/** What somebody typed into the address need not be one. */
const isMoment = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

const WithoutLog = ({ me }: { readonly me: Me }) => (
  <Page title="Overview" lede={`Signed in as the ${me.kind} ${me.name}.`}>
    <div class="card">
      <Empty title="This token may not read the log" command="repertoire agent add NAME --scope log:read">
        You can read the <a href="/skills">skills</a> and invoke those that are open to you. Figures need the operator's
        token, or an agent's with this scope:
      </Empty>
    </div>
  </Page>
);
