// Lists page by page, newest first. A cursor says which row was shown last: rows that are added later do not move it.
import { BadCursor } from '../skills/record/invocation-log.ts';

/** Of a row in such a list. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

const LONGEST_PAGE = 1_000;

export const pageLimit = (limit: number): number => Math.min(Math.max(1, Math.trunc(limit)), LONGEST_PAGE);

/** `found`: one more than the limit if there are more. */
export function pageOf<T>(found: readonly T[], limit: number, positionOf: (row: T) => Position) {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isLastPage = found.length <= limit || last === undefined;
  return { rows, nextCursor: isLastPage ? undefined : createCursor(positionOf(last)) };
}

const createCursor = ({ at, id }: Position): string => Buffer.from(`${at.getTime()} ${id}`).toString('base64url');

/** Throws BadCursor. */
export function readCursor(cursor: string, ids: RegExp): Position {
  const [, ms, id = ''] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || !ids.test(id)) {
    throw new BadCursor('Cannot go on with the list: the cursor is none of ours; ask again without it');
  }
  return { at: new Date(Number(ms)), id };
}
