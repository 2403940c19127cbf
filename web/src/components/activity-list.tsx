// What was read and what ran, by some filter: newest first, further pages on request, and what happens while one looks.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useOutage } from '../api/server-state.ts';
import { useActivity } from '../api/use-activity.ts';
import { type ActivityRow, addressOf, type Filter, MOST_ROWS } from '../model/activity-rows.ts';
import { callerText } from '../model/run-state.ts';
import { countText, durationText } from '../text/format.ts';
import { Name } from './name.tsx';
import { StatusPill } from './pills.tsx';
import { Failed, Skeleton } from './states.tsx';
import { When } from './when.tsx';

const USUAL_PAGE = 50;

interface ActivityTableProps {
  readonly filter: Filter;
  /** Shown instead of a table without rows. */
  readonly empty: ComponentChildren;
  /** So many at first. */
  readonly page?: number;
  /** Never more than so many, however many come: what stands below must not move away. */
  readonly most?: number;
}

export function ActivityTable({ filter, empty, page = USUAL_PAGE, most = MOST_ROWS }: ActivityTableProps) {
  const { rows, trouble, cursor, fresh, reload, loadMore } = useActivity(filter, page);
  const isOutage = useOutage(trouble);
  const hasRows = rows !== undefined && rows.length > 0;
  if (trouble !== undefined && !(isOutage && hasRows)) return <Failed trouble={trouble} retry={reload} />;
  if (rows === undefined) return <Skeleton lines={Math.min(page, 12)} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      <p class="unseen" role="status">
        {fresh > 0 && `${countText(fresh)} new`}
      </p>
      <div class={isOutage ? 'stale' : ''}>
        <Rows rows={rows} most={most} />
      </div>
      {isOutage && (
        <p class="more small muted" role="alert">
          This is what happened before. What happened since is not known.
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
function useSteadyRows(rows: readonly ActivityRow[]) {
  const [newest, setNewest] = useState<string | undefined>(undefined);
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') setNewest(rows[0]?.at);
  };
  const steady = newest === undefined ? rows : rows.filter(({ at }) => at <= newest);
  return { steady, onPointerEnter: enter, onPointerLeave: () => setNewest(undefined) };
}

function Rows({ rows, most }: { readonly rows: readonly ActivityRow[]; readonly most: number }) {
  const { steady, ...pointing } = useSteadyRows(rows);
  return (
    <table class="table rows steady activity" {...pointing}>
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
      <th scope="col" class="outcome-column hide-small">
        Outcome
      </th>
      <th scope="col" class="agent-column hide-small">
        Agent
      </th>
      <th scope="col" class="took-column number hide-small">
        Took
      </th>
      <th scope="col" class="when-column number">
        When
      </th>
    </tr>
  </thead>
);

const Row = ({ row }: { readonly row: ActivityRow }) => (
  <tr>
    <td class="wide">
      <a class="row-link" href={addressOf(row)}>
        <Name text={row.skill} />
      </a>{' '}
      {row.path !== undefined && (
        <span class="mono muted">
          <Name text={row.path} />
        </span>
      )}
      <div class="only-small in-line">
        <Outcome row={row} />
        <span class="muted">{callerText(row.agent)}</span>
        {row.durationMs !== undefined && <span class="muted">{durationText(row.durationMs)}</span>}
      </div>
    </td>
    <td class="hide-small">
      <Outcome row={row} />
    </td>
    <td class="wide hide-small muted">{callerText(row.agent)}</td>
    <td class="number hide-small muted">{row.durationMs === undefined ? '' : durationText(row.durationMs)}</td>
    <td class="number muted">
      <When at={row.at} isInRow />
    </td>
  </tr>
);

/** What went as it should is said quietly: what did not is to be found at a glance. */
function Outcome({ row: { kind, status, failureCode } }: { readonly row: ActivityRow }) {
  if (kind !== 'run') return <span class="pill plain dot read">{kind === 'read' ? 'read' : 'file read'}</span>;
  if (status === 'completed') return <span class="pill plain dot good">completed</span>;
  return (
    <span class="pills">
      <StatusPill status={status} />
      {failureCode !== undefined && status !== 'timeout' && <span class="mono muted">{failureCode}</span>}
    </span>
  );
}
