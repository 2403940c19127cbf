// Every skill of both kinds in one list, searched as one types.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Trouble, withQuery } from '../api/ask.ts';
import { useDocumentPages } from '../api/document-pages.ts';
import { useLive } from '../api/live.ts';
import { useChange } from '../api/use-change.ts';
import { type Loaded, useLoaded } from '../api/use-loaded.ts';
import { useRefresh } from '../api/use-refresh.ts';
import { setQuery } from '../browser/router.ts';
import { Icon } from '../components/icons.tsx';
import { Page } from '../components/page.tsx';
import { SkillTable } from '../components/skill-table.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import type { DefinitionList, DocumentList, Me, SearchResults, UseList } from '../model/shapes.ts';
import {
  documentRows,
  findingsIn,
  foundRows,
  isTroubled,
  mergeByName,
  type SkillRow,
  typedRows,
} from '../model/skill-rows.ts';
import { type UsesByName, usesByName } from '../model/skill-uses.ts';
import { plural } from '../text/format.ts';

const FOUND = 50;
const TYPING_MS = 120;

export function SkillsPage({ query, me }: { readonly query: URLSearchParams; readonly me: Me }) {
  const words = query.get('q') ?? '';
  const kind = query.get('kind') ?? 'all';
  const onlyTroubled = query.get('state') === 'problems';
  const { rows, loaded, more, moreTrouble, isFound } = useSkillRows(words, kind, onlyTroubled);
  useLive(me.may_read_log, (event) => event.kind === 'catalog' && loaded.reload());
  useChange(me, loaded.reload);
  const uses = useUses(me.may_read_log);
  const isCut = isFound && (rows?.length ?? 0) >= FOUND;
  const shown = rows?.filter((row) => (kind === 'all' || row.kind === kind) && (!onlyTroubled || isTroubled(row)));
  return (
    <Page title="Skills" lede={<Lede me={me} />} tools={<Choices kind={kind} onlyTroubled={onlyTroubled} />}>
      <Search words={words} />
      <section class="card" aria-label="Skills">
        <p class="unseen" role="status">
          {shown !== undefined && countedText(shown.length, isFound, isCut)}
        </p>
        {loaded.trouble !== undefined && <Failed trouble={loaded.trouble} retry={loaded.reload} />}
        {shown === undefined && loaded.trouble === undefined && <Skeleton lines={10} />}
        {shown !== undefined && shown.length > 0 && <SkillTable rows={shown} uses={uses} />}
        {shown?.length === 0 && <Nothing words={words} onlyTroubled={onlyTroubled} />}
        {isCut && <p class="more small muted">The first {FOUND} are shown. Use more words to see others.</p>}
        {more !== undefined && kind !== 'typed' && <More more={more} trouble={moreTrouble} />}
      </section>
    </Page>
  );
}

const Lede = ({ me }: { readonly me: Me }) => (
  <>
    Documents for agents to read, and typed skills to invoke.
    {me.is_operator && (
      <>
        {' '}
        <a href="/sources">Sources</a>
      </>
    )}
  </>
);

/** Uses are counted anew while the page is open, but not often: it takes all skills. */
const USES_MS = 10_000;

function useUses(mayRead: boolean): UsesByName | undefined {
  const { value, trouble, reload } = useLoaded<UseList>(mayRead ? '/api/uses' : undefined);
  useRefresh(reload, ({ kind }) => kind === 'load' || kind === 'invocation', USES_MS, mayRead);
  // A server that records nothing has nothing to say here.
  return mayRead && trouble?.reason !== 'nothing_recorded' ? usesByName(value) : undefined;
}

function countedText(count: number, isFound: boolean, isCut: boolean): string {
  if (!isFound) return plural(count, 'skill');
  return isCut ? `${plural(count, 'skill')} of the first ${FOUND} found` : `${plural(count, 'skill')} found`;
}

function More({ more, trouble }: { readonly more: () => void; readonly trouble: Trouble | undefined }) {
  if (trouble !== undefined) return <Failed trouble={trouble} retry={more} />;
  return (
    <div class="more">
      <button type="button" class="button" onClick={more}>
        Show more
      </button>
    </div>
  );
}

const KINDS = { all: 'All', document: 'Documents', typed: 'Typed' } as const;

interface ChoicesProps {
  readonly kind: string;
  readonly onlyTroubled: boolean;
}

