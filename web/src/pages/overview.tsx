// How the server is doing: what ran, what was read, what failed and how fast it was, over the time that one chooses.
import { useRef } from 'preact/hooks';
import { withQuery } from '../api/ask.ts';
import { useOutage } from '../api/server-state.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { bringIntoView } from '../browser/into-view.ts';
import { setQuery } from '../browser/router.ts';
import { ActivityTable } from '../components/activity-list.tsx';
import { Card, Page } from '../components/page.tsx';
import { Empty, Failed } from '../components/states.tsx';
import { type Picked, pickedIn, spanOf } from '../model/picked-time.ts';
import type { Overview } from '../model/shapes.ts';
import { Charts, Tiles } from './overview-figures.tsx';
import { OverviewLoading } from './overview-loading.tsx';
import { Rankings, ServerCard } from './overview-tables.tsx';
import { Usage, usageKeyIn } from './overview-usage.tsx';

const WINDOWS = ['15m', '1h', '6h', '24h', '7d', '30d'];

/** Of the list below; all of it is a page of its own. */
const NEWEST = 10;

interface OverviewPageProps {
  readonly query: URLSearchParams;
  /** It is not known yet whether there is anything to show. */
  readonly isHeld?: boolean;
}

export function OverviewPage({ query, isHeld = false }: OverviewPageProps) {
  const window = WINDOWS.find((choice) => choice === query.get('window')) ?? '1h';
  const loaded = useLoaded<Overview>(isHeld ? undefined : withQuery('/api/overview', { window }), { keep: true });
  useRefresh(loaded.reload);
  const { value, trouble, reload } = loaded;
  const isOutage = useOutage(trouble);
  return (
    <Page title="Overview" tools={<Windows window={window} />}>
      {trouble !== undefined && !(isOutage && value !== undefined) && (
        <div class="card">
          <Failed trouble={trouble} retry={reload} />
        </div>
      )}
      {value === undefined && trouble === undefined && <OverviewLoading window={window} />}
      {value !== undefined && (trouble === undefined || isOutage) && (
        <div class={isOutage ? 'figures stale' : 'figures'}>
          <Figures overview={value} picked={pickedIn(query)} />
        </div>
      )}
      {value !== undefined && !isOutage && <Usage window={window} by={usageKeyIn(query)} />}
      {value !== undefined && <ServerCard overview={value} isOutage={isOutage} />}
    </Page>
  );
}

/** A chosen point of a chart filters the list, and takes the reader there. */
function Figures({ overview, picked }: { readonly overview: Overview; readonly picked: Picked | undefined }) {
  const list = useRef<HTMLElement>(null);
  const charts = useRef<HTMLDivElement>(null);
  const pick = (index: number) => {
    const span = spanOf(overview, index);
    if (span === undefined) return;
    setQuery(span);
    bringIntoView(list.current);
  };
  const unpick = () => {
    setQuery({ since: undefined, until: undefined });
    bringIntoView(charts.current, '[role=slider]');
  };
  return (
    <>
      <Tiles overview={overview} />
      <div class="stack roomy" ref={charts}>
        <Charts overview={overview} onPick={pick} picked={picked} />
      </div>
      <Rankings overview={overview} />
      <Runs picked={picked} unpick={unpick} place={list} />
    </>
  );
}

const NOTHING_YET = 'When an agent reads a skill or runs one, it appears here by itself.';

interface RunsProps {
  readonly picked: Picked | undefined;
  readonly unpick: () => void;
  readonly place: { current: HTMLElement | null };
}

const Runs = ({ picked, unpick, place }: RunsProps) => (
  <Card
    title={picked?.title ?? 'Newest activity'}
    place={place}
    isMarked={picked !== undefined}
    note={
      picked === undefined ? (
        <a href="/activity">All activity</a>
      ) : (
        <button type="button" class="button little" onClick={unpick}>
          Show the newest
        </button>
      )
    }
  >
    {picked === undefined ? (
      <ActivityTable filter={{}} page={NEWEST} most={NEWEST} empty={<Empty title="Nothing yet">{NOTHING_YET}</Empty>} />
    ) : (
      <ActivityTable filter={{ ...picked.filter, kind: 'run' }} empty={<Empty title="Nothing ran in this time" />} />
    )}
  </Card>
);

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
