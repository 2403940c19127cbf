// Invocations by some filter: newest first, further pages on request, and what happens while one looks.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Trouble, withQuery } from '../api/ask.ts';
import { useLive } from '../api/live.ts';
import { useOutage } from '../api/server-state.ts';
import { useWhenBack } from '../api/when-back.ts';
import { pathTo } from '../browser/router.ts';
import {
  type Filter,
  fits,
  type InvocationRow,
  liveRowOf,
  MOST_ROWS,
  mergeRows,
  rowOf,
} from '../model/invocation-rows.ts';
import type { InvocationList } from '../model/shapes.ts';
import { durationText, plural } from '../text/format.ts';
import { Name } from './name.tsx';
import { StatusPill, Time } from './pills.tsx';
import { Empty, Failed, Skeleton } from './states.tsx';

const USUAL_PAGE = 50;

interface InvocationTableProps {
  readonly filter: Filter;
  readonly empty: string;
  /** So many at first. */
  readonly page?: number;
  /** Never more than so many, however many come: what stands below must not move away. */
  readonly most?: number;
}

export function InvocationTable({ filter, empty, page = USUAL_PAGE, most = MOST_ROWS }: InvocationTableProps) {
  const { rows, trouble, cursor, fresh, reload, loadMore } = useInvocations(filter, page);
  const isOutage = useOutage(trouble);
  const hasRows = rows !== undefined && rows.length > 0;
  if (trouble !== undefined && !(isOutage && hasRows)) return <Failed trouble={trouble} retry={reload} />;
  if (rows === undefined) return <Skeleton lines={Math.min(page, 12)} />;
  if (rows.length === 0)
    return (
      <Empty title="Nothing ran" command={{ words: "invoke NAME --input '{}'", reach: 'typed' }}>
        {empty}
      </Empty>
    );
  return (
    <>
      <p class="unseen" role="status">
        {fresh > 0 && `${plural(fresh, 'new invocation')}`}
      </p>
      <div class={isOutage ? 'stale' : ''}>
        <Rows rows={rows} most={most} />
      </div>
      {isOutage && (
        <p class="more small muted" role="alert">
          These ran before. What ran since is not known.
          <button type="button" class="button little" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {cursor !== undefined && !isOutage && rows.length < most && (
        <div class="more">
          <button type="button" class="button" onClick={loadMore}>
            Show more
          </button>
        </div>
      )}
      {most === MOST_ROWS && rows.length >= MOST_ROWS && (
        <p class="more small muted">The newest {MOST_ROWS} are shown. Use the filters to see others.</p>
      )}
    </>
  );
}

/** No row moves away from under a mouse that is about to press it: newer ones wait until it has left. */
function useSteadyRows(rows: readonly InvocationRow[]) {
  const [newest, setNewest] = useState<string | undefined>(undefined);
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') setNewest(rows[0]?.startedAt);
  };
  const steady = newest === undefined ? rows : rows.filter(({ startedAt }) => startedAt <= newest);
  return { steady, onPointerEnter: enter, onPointerLeave: () => setNewest(undefined) };
}

function Rows({ rows, most }: { readonly rows: readonly InvocationRow[]; readonly most: number }) {
  const { steady, ...pointing } = useSteadyRows(rows);
  return (
    <table class="table rows" {...pointing}>
      <RowHead />
      <tbody>
        {steady.slice(0, most).map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

const RowHead = () => (
  <thead>
    <tr>
      <th scope="col">Skill</th>
      <th scope="col">Outcome</th>
      <th scope="col" class="hide-small">
        Agent
      </th>
      <th scope="col" class="number hide-small">
        Took
      </th>
      <th scope="col" class="number">
        Started
      </th>
    </tr>
  </thead>
);

const Row = ({ row }: { readonly row: InvocationRow }) => (
  <tr>
    <td class="wide">
      <a class="row-link" href={pathTo('invocations', row.id)}>
        <Name text={row.skill} />
      </a>
    </td>
    <td>
      <StatusPill status={row.status} />{' '}
      {row.failureCode !== undefined && <span class="mono muted hide-small">{row.failureCode}</span>}
    </td>
    <td class="wide hide-small muted">{row.agent}</td>
    <td class="number hide-small">{row.durationMs === undefined ? '–' : durationText(row.durationMs)}</td>
    <td class="number muted">
      <Time at={row.startedAt} />
    </td>
  </tr>
);

interface Held {
  readonly key: string;
  readonly rows: readonly InvocationRow[];
  readonly cursor: string | undefined;
  readonly fresh: number;
}

function useInvocations(filter: Filter, limit: number) {
  const [held, setHeld] = useState<Held | undefined>(undefined);
  const [trouble, setTrouble] = useState<Trouble | undefined>(undefined);
  const path = withQuery('/api/invocations', { ...filter, limit });
  const current = useRef(path);
  current.current = path;
  const load = async (isUpdate: boolean) => {
    const answer = await ask<InvocationList>(path);
    if (current.current !== path) return;
    setTrouble(answer.ok ? undefined : answer.trouble);
    if (answer.ok)
      setHeld((before) =>
        isUpdate && before?.key === path ? updated(before, answer.value) : firstPage(path, answer.value),
      );
  };
  useEffect(() => void load(false), [path]);
  useWhenBack(trouble !== undefined, () => void load(true));
  useLive(filter.until === undefined, (event) => {
    if (event.kind === 'tick') load(true);
    if (event.kind !== 'invocation') return;
    const row = liveRowOf(event.invocation);
    setHeld((before) => (before === undefined ? before : withLive(before, row, filter)));
  });
  const loadMore = async () => {
    const answer = await ask<InvocationList>(withQuery(path, {}) + cursorQuery(held?.cursor));
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

const cursorQuery = (cursor: string | undefined): string =>
  cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;

const firstPage = (key: string, { invocations, next_cursor }: InvocationList): Held => ({
  key,
  rows: invocations.map(rowOf),
  cursor: next_cursor ?? undefined,
  fresh: 0,
});

const withFurther = (held: Held, { invocations, next_cursor }: InvocationList): Held => ({
  ...held,
  rows: mergeRows(held.rows, invocations.map(rowOf)),
  cursor: next_cursor ?? undefined,
});

function updated(held: Held, { invocations }: InvocationList): Held {
  const rows = mergeRows(held.rows, invocations.map(rowOf));
  return { ...held, rows, fresh: held.fresh + Math.max(0, rows.length - held.rows.length) };
}

/** One that no longer fits, because its state changed, leaves the list. */
function withLive(held: Held, row: InvocationRow, filter: Filter): Held {
  const isKnown = held.rows.some(({ id }) => id === row.id);
  if (fits(row, filter))
    return { ...held, rows: mergeRows(held.rows, [row]), fresh: isKnown ? held.fresh : held.fresh + 1 };
  return isKnown ? { ...held, rows: held.rows.filter(({ id }) => id !== row.id) } : held;
}
