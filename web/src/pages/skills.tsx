// Every skill of both kinds in one list, searched as one types.
import { useEffect, useState } from 'preact/hooks';
import { ask, withQuery } from '../api/ask.ts';
import { useLive } from '../api/live.ts';
import type { DefinitionList, DocumentList, Me, ProblemList, SearchResults } from '../api/shapes.ts';
import { type Loaded, useLoaded } from '../api/use-loaded.ts';
import { Icon } from '../components/icons.tsx';
import { Page } from '../components/page.tsx';
import { AvailabilityPill, KindPill } from '../components/pills.tsx';
import { Empty, Failed, Skeleton } from '../components/states.tsx';
import { plural } from '../format.ts';
import { setQuery } from '../router.ts';
import { countByFolder, documentRows, foundRows, mergeByName, type SkillRow, typedRows } from '../skill-rows.ts';

const PAGE = 100;
const FOUND = 50;
const TYPING_MS = 120;

export function SkillsPage({ query, me }: { readonly query: URLSearchParams; readonly me: Me }) {
  const words = query.get('q') ?? '';
  const kind = query.get('kind') ?? 'all';
  const { rows, loaded, more, isFound } = useSkillRows(words, kind);
  useLive(me.may_read_log, (event) => event.kind === 'catalog' && loaded.reload());
  const shown = kind === 'all' ? rows : rows?.filter((row) => row.kind === kind);
  return (
    <Page title="Skills" lede="Documents for agents to read, and typed skills to invoke." tools={<Kinds kind={kind} />}>
      <Search words={words} />
      <section class="card" aria-label="Skills">
        <p class="unseen" role="status">
          {shown !== undefined && `${plural(shown.length, 'skill')}${isFound ? ' found' : ''}`}
        </p>
        {loaded.trouble !== undefined && <Failed trouble={loaded.trouble} retry={loaded.reload} />}
        {shown === undefined && loaded.trouble === undefined && <Skeleton lines={10} />}
        {shown !== undefined && shown.length > 0 && <SkillTable rows={shown} />}
        {shown?.length === 0 && (isFound ? <NothingFound words={words} /> : <NoSkills />)}
        {more !== undefined && kind !== 'typed' && (
          <div class="more">
            <button type="button" class="button" onClick={more}>
              Show more
            </button>
          </div>
        )}
      </section>
    </Page>
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
  useEffect(() => {
    const timer = setTimeout(() => typed.trim() !== words && setQuery({ q: typed.trim() }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, words]);
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
  return { rows, loaded, more: documents.more, isFound };
}

/** The first page as it changes, and the further ones that were asked for. */
function usePages(): Loaded<DocumentList> & { readonly more: (() => void) | undefined } {
  const first = useLoaded<DocumentList>(withQuery('/api/documents', { limit: PAGE }));
  const [further, setFurther] = useState<DocumentList | undefined>(undefined);
  const documents = [...(first.value?.documents ?? []), ...(further?.documents ?? [])];
  const cursor = further === undefined ? first.value?.next_cursor : further.next_cursor;
  const loadMore = async (next: string) => {
    const answer = await ask<DocumentList>(withQuery('/api/documents', { limit: PAGE, cursor: next }));
    if (!answer.ok) return;
    setFurther((before) => ({
      documents: [...(before?.documents ?? []), ...answer.value.documents],
      next_cursor: answer.value.next_cursor,
    }));
  };
  const more = cursor === null || cursor === undefined ? undefined : () => void loadMore(cursor);
  const value = first.value === undefined ? undefined : { documents, next_cursor: cursor ?? null };
  return { ...first, value, more };
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
