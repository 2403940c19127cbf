// A place in a list, newest first: the moment and the id of the last row that was shown. Rows that are added later lie before it.

export interface Place {
  readonly at: Date;
  readonly id: string;
}

/** The cursor was not made by us. */
class BadCursor extends Error {
  override readonly name = 'BadCursor';
}

export const createCursor = ({ at, id }: Place): string => Buffer.from(`${at.getTime()} ${id}`).toString('base64url');

export function parseCursor(cursor: string, ids: RegExp): Place {
  const [, ms, id = ''] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || !ids.test(id)) {
    throw new BadCursor('Cannot go on with the list: the cursor is none of ours; ask again without it');
  }
  return { at: new Date(Number(ms)), id };
}
