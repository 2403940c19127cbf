// Lists page by page, newest first. A cursor says which row was shown last: rows that are added later do not move it.
import { createCursor, type Position } from '../skills/record/log-cursor.ts';

const LONGEST_PAGE = 1_000;

export const pageLimit = (limit: number): number => Math.min(Math.max(1, Math.trunc(limit)), LONGEST_PAGE);

/** `found`: one more than the limit if there are more. */
export function pageOf<T>(found: readonly T[], limit: number, positionOf: (row: T) => Position) {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const isLastPage = found.length <= limit || last === undefined;
  return { rows, nextCursor: isLastPage ? undefined : createCursor(positionOf(last)) };
}
