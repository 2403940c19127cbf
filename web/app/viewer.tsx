// The viewer itself: a list that can be searched, a document that can be read, and the way back.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useListKeys } from '../src/browser/list-keys.ts';
import { Icon } from '../src/components/icons.tsx';
import { MarkdownView } from '../src/components/markdown-view.tsx';
import { plural } from '../src/text/format.ts';
import { bodyOf } from '../src/text/markdown.ts';
import type { Answer, ListedSkill, SkillAddress } from './answer.ts';
import type { Bridge } from './bridge.ts';

type Listed = Extract<Answer, { readonly kind: 'list' }>;

const TYPING_MS = 200;

export function Viewer({ bridge }: { readonly bridge: Bridge }) {
  const [shown, setShown] = useState<Answer | undefined>(undefined);
  const [list, setList] = useState<Listed | undefined>(undefined);
  useListKeys();
  const asked = useRef(0);
  const show = (answer: Answer) => {
    asked.current += 1;
    setShown(answer);
    if (answer.kind === 'list') setList(answer);
  };
  /** What was asked for last is shown, whichever answer comes last. */
  const showWhenThere = async (coming: Promise<Answer>) => {
    asked.current += 1;
    const number = asked.current;
    const answer = await coming;
    if (number === asked.current) show(answer);
  };
  useEffect(() => {
    bridge.onAnswer = show;
    bridge.onTrouble = (message) => setShown({ kind: 'failed', message });
  }, [bridge]);
  const goBack = () => (list === undefined ? showWhenThere(bridge.list()) : show(list));
  const more = (cursor: string) => showWhenThere(bridge.list(cursor).then((next) => after(list, next)));
  if (shown === undefined) return <p class="viewer muted">Waiting for the host …</p>;
  if (shown.kind === 'document') return <DocumentView shown={shown} goBack={goBack} openLink={bridge.openLink} />;
  return (
    <main class="viewer">
      <SearchField search={(words) => showWhenThere(words === '' ? bridge.list() : bridge.search(words))} />
      <div role="status">
        {shown.kind === 'failed' ? (
          <p class="notice bad-edge">{shown.message}</p>
        ) : (
          <span class="unseen">{plural(shown.skills.length, 'skill')}</span>
        )}
      </div>
      {shown.kind === 'list' && (
        <SkillList listed={shown} open={(address) => showWhenThere(bridge.get(address))} more={more} />
      )}
    </main>
  );
}

/** A further page below those that are there. */
const after = (list: Listed | undefined, next: Answer): Answer =>
  next.kind === 'list' ? { ...next, skills: [...(list?.skills ?? []), ...next.skills] } : next;

function SearchField({ search }: { readonly search: (words: string) => void }) {
  const [typed, setTyped] = useState('');
  const isFirst = useRef(true);
  const newest = useRef(search);
  newest.current = search;
  useEffect(() => {
    // No search was typed yet: what the host sent stays.
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const timer = setTimeout(() => newest.current(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search skills"
        placeholder="Search skills"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  );
}

interface SkillListProps {
  readonly listed: Listed;
  readonly open: (address: SkillAddress) => void;
  readonly more: (cursor: string) => void;
}

function SkillList({ listed: { skills, problems, nextCursor }, open, more }: SkillListProps) {
  return (
    <section class="card" aria-label="Skills">
      {skills.length === 0 && <p class="card-body muted">No skill fits. Try fewer words, or others.</p>}
      <ul class="skill-list">
        {skills.map((skill) => (
          <li key={JSON.stringify([skill.name, skill.address])}>
            <SkillName skill={skill} open={open} />
            <p class="muted small clamp">{skill.description}</p>
          </li>
        ))}
      </ul>
      {nextCursor !== undefined && (
        <div class="more">
          <button type="button" class="button" onClick={() => more(nextCursor)}>
            Show more
          </button>
        </div>
      )}
      {problems > 0 && (
        <p class="more small muted">
          {plural(problems, 'problem')}: <code>repertoire doctor</code> tells which.
        </p>
      )}
    </section>
  );
}

interface SkillNameProps extends Pick<SkillListProps, 'open'> {
  readonly skill: ListedSkill;
}

const SkillName = ({ skill: { name, address }, open }: SkillNameProps) =>
  address === undefined ? (
    <span class="skill-name">
      {name} <span class="pill">typed</span>
    </span>
  ) : (
    <button type="button" class="skill-name row-link" onClick={() => open(address)}>
      {name}
    </button>
  );

interface DocumentViewProps {
  readonly shown: Extract<Answer, { readonly kind: 'document' }>;
  readonly goBack: () => void;
  readonly openLink: (url: string) => void;
}

function DocumentView({ shown, goBack, openLink }: DocumentViewProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const follow = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (link === null) return;
      // The frame may not open windows; the host asks the reader, and does.
      event.preventDefault();
      openLink(link.getAttribute('href') ?? '');
    };
    const main = place.current;
    main?.addEventListener('click', follow);
    return () => main?.removeEventListener('click', follow);
  }, [openLink]);
  return (
    <main class="viewer" ref={place}>
      <header class="viewer-head">
        <button type="button" class="button little" onClick={goBack}>
          All skills
        </button>
        <h1>{shown.title}</h1>
      </header>
      <section class="card" aria-label={shown.title}>
        <div class="card-body">
          <MarkdownView text={bodyOf(shown.text)} />
        </div>
      </section>
    </main>
  );
}
