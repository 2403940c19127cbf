// One skill of the library: its versions, and what approvers do with it (L3).
import { useState } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import { tellLibraryChanged } from '../api/library-news.ts';
import { useFresh } from '../api/use-fresh.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { goTo } from '../browser/router.ts';
import { Card, Page } from '../components/page.tsx';
import { Failed, Show } from '../components/states.tsx';
import { mayApprove, mayPropose, pathOf, startText } from '../model/library.ts';
import type {
  LibraryList,
  LibraryVersion,
  LibraryVersions,
  LibraryVersionWithFiles,
  Me,
  ProblemList,
} from '../model/shapes.ts';
import { SkillEditor } from './skill-editor.tsx';
import { VersionItem } from './version-item.tsx';

interface Edited {
  readonly files: LibraryVersionWithFiles['files'];
  /** The newest version when it was opened, whose files these are. */
  readonly base: string;
}

interface LibrarySkillProps {
  readonly name: string;
  readonly me: Me;
}

export function LibrarySkillPage({ name, me }: LibrarySkillProps) {
  const loaded = useLoaded<LibraryVersions>(pathOf(name, 'versions'));
  const [edited, setEdited] = useState<Edited | undefined>(undefined);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const versions = loaded.value?.versions ?? [];
  const current = versions.find((version) => version.current);
  // A new version is made from the newest: the server takes no other.
  const start = versions[0];
  const review = useLoaded<LibraryList>('/api/library').value?.review;
  const problems = useLoaded<ProblemList>('/api/problems');
  useFresh(me, problems.reload, ({ kind }) => kind === 'catalog' || kind === 'tick');
  const act = async (path: string, body?: object) => {
    const answer = await ask(path, body === undefined ? { method: 'DELETE' } : { method: 'POST', body });
    setTrouble(answer.ok ? undefined : answer.trouble);
    loaded.reload();
    tellLibraryChanged();
    return answer.ok;
  };
  const edit = async (digest: string) => {
    const answer = await ask<LibraryVersionWithFiles>(pathOf(name, 'versions', digest));
    if (answer.ok) setEdited({ files: answer.value.files, base: digest });
    else setTrouble(answer.trouble);
  };
  const from = versions.find(({ digest }) => digest === edited?.base);
  const startNote = from && startText(from, current);
  const tools = (
    <div class="form-tools">
      {mayPropose(me) && start !== undefined && edited === undefined && (
        <button type="button" class="button primary" onClick={() => edit(start.digest)}>
          Edit
        </button>
      )}
      {mayApprove(me) && current !== undefined && (
        <Sure word="Withdraw" say="Stop serving it" act={() => act(pathOf(name, 'withdraw'), {})} />
      )}
      {mayApprove(me) && start !== undefined && (
        <Sure
          word="Delete"
          say="Delete it from the library"
          act={async () => (await act(pathOf(name))) && goTo('/library')}
        />
      )}
    </div>
  );
  return (
    <Page
      title={name}
      crumb={<a href="/library">Library</a>}
      {...(loaded.value !== undefined && {
        lede: <ServedText current={current} isBehind={isShadowed(name, problems.value)} />,
      })}
      tools={tools}
    >
      {trouble !== undefined && (
        <div class="card">
          <Failed trouble={trouble} />
        </div>
      )}
      {edited !== undefined && startNote !== undefined && <p class="small break">{startNote}</p>}
      {edited !== undefined && (
        <SkillEditor
          name={name}
          files={edited.files}
          base={edited.base}
          leave={() => setEdited(undefined)}
          outdated={loaded.reload}
          saved={() => {
            setEdited(undefined);
            loaded.reload();
          }}
        />
      )}
      <Card title="Versions">
        <Show loaded={loaded}>
          {({ versions: all }) => (
            <ul class="version-list">
              {all.map((version) => (
                <VersionItem
                  key={version.digest}
                  version={version}
                  current={current}
                  versions={all}
                  review={review}
                  me={me}
                  act={act}
                />
              ))}
            </ul>
          )}
        </Show>
      </Card>
    </Page>
  );
}

/** A folder or a source has a skill at the same address, which comes first (L1). */
const isShadowed = (name: string, list: ProblemList | undefined): boolean =>
  list?.problems.some(
    ({ source, rule, path }) => source === 'library' && rule === 'shadowed' && path.startsWith(`${name}/`),
  ) === true;

interface ServedTextProps {
  readonly current: LibraryVersion | undefined;
  /** Another skill comes before it. */
  readonly isBehind: boolean;
}

function ServedText({ current, isBehind }: ServedTextProps) {
  if (current === undefined) return <>No version of it is served.</>;
  if (!isBehind) return <>{`Version ${current.number} is served.`}</>;
  return (
    <>
      {`Version ${current.number} is current, and another skill is served in its place: see `}
      <a href="/problems">Problems</a>.
    </>
  );
}

/** Asked once more before it is done. */
function Sure({ word, say, act }: { readonly word: string; readonly say: string; readonly act: () => unknown }) {
  const [isAsked, setAsked] = useState(false);
  const done = () => {
    setAsked(false);
    act();
  };
  if (!isAsked)
    return (
      <button type="button" class="button" onClick={() => setAsked(true)}>
        {word}
      </button>
    );
  return (
    <>
      <button type="button" class="button danger" onClick={done}>
        {say}
      </button>
      <button type="button" class="button" onClick={() => setAsked(false)}>
        Keep it
      </button>
    </>
  );
}
