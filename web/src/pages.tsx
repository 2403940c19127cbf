// Which page an address names.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { goTo, type Place } from './browser/router.ts';
import { loadedLater } from './components/loaded-later.tsx';
import { NeedsLog } from './components/needs-log.tsx';
import { Page } from './components/page.tsx';
import { Empty } from './components/states.tsx';
import type { LibraryProps } from './library/library.tsx';
import { grantWords } from './model/grant-words.ts';
import { maySeeLibrary } from './model/library.ts';
import type { Me } from './model/shapes.ts';
import { ActivityPage } from './pages/activity.tsx';
import { AgentsPage } from './pages/agents.tsx';
import { ConnectPage } from './pages/connect.tsx';
import { DocumentPage } from './pages/document.tsx';
import { InvocationPage } from './pages/invocation.tsx';
import { PeoplePage } from './pages/people.tsx';
import { ProblemsPage } from './pages/problems.tsx';
import { RunsPage } from './pages/runs.tsx';
import { SchedulesPage } from './pages/schedules.tsx';
import { SkillsPage } from './pages/skills.tsx';
import { SourcesPage } from './pages/sources.tsx';
import { StartPage } from './pages/start.tsx';
import { TracePage } from './pages/trace.tsx';
import { TrailPage } from './pages/trail.tsx';
import { TypedSkillPage } from './pages/typed-skill.tsx';
import { UpkeepPage } from './pages/upkeep.tsx';

const LibraryLater = loadedLater<LibraryProps>(async () => (await import('./library/library.tsx')).Library);

type PageOf = (place: Place, me: Me) => JSX.Element;

/** For callers who may read the log; others are told which right they lack. */
const overLog =
  (title: string, page: PageOf): PageOf =>
  (place, me) =>
    me.may_read_log ? page(place, me) : <NeedsLog me={me} title={title} />;

/** By the first segment, and whether there is a second. The key makes another thing of the same kind another page. */
const PAGES: Readonly<Record<string, PageOf>> = {
  '': overLog('Overview', ({ query }, me) => <StartPage query={query} me={me} />),
  skills: ({ query }, me) => <SkillsPage query={query} me={me} />,
  'documents/': ({ segments: [, name = ''], query }, me) => (
    <DocumentPage key={name} name={name} query={query} me={me} />
  ),
  'typed/': ({ segments: [, name = ''], query }, me) => <TypedSkillPage key={name} name={name} query={query} me={me} />,
  activity: overLog('Activity', ({ query }, me) => <ActivityPage query={query} me={me} />),
  // Until there was the page above.
  invocations: ({ query }) => <Moved to={`/activity?${new URLSearchParams([['kind', 'run'], ...query])}`} />,
  'invocations/': ({ segments: [, id = ''] }, me) => <InvocationPage key={id} id={id} me={me} from="activity" />,
  runs: ({ query }, me) => <RunsPage query={query} me={me} />,
  'runs/': ({ segments: [, id = ''] }, me) => <InvocationPage key={id} id={id} me={me} from="runs" />,
  schedules: overLog('Schedules', () => <SchedulesPage />),
  'traces/': overLog('Trace', ({ segments: [, id = ''] }) => <TracePage key={id} correlationId={id} />),
  library: (_place, me) => libraryPage(undefined, me),
  'library/': ({ segments: [, name = ''] }, me) => libraryPage(name, me),
  problems: ({ query }, me) => <ProblemsPage me={me} query={query} />,
  upkeep: overLog('Upkeep', ({ query }) => <UpkeepPage query={query} />),
  agents: (_place, me) => <AgentsPage me={me} />,
  people: (_place, me) => <PeoplePage me={me} />,
  sources: (_place, me) => <SourcesPage me={me} />,
  trail: (_place, me) => <TrailPage me={me} />,
  connect: ({ query }, me) => <ConnectPage query={query} me={me} />,
};

export function pageFor(place: Place, me: Me): JSX.Element {
  const [section = '', rest] = place.segments;
  const key = rest === undefined ? section : `${section}/`;
  const page = Object.hasOwn(PAGES, key) ? PAGES[key] : undefined;
  return page === undefined || place.segments.length > 2 ? <NoPage me={me} /> : page(place, me);
}

const libraryPage = (name: string | undefined, me: Me): JSX.Element =>
  maySeeLibrary(me) ? (
    <LibraryLater name={name} me={me} />
  ) : (
    <Page title="Library">
      <div class="card">
        <Empty
          title="This page needs the scope skills:propose or skills:approve"
          command={{
            words: me.kind === 'user' ? grantWords(me, '--scope SCOPE') : 'agent add NAME --scope SCOPE',
            reach: 'store',
          }}
        >
          The operator can {me.kind === 'user' ? 'grant you one of them' : 'add an agent that has one of them'}:
        </Empty>
      </div>
    </Page>
  );

/** Leads on, without an entry in the history that would lead here again. */
function Moved({ to }: { readonly to: string }) {
  useEffect(() => goTo(to, { replace: true }), [to]);
  return <div />;
}

const NoPage = ({ me }: { readonly me: Me }) => (
  <Page title="No such page">
    <div class="card">
      <Empty title="There is nothing at this address">
        Go to the{' '}
        {me.may_read_log && (
          <>
            <a href="/">overview</a> or to the{' '}
          </>
        )}
        <a href="/skills">skills</a>.
      </Empty>
    </div>
  </Page>
);
