// A list of what was read and what ran, as state of a component: the first page, further ones, and what comes while it is open.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ActivityRow, type Filter, fits, liveRowOf, mergeRows, rowOf } from '../model/activity-rows.ts';
import type { ActivityList } from '../model/shapes.ts';
import { ask, type Trouble, withQuery } from './ask.ts';
import { useLive } from './live.ts';
import { useRefresh } from './use-refresh.ts';
import { useWhenBack } from './when-back.ts';

/** A read is told of before it is in the log, which takes a moment. */
const READ_MS = 500;

interface Held {
  readonly key: string;
  readonly rows: readonly ActivityRow[];
  readonly cursor: string | undefined;
  /** How many have come since the page was loaded. */
  readonly fresh: number;
}

export function useActivity(filter: Filter, limit: number) {
  const [held, setHeld] = useState<Held | undefined>(undefined);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const path = withQuery('/api/activity', { ...filter, limit });
  const current = useRef(path);
  current.current = path;
  const load = async (isUpdate: boolean) => {
    const answer = await ask<ActivityList>(path);
    if (current.current !== path) return;
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (answer.ok)
      setHeld((before) =>
        isUpdate && before?.key === path ? updated(before, answer.value) : firstPage(path, answer.value),
      );
  };
  useEffect(() => void load(false), [path]);
  useWhenBack(trouble !== undefined, () => void load(true));
  const isOpen = filter.until === undefined;
  useLive(isOpen, (event) => {
    if (event.kind === 'tick') load(true);
    if (event.kind !== 'invocation') return;
    const row = liveRowOf(event.invocation);
    setHeld((before) => (before === undefined ? before : withLive(before, row, filter)));
  });
  useRefresh(
    () => void load(true),
    ({ kind }) => isOpen && kind === 'load' && filter.kind !== 'run',
    READ_MS,
  );
  const loadMore = async () => {
    const answer = await ask<ActivityList>(withQuery(path, { cursor: held?.cursor }));
    if (!answer.ok) return setTrouble(answer.trouble);
    setHeld((before) => (before?.key === path ? withFurther(before, answer.value) : before));
  };
  const isCurrent = held?.key === path;
  return {
    // The rows of the filter before stay until the new ones are there: nothing jumps.
    rows: held?.rows,
    cursor: isCurrent ? held.cursor : undefined,
    fresh: isCurrent ? held.fresh : 0,
    trouble,
    reload: () => void load(false),
    loadMore: () => void loadMore(),
  };
}

const firstPage = (key: string, { activity, next_cursor }: ActivityList): Held => ({
  key,
  rows: activity.map(rowOf),
  cursor: next_cursor ?? undefined,
  fresh: 0,
});

const withFurther = (held: Held, { activity, next_cursor }: ActivityList): Held => ({
  ...held,
  rows: mergeRows(held.rows, activity.map(rowOf)),
  cursor: next_cursor ?? undefined,
});

function updated(held: Held, { activity }: ActivityList): Held {
  const rows = mergeRows(held.rows, activity.map(rowOf));
  return { ...held, rows, fresh: held.fresh + Math.max(0, rows.length - held.rows.length) };
}

/** One that no longer fits, because its state changed, leaves the list. */
function withLive(held: Held, row: ActivityRow, filter: Filter): Held {
  const isKnown = held.rows.some(({ id }) => id === row.id);
  if (fits(row, filter))
    return { ...held, rows: mergeRows(held.rows, [row]), fresh: isKnown ? held.fresh : held.fresh + 1 };
  return isKnown ? { ...held, rows: held.rows.filter(({ id }) => id !== row.id) } : held;
}
