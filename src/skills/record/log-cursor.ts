// Where a page of the log ended, as clients hand it back: a moment, and what tells apart entries of the same moment.
import { BadCursor } from './invocation-log.ts';

/** Of an entry in a list that is newest first. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export const createCursor = ({ at, id }: Position): string =>
  Buffer.from(`${at.getTime()} ${id}`).toString('base64url');

/** Throws BadCursor. */
export function readCursor(cursor: string, ids: RegExp): Position {
  const [, ms, id = ''] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || !ids.test(id)) {
    throw new BadCursor('Cannot go on with the list: the cursor is none of ours; ask again without it');
  }
  return { at: new Date(Number(ms)), id };
}
