// Pages of a log of which some entries are hidden (N4). The numbers of its rows would tell how many: a cursor says here how many entries of
// its moment were shown, and entries are known by their moment.
import { createCursor, readCursor } from '../skills/record/log-cursor.ts';

interface Listed<T> {
  readonly entries: readonly T[];
  readonly hasMore: boolean;
}

interface Pages<T> {
  /** Of the log itself. */
  read(page: { readonly limit: number; readonly cursor?: string }): Promise<Listed<T>>;
  momentOf(entry: T): Date;
}

export interface LimitedPage<T> {
  /** `place`: among those of its moment, from 0. */
  readonly entries: readonly { readonly entry: T; readonly place: number }[];
  readonly nextCursor: string | undefined;
}

const PLACES = /^\d{1,4}$/;

/** Throws BadCursor. */
export async function limitedPage<T>(
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
  { read, momentOf }: Pages<T>,
): Promise<LimitedPage<T>> {
  const last = cursor === undefined ? undefined : readCursor(cursor, PLACES);
  const shown = Number(last?.id ?? 0);
  // All of that moment once more: nothing has the number 0.
  const from = last && createCursor({ at: new Date(last.at.getTime() + 1), id: '0' });
  const page = await read({ limit: limit + shown, ...(from !== undefined && { cursor: from }) });
  const placed = placeEach(page.entries, momentOf);
  const entries = placed.slice(shown);
  const end = entries.at(-1);
  const next = page.hasMore && end && createCursor({ at: momentOf(end.entry), id: String(end.place + 1) });
  return { entries, nextCursor: next || undefined };
}

function placeEach<T>(entries: readonly T[], momentOf: (entry: T) => Date) {
  let place = -1;
  return entries.map((entry, at) => {
    const before = entries[at - 1];
    const isSame = before !== undefined && momentOf(before).getTime() === momentOf(entry).getTime();
    place = isSame ? place + 1 : 0;
    return { entry, place };
  });
}