const Choices = ({ kind, onlyTroubled }: ChoicesProps) => (
  <div class="tools">
    <fieldset class="segments">
      <legend class="unseen">Which kind</legend>
      {Object.entries(KINDS).map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={kind === value}
          onClick={() => setQuery({ kind: value === 'all' ? undefined : value })}
        >
          {label}
        </button>
      ))}
    </fieldset>
    <div class="segments">
      <button
        type="button"
        aria-pressed={onlyTroubled}
        onClick={() => setQuery({ state: onlyTroubled ? undefined : 'problems' })}
      >
        With problems
      </button>
    </div>
  </div>
);

function Search({ words }: { readonly words: string }) {
  const [typed, setTyped] = useState(words);
  /** What this field put into the address. Other words there come from a link, and belong into the field. */
  const sent = useRef(words);
  useEffect(() => {
    if (words === sent.current) return;
    sent.current = words;
    setTyped(words);
  }, [words]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() === sent.current) return;
      sent.current = typed.trim();
      setQuery({ q: sent.current });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search skills"
        placeholder="Search by name, words or request"
        maxLength={2000}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <kbd>/</kbd>
    </div>
  );
}

interface Rows {
  readonly rows: readonly SkillRow[] | undefined;
  readonly loaded: Pick<Loaded<unknown>, 'trouble' | 'reload'>;
  /** `undefined`: there are no more. */
  readonly more: (() => void) | undefined;
  /** Why there are no more rows than before. */
  readonly moreTrouble?: Trouble | undefined;
  readonly isFound: boolean;
}

function useSkillRows(words: string, kind: string, onlyTroubled: boolean): Rows {
  const documents = useDocumentPages(onlyTroubled);
  const typed = useLoaded<DefinitionList>('/api/typed-skills');
  const typedOnes = typed.value === undefined ? [] : typedRows(typed.value);
  const found = useFoundRows(words, typedOnes);
  if (words !== '') return found;
  const isThere = documents.value !== undefined && (typed.value !== undefined || typed.trouble !== undefined);
  const hasMore = documents.more !== undefined && kind !== 'typed';
  const known = documentRows(documents.value?.documents ?? [], documents.findings);
  const rows = isThere ? mergeByName(known, typedOnes, hasMore) : undefined;
  const reload = () => {
    documents.reload();
    typed.reload();
  };
  const loaded = { trouble: documents.trouble ?? typed.trouble, reload };
  return { rows, loaded, more: documents.more, moreTrouble: documents.moreTrouble, isFound: false };
}

/** Nothing is asked without words. */
function useFoundRows(words: string, typedOnes: readonly SkillRow[]): Rows {
  const ofWords = (path: string, further = {}) =>
    words === '' ? undefined : withQuery(path, { q: words, limit: FOUND, ...further });
  const found = useLoaded<SearchResults>(ofWords('/api/search'), { keep: true });
  // The search does not say where a document comes from; this does. Its findings come when they are counted.
  const listed = useLoaded<DocumentList>(ofWords('/api/documents'), { keep: true });
  const counted = useLoaded<DocumentList>(ofWords('/api/documents', { findings: 'true' }), { keep: true });
  const known = [...documentRows(listed.value?.documents ?? [], findingsIn(counted.value)), ...typedOnes];
  const rows = found.value === undefined ? undefined : foundRows(found.value, known);
  return { rows, loaded: found, more: undefined, isFound: true };
}

/** Why the list is empty, and what to do. */
function Nothing({ words, onlyTroubled }: { readonly words: string; readonly onlyTroubled: boolean }) {
  if (onlyTroubled)
    return (
      <Empty title="No skill here has problems">
        What could not be served at all is listed in <a href="/problems">Problems</a>.
      </Empty>
    );
  return words === '' ? <NoSkills /> : <NothingFound words={words} />;
}

const NothingFound = ({ words }: { readonly words: string }) => (
  <Empty title="No skill matches">
    Nothing was found for “{words}”. Try fewer words, or the words that the skill itself would use.
  </Empty>
);

const NoSkills = () => (
  <Empty title="No skills yet" command={{ words: 'serve --root DIR' }}>
    Put a folder with a SKILL.md into <code>.agents/skills</code>, or start the server with the folder that has yours:
  </Empty>
);
