// What became of the first entry of the trail that is not as it was written: changed, removed, inserted or moved (L5).
// Reads the rest of the trail once, a page at a time.
import type { TrailFault, TrailFaultKind, TrailHead } from '../identity/trail.ts';
import type { Sql } from './sql.ts';
import { hashEntry, isSealed, linkTo, type SealedHead, type TrailKey } from './trail-hash.ts';
import { readEntriesAfter, readSealedHead, type TrailRow } from './trail-rows.ts';

/** How far the trail is as it was written. */
export interface VerifiedPlace {
  readonly head: TrailHead;
  readonly keyId: string;
  /** The next entry is chained to it. */
  readonly seal: string;
}

export interface Suspect {
  readonly row: TrailRow;
  /** Behind the last good one. */
  readonly place: VerifiedPlace;
  /** What does not fit first. */
  readonly because: 'place' | 'key' | 'hash' | 'link';
}

export async function explainTrail(database: Sql, suspect: Suspect, known: readonly TrailKey[]): Promise<TrailFault> {
  const { row, place, because } = suspect;
  const expected = place.head.seq + 1;
  const seq = Number(row.seq);
  if (because === 'place' && !(seq > expected)) return faultOf(seq, 'inserted');
  const head = await readSealedHead(database);
  if (head !== undefined && isEndAt(head, place, known)) return faultOf(seq, 'inserted');
  if (because === 'link') return faultOf(seq, 'removed', UNLINKED);
  const moved = await findMoved(database, place, known);
  const isPushedOut = because === 'place' || isLater(row, expected, head, known);
  if (moved === undefined) {
    if (isPushedOut) return faultOf(expected, 'removed');
    const isOther = because === 'key' && !isRenamedKey(row, known);
    return isOther ? faultOf(expected, 'key', keyText(known)) : faultOf(expected, 'changed');
  }
  if (isPushedOut) return faultOf(expected, 'reordered', `was moved: it stands at place ${moved}`);
  return faultOf(expected, 'inserted');
}

/** Nothing was ever entered behind a head that is whole, nor behind one whose seal alone was left as it was. */
const isEndAt = (head: SealedHead, { head: last, seal }: VerifiedPlace, known: readonly TrailKey[]): boolean =>
  (isSealed(head, known) && last.seq >= head.seq) || (last.seq > 0 && head.seal === seal);

const faultOf = (seq: number, kind: TrailFaultKind, what = `was ${kind}`): TrailFault => ({
  seq,
  kind,
  message: `Entry ${seq} ${what}`,
});

/** It is whole, and stands where it was written. */
const UNLINKED = 'does not follow from the one before it: entries were removed or replaced before it was written';

const keyText = (known: readonly TrailKey[]): string =>
  known.length === 0
    ? 'cannot be verified: the key of the trail is not here; set REPERTOIRE_SECRET as the server has it, or name its data directory with --data'
    : 'was written with another key: set REPERTOIRE_SECRET to the same value on every server';

/** Where the entry stands that follows the last good one: whole but for its number. */
async function findMoved(
  database: Sql,
  { head, seal }: VerifiedPlace,
  known: readonly TrailKey[],
): Promise<number | undefined> {
  const seq = head.seq + 1;
  const link = linkTo(seal);
  for (let last = head.seq; ; ) {
    const rows = await readEntriesAfter(database, last);
    const found = rows.find((row) => row.seq !== seq && row.previous === link && isWhole({ ...row, seq }, known));
    if (found !== undefined) return Number(found.seq);
    const next = Number(rows.at(-1)?.seq);
    if (!(next > last)) return undefined;
    last = next;
  }
}

/** More would take minutes. The head may have been set back by some. */
const MOST_TRIED = 1_000_000;
const SOME = 1_000;

/** It is one that was entered later, and whole but for its number. */
function isLater(row: TrailRow, expected: number, head: TrailHead | undefined, known: readonly TrailKey[]): boolean {
  const most = Math.min(Math.max(head?.seq ?? 0, expected) + SOME, expected + MOST_TRIED);
  for (let seq = expected + 1; seq <= most; seq += 1) if (isWhole({ ...row, seq }, known)) return true;
  return false;
}

const isWhole = (row: TrailRow, known: readonly TrailKey[]): boolean =>
  known.some((key) => key.id === row.key_id && hashEntry(row, key) === row.hash);

/** The name of its key was changed, and nothing else. */
const isRenamedKey = (row: TrailRow, known: readonly TrailKey[]): boolean =>
  known.some((key) => hashEntry({ ...row, key_id: key.id }, key) === row.hash);
