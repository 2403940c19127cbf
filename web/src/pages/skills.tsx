// Every skill of both kinds in one list, searched as one types.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Trouble, withQuery } from '../api/ask.ts';
import { useLive } from '../api/live.ts';
import type { DefinitionList, DocumentList, Me, ProblemList, SearchResults } from '../api/shapes.ts';
import { type Loaded, useLoaded } from '../api/use-loaded.ts';
import { Icon } from '../components/icons.tsx';
import { Page } from '../components/page.tsx';
import { AvailabilityPill, KindPill } from '../components/pills.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import { plural } from '../format.ts';
import { setQuery } from '../router.ts';
import {
  countByFolder,
  distinctByUri,
  documentRows,
  foundRows,
  mergeByName,
  type SkillRow,
  typedRows,
} from '../skill-rows.ts';

const PAGE = 100;
const FOUND = 50;
const TYPING_MS = 120;

export function SkillsPage({ query, me }: { readonly query: URLSearchParams; readonly me: Me }) {
  const words = query.get('q') ?? '';
  const kind = query.get('kind') ?? 'all';
  const { rows, loaded, more, moreTrouble, isFound } = useSkillRows(words, kind);
  useLive(me.may_read_log, (event) => event.kind === 'catalog' && loaded.reload());
  const isCut = isFound && (rows?.length ?? 0) >= FOUND;
  const shown = kind === 'all' ? rows : rows?.filter((row) => row.kind === kind);
  return (
    <Page title="Skills" lede="Documents for agents to read, and typed skills to invoke." tools={<Kinds kind={kind} />}>
      <Search words={words} />
      <section class="card" aria-label="Skills">
        <p class="unseen" role="status">
          {shown !== undefined && countedText(shown.length, isFound, isCut)}
        </p>
        {loaded.trouble !== undefined && <Failed trouble={loaded.trouble} retry={loaded.reload} />}
        {shown === undefined && loaded.trouble === undefined && <Skeleton lines={10} />}
        {shown !== undefined && shown.length > 0 && <SkillTable rows={shown} />}
        {shown?.length === 0 && (isFound ? <NothingFound words={words} /> : <NoSkills />)}
        {isCut && <p class="more small muted">The first {FOUND} are shown. Use more words to see others.</p>}
        {more !== undefined && kind !== 'typed' && <More more={more} trouble={moreTrouble} />}
      </section>
    </Page>
  );
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

const Kinds = ({ kind }: { readonly kind: string }) => (
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
        placeholder="Search: a name, a few words, a whole request"
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

function useSkillRows(words: string, kind: string): Rows {
  const documents = usePages();
  const typed = useLoaded<DefinitionList>('/api/typed-skills');
  const problems = useLoaded<ProblemList>('/api/problems');
  const isFound = words !== '';
  const ofWords = (path: string) => (isFound ? withQuery(path, { q: words, limit: FOUND }) : undefined);
  const found = useLoaded<SearchResults>(ofWords('/api/search'), { keep: true });
  // The search does not say where a document comes from; this does.
  const foundDocuments = useLoaded<DocumentList>(ofWords('/api/documents'), { keep: true });
  const counts = countByFolder(problems.value?.problems ?? []);
  const typedOnes = typed.value === undefined ? [] : typedRows(typed.value);
  if (isFound) {
    const known = [...documentRows(foundDocuments.value?.documents ?? [], counts), ...typedOnes];
    const rows = found.value === undefined ? undefined : foundRows(found.value, known);
    return { rows, loaded: found, more: undefined, isFound };
  }
  const isThere = documents.value !== undefined && (typed.value !== undefined || typed.trouble !== undefined);
  const hasMore = documents.more !== undefined && kind !== 'typed';
  const known = documentRows(documents.value?.documents ?? [], counts);
  const rows = isThere ? mergeByName(known, typedOnes, hasMore) : undefined;
  const loaded = { trouble: documents.trouble ?? typed.trouble, reload: documents.reload };
  return { rows, loaded, more: documents.more, moreTrouble: documents.moreTrouble, isFound };
}

interface Further {
  /** The first page that these follow. Once that is another, they may not fit any more. */
  readonly first: DocumentList | undefined;
  readonly documents: DocumentList['documents'];
  readonly next_cursor: string | null;
  readonly trouble: Trouble | undefined;
}

interface Pages extends Loaded<DocumentList> {
  readonly more: (() => void) | undefined;
  readonly moreTrouble: Trouble | undefined;
}

/** The first page as it changes, and the further ones that were asked for since. */
function usePages(): Pages {
  const first = useLoaded<DocumentList>(withQuery('/api/documents', { limit: PAGE }));
  const [held, setHeld] = useState<Further | undefined>(undefined);
  const newest = useRef(first.value);
  newest.current = first.value;
  const begin = {
    first: first.value,
    documents: [],
    next_cursor: first.value?.next_cursor ?? null,
    trouble: undefined,
  };
  const further: Further = held !== undefined && held.first === first.value ? held : begin;
  const loadMore = async (cursor: string) => {
    const answer = await ask<DocumentList>(withQuery('/api/documents', { limit: PAGE, cursor }));
    if (newest.current !== further.first) return;
    setHeld(
      answer.ok
        ? {
            ...further,
            ...answer.value,
            documents: [...further.documents, ...answer.value.documents],
            trouble: undefined,
          }
        : { ...further, trouble: answer.trouble },
    );
  };
  const { next_cursor, trouble: moreTrouble } = further;
  const documents = distinctByUri([...(first.value?.documents ?? []), ...further.documents]);
  const value = first.value === undefined ? undefined : { documents, next_cursor };
  return { ...first, value, more: next_cursor === null ? undefined : () => void loadMore(next_cursor), moreTrouble };
}

const SkillTable = ({ rows }: { readonly rows: readonly SkillRow[] }) => (
  <table class="table rows">
    <thead>
      <tr>
        <th scope="col">Skill</th>
        <th scope="col" class="hide-small">
          Kind
        </th>
        <th scope="col" class="hide-small">
          From
        </th>
        <th scope="col" class="hide-small">
          State
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.key}>
          <td class="wide">
            <a class="row-link" href={row.address}>
              {row.name}
            </a>
            <div class="pills only-small">
              <KindPill kind={row.kind} />
              <State row={row} />
            </div>
            <div class="muted small clamp">{row.description}</div>
          </td>
          <td class="fit hide-small">
            <KindPill kind={row.kind} />
          </td>
          <td class="fit hide-small small muted mono">{row.source}</td>
          <td class="fit hide-small">
            <State row={row} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const State = ({ row: { availability, problems } }: { readonly row: SkillRow }) => (
  <span class="pills">
    {availability !== undefined && <AvailabilityPill availability={availability} />}
    {problems > 0 && <span class="pill warn">{plural(problems, 'problem')}</span>}
  </span>
);

const NothingFound = ({ words }: { readonly words: string }) => (
  <Empty title="No skill fits">
    Nothing was found for “{words}”. Try fewer words, or the words that the skill itself would use.
  </Empty>
);

const NoSkills = () => (
  <Empty title="No skills yet" command="repertoire serve --root DIR">
    Put a folder with a SKILL.md into <code>.agents/skills</code>, or start the server with the folder that has yours:
  </Empty>
);
