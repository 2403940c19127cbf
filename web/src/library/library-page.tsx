// The library: every skill with what is served, what is newest and what waits for review (L3).
import { useState } from 'preact/hooks';
import { useLoaded } from '../api/use-loaded.ts';
import { goTo, pathTo } from '../browser/router.ts';
import { Page } from '../components/page.tsx';
import { Empty, Show } from '../components/states.tsx';
import { mayPropose, shortDigest } from '../model/library.ts';
import type { LibraryList, Me } from '../model/shapes.ts';
import { plural } from '../text/format.ts';
import { ReviewPolicy } from './review-policy.tsx';
import { SkillEditor } from './skill-editor.tsx';

const LEDE = 'Skills kept in the store, in versions, and served by every replica.';

export function LibraryPage({ me }: { readonly me: Me }) {
  const loaded = useLoaded<LibraryList>('/api/library');
  const [isWriting, setWriting] = useState(false);
  const tools = mayPropose(me) && !isWriting && (
    <button type="button" class="button primary" onClick={() => setWriting(true)}>
      New skill
    </button>
  );
  return (
    <Page
      title={isWriting ? 'New skill' : 'Library'}
      lede={isWriting ? 'Its name is the one in SKILL.md.' : LEDE}
      tools={tools}
    >
      {isWriting && (
        <SkillEditor
          name={undefined}
          files={STARTER}
          base={undefined}
          taken={loaded.value?.skills.map(({ name }) => name) ?? []}
          leave={() => setWriting(false)}
          saved={(name) => goTo(pathTo('library', name))}
        />
      )}
      {!isWriting && (
        <section class="card" aria-label="Skills of the library">
          <Show loaded={loaded}>
            {(list) => (
              <>
                <div class="card-body">
                  <ReviewPolicy review={list.review} me={me} changed={loaded.reload} />
                </div>
                <Skills list={list} isWriter={mayPropose(me)} />
              </>
            )}
          </Show>
        </section>
      )}
    </Page>
  );
}

const STARTER = [
  {
    path: 'SKILL.md',
    text: '---\nname: my-skill\ndescription: What it does and when to use it\n---\n\n# My skill\n\nSay what to do, step by step.\n',
    executable: false,
  },
];

/** Else in their order. */
const waitingFirst = (skills: LibraryList['skills']): LibraryList['skills'] =>
  skills.toSorted((a, b) => Number(b.proposed.length > 0) - Number(a.proposed.length > 0));

function Skills({ list: { skills }, isWriter }: { readonly list: LibraryList; readonly isWriter: boolean }) {
  if (skills.length === 0)
    return (
      <Empty title="The library is empty">
        {isWriter ? (
          <>
            Write a skill here, or publish a folder with <code>repertoire publish</code>.
          </>
        ) : (
          'What others propose appears here.'
        )}
      </Empty>
    );
  return (
    <ul class="library-list">
      {waitingFirst(skills).map(({ name, current, newest, proposed }) => (
        <li key={name}>
          <a href={pathTo('library', name)} class="break">
            {name}
          </a>
          <span class="library-marks">
            {current === null ? (
              <span class="pill">not served</span>
            ) : (
              <span class="small muted">
                serves <code>{shortDigest(current)}</code>
              </span>
            )}
            {newest !== current && !proposed.includes(newest) && (
              <span class="small muted">
                newest <code>{shortDigest(newest)}</code>
              </span>
            )}
            {proposed.length > 0 && <span class="pill warn">{plural(proposed.length, 'version')} to review</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
