// What `/` shows: the overview, or how to connect a first agent while there is nothing to look at.
import { useLive } from '../api/live.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useSkipped } from '../browser/first-run.ts';
import { setQuery } from '../browser/router.ts';
import { Page } from '../components/page.tsx';
import { ConnectPanel } from '../connect/connect-panel.tsx';
import type { ConnectionList, Me } from '../model/shapes.ts';
import { OverviewPage } from './overview.tsx';

interface StartPageProps {
  readonly me: Me;
  readonly query: URLSearchParams;
}

export function StartPage({ me, query }: StartPageProps) {
  const [isSkipped, skip] = useSkipped();
  // A reader who has begun stays with it, also when the page is loaded again.
  const hasBegun = query.has('host');
  const mayBeFirst = me.is_operator && (hasBegun || !isSkipped);
  const { value, trouble, reload } = useLoaded<ConnectionList>(mayBeFirst ? '/api/connections' : undefined);
  useLive(mayBeFirst && value?.is_used === false, ({ kind }) => kind !== 'catalog' && reload());
  const isKnown = !mayBeFirst || value !== undefined || trouble !== undefined;
  if (mayBeFirst && value !== undefined && (hasBegun || !value.is_used)) {
    const leave = () => {
      skip();
      setQuery({ host: undefined, agent: undefined, way: undefined });
    };
    return <FirstRun me={me} query={query} skip={leave} />;
  }
  return <OverviewPage query={query} isHeld={!isKnown} />;
}

interface FirstRunProps extends StartPageProps {
  readonly skip: () => void;
}

const FirstRun = ({ me, query, skip }: FirstRunProps) => (
  <Page
    title="Connect your first agent"
    lede="Three steps: choose the program that your agent runs in, set it up, and see it connect."
    tools={
      <button type="button" class="button quiet" onClick={skip}>
        Skip
      </button>
    }
  >
    <ConnectPanel me={me} query={query} />
  </Page>
);
