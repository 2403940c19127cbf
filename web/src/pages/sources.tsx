// Where pinned skills come from: each source, its commit, what does not match, and, only after a press, what is newer. For the operator.
import { useState } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { Crumb } from '../components/crumb.tsx';
import { ForOperator } from '../components/for-operator.tsx';
import { Page } from '../components/page.tsx';
import { SourceCard } from '../components/source-card.tsx';
import { Empty, Failed, Show } from '../components/states.tsx';
import type { Me, SourceCheckList, SourceList } from '../model/shapes.ts';

const LEDE = 'Skills from git repositories and other servers, pinned to a commit and checked against their digests.';

export function SourcesPage({ me }: { readonly me: Me }) {
  const sources = useLoaded<SourceList>(me.is_operator ? '/api/sources' : undefined);
  const newer = useNewer();
  // A new lock is served a moment after it is written. Not at each tick: the server reads every byte of the sources for an answer.
  useRefresh(sources.reload, ({ kind }) => kind === 'catalog', undefined, me.is_operator);
  if (!me.is_operator) return <ForOperator title="Sources" lede={LEDE} work="see sources" />;
  const found = sources.value?.sources ?? [];
  return (
    <Page
      title="Sources"
      crumb={<Crumb to="skills" />}
      lede={LEDE}
      {...(found.length > 0 ? { tools: <CheckButton {...newer} /> } : {})}
    >
      {newer.trouble !== undefined && (
        <div class="card">
          <Failed trouble={newer.trouble} />
        </div>
      )}
      {sources.value === undefined ? (
        <div class="card">
          <Show loaded={sources} lines={5}>
            {() => undefined}
          </Show>
        </div>
      ) : (
        <>
          {sources.value.faults.map((fault) => (
            <div key={fault} class="card">
              <div class="notice bad-edge" role="alert">
                <h2>A lock cannot be read</h2>
                <p class="break">{fault}</p>
              </div>
            </div>
          ))}
          {found.length === 0 && sources.value.faults.length === 0 && <None />}
          {found.map((source) => (
            <SourceCard key={`${source.lock} ${source.source}`} source={source} newer={newer.of(source)} />
          ))}
        </>
      )}
    </Page>
  );
}

/** What the sources said when they were asked; nothing asks them but the button. */
function useNewer() {
  const [found, setFound] = useState<SourceCheckList | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const check = async () => {
    setAsking(true);
    const answer = await ask<SourceCheckList>('/api/sources/check', { method: 'POST', body: {} });
    setAsking(false);
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (answer.ok) setFound(answer.value);
  };
  const of = ({ source, commit }: { readonly source: string; readonly commit: string }) =>
    found?.sources.find((each) => each.source === source && each.commit === commit);
  return { found, isAsking, trouble, check, of };
}

type CheckButtonProps = Pick<ReturnType<typeof useNewer>, 'found' | 'isAsking' | 'check'>;

function CheckButton({ found, isAsking, check }: CheckButtonProps) {
  const outdated = found?.sources.filter((each) => each.is_outdated).length ?? 0;
  return (
    <div class="source-check">
      <button
        type="button"
        class="button"
        disabled={isAsking}
        title="The server asks each source for its commit; nothing is changed"
        onClick={() => void check()}
      >
        {isAsking ? 'Checking…' : 'Check for newer commits'}
      </button>
      <span class="unseen" role="status">
        {found !== undefined && !isAsking && (outdated === 0 ? 'No source is newer' : `${outdated} newer`)}
      </span>
    </div>
  );
}

const None = () => (
  <div class="card">
    <Empty title="No sources yet" command={{ words: 'add github:OWNER/REPO', reach: 'sources' }}>
      A source is a git repository or another server with skills. Add one on the server's machine, in its project:
    </Empty>
  </div>
);
