// The document skills, a page at a time: the first as it changes, and the further ones that were asked for since.
import { useRef, useState } from 'preact/hooks';
import { keepCount, keptPlace } from '../browser/place-memory.ts';
import type { DocumentList } from '../model/shapes.ts';
import { distinctByUri, type Findings, findingsIn } from '../model/skill-rows.ts';
import { ask, type Trouble, withQuery } from './ask.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

const PAGE = 100;
/** What the server gives at most. */
const LARGEST_PAGE = 1_000;

interface Further {
  /** The first page that these follow. Once that is another, they may not fit any more. */
  readonly first: DocumentList | undefined;
  readonly documents: DocumentList['documents'];
  readonly next_cursor: string | null;
  readonly trouble: Trouble | undefined;
}

export interface DocumentPages extends Loaded<DocumentList> {
  readonly findings: Findings;
  /** `undefined`: there are no more. */
  readonly more: (() => void) | undefined;
  readonly moreTrouble: Trouble | undefined;
}

/** `isWhole`: as many as one answer can hold, because they are filtered here. */
export function useDocumentPages(isWhole: boolean): DocumentPages {
  const [begun] = useState(() => Math.max(PAGE, keptPlace()?.count ?? 0));
  const limit = isWhole ? LARGEST_PAGE : Math.min(LARGEST_PAGE, begun);
  const path = withQuery('/api/documents', { limit });
  const first = useLoaded<DocumentList>(path, { keep: true });
  // Counting findings may take the server seconds; the list does not wait for it.
  const counted = useLoaded<DocumentList>(withQuery('/api/documents', { limit, findings: 'true' }), { keep: true });
  const { further, loadMore } = useFurther(first.value, limit);
  const { next_cursor, trouble: moreTrouble } = further;
  const documents = distinctByUri([...(first.value?.documents ?? []), ...further.documents]);
  return {
    ...first,
    value: first.value === undefined ? undefined : { documents, next_cursor },
    findings: findingsIn(counted.value),
    more: next_cursor === null ? undefined : () => void loadMore(next_cursor),
    moreTrouble,
  };
}

function useFurther(first: DocumentList | undefined, limit: number) {
  const [held, setHeld] = useState<Further | undefined>(undefined);
  const newest = useRef(first);
  newest.current = first;
  const begin = { first, documents: [], next_cursor: first?.next_cursor ?? null, trouble: undefined };
  const further: Further = held !== undefined && held.first === first ? held : begin;
  const loadMore = async (cursor: string) => {
    const answer = await ask<DocumentList>(withQuery('/api/documents', { limit, findings: 'true', cursor }));
    if (newest.current !== further.first) return;
    if (!answer.ok) return setHeld({ ...further, trouble: answer.trouble });
    const documents = [...further.documents, ...answer.value.documents];
    setHeld({ ...further, ...answer.value, documents, trouble: undefined });
    keepCount((first?.documents.length ?? 0) + documents.length);
  };
  return { further, loadMore };
}
