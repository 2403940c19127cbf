// A place in a list, newest first: the moment and the id of the last row that was shown. Rows that are added later lie before it.
import { BadCursor } from '../skills/record/invocation-log.ts';

export interface Place {
  readonly at: Date;
  readonly id: string;
}

export const createCursor = ({ at, id }: Place): string => Buffer.from(`${at.getTime()} ${id}`).toString('base64url');

/** Throws BadCursor. */
export function readCursor(cursor: string, ids: RegExp): Place {
  const [, ms, id = ''] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || !ids.test(id)) {
    throw new BadCursor('Cannot go on with the list: the cursor is none of ours; ask again without it');
  }
  return { at: new Date(Number(ms)), id };
}
