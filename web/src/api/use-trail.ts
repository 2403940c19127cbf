// The trail, newest first: a first page, and further ones on request.
import { useState } from 'preact/hooks';
import type { TrailEntry, TrailList } from '../model/shapes.ts';
import { ask, type Trouble, withQuery } from './ask.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

const PATH = '/api/trail';

export interface TrailView {
  readonly first: Loaded<TrailList>;
  /** Of all pages that were loaded. */
  readonly entries: readonly TrailEntry[];
  /** There are older ones. */
  readonly hasMore: boolean;
  /** Why older ones could not be loaded. */
  readonly trouble: Trouble | undefined;
  readonly loadMore: () => void;
}

interface Older {
  /** Of the first page that these follow. */
  readonly head: string;
  readonly entries: readonly TrailEntry[];
  readonly cursor: string | null;
  readonly trouble: Trouble | undefined;
}

/** `isAllowed`: false asks for nothing. */
export function useTrail(isAllowed: boolean): TrailView {
  const first = useLoaded<TrailList>(isAllowed ? PATH : undefined);
  const [held, setOlder] = useState<Older | undefined>(undefined);
  const { head = '', entries = [], next_cursor = null } = first.value ?? {};
  const older = held?.head === head ? held : { head, entries: [], cursor: next_cursor, trouble: undefined };
  const loadMore = async () => {
    if (older.cursor === null) return;
    const answer = await ask<TrailList>(withQuery(PATH, { cursor: older.cursor }));
    setOlder(
      answer.ok
        ? {
            head,
            entries: [...older.entries, ...answer.value.entries],
            cursor: answer.value.next_cursor,
            trouble: undefined,
          }
        : { ...older, trouble: answer.trouble },
    );
  };
  return {
    first,
    entries: [...entries, ...older.entries],
    hasMore: older.cursor !== null,
    trouble: older.trouble,
    loadMore: () => void loadMore(),
  };
}
