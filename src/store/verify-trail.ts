// Looks at every entry of the trail, in order and a page at a time, until one is not as it was written (L5). Others may write
// meanwhile. What became of that one is found out by explain-trail.ts.
import { EMPTY_HEAD, type TrailCheck, type TrailFault, type TrailHead, type TrailReport } from '../identity/trail.ts';
import { explainTrail, type Suspect, type VerifiedPlace } from './explain-trail.ts';
import type { Sql } from './sql.ts';
import { hashEntry, isSealed, linkTo, NO_SEAL, type SealedHead, sealHead, type TrailKey } from './trail-hash.ts';
import type { TrailKeys } from './trail-keys.ts';
import { findStray, readEntriesAfter, readSealedHead, type TrailRow } from './trail-rows.ts';

export async function verifyTrail(
  database: Sql,
  keys: Pick<TrailKeys, 'known'>,
  check: TrailCheck,
): Promise<TrailReport> {
  const report = await followTrail(database, keys, check);
  // Pages go by numbers: a second entry of one number, or one without, may lie between two of them.
  const stray = report.entries === 0 ? undefined : await findStray(database, report.entries);
  if (stray === undefined) return report;
  const message =
    stray === 0 ? 'An entry without a number was inserted' : `Entry ${stray} was inserted: there are two of them`;
  return { ...report, entries: Math.max(stray - 1, 0), fault: { seq: stray, kind: 'inserted', message } };
}

async function followTrail(
  database: Sql,
  keys: Pick<TrailKeys, 'known'>,
  { head: kept, onProgress }: TrailCheck,
): Promise<TrailReport> {
  const known = keys.known();
  const all = (await readSealedHead(database))?.seq ?? 0;
  let place = START;
  for (;;) {
    const rows = await readEntriesAfter(database, place.head.seq);
    for (const row of rows) {
      const suspect = findSuspect(row, place, known);
      const fault = suspect && (await explainTrail(database, suspect, known));
      if (fault !== undefined) return reportOf(place, fault);
      const next = after(row, known);
      if (kept?.seq === next.head.seq && kept.hash !== next.head.hash) return reportOf(place, otherThanKept(kept));
      place = next;
    }
    onProgress?.(place.head.seq, Math.max(all, place.head.seq));
    if (rows.length > 0) continue;
    const head = await readSealedHead(database);
    // Entered since the last page was read; or it was, and is not there any more.
    const isBehind = head !== undefined && head.seq > place.head.seq;
    if (isBehind && (await readEntriesAfter(database, place.head.seq, 1)).length > 0) continue;
    return reportOf(place, findEndFault(head, place, known, kept));
  }
}

const START: VerifiedPlace = { head: EMPTY_HEAD, keyId: '', seal: NO_SEAL };

const reportOf = ({ head }: VerifiedPlace, fault: TrailFault | undefined): TrailReport => ({
  entries: head.seq,
  head,
  fault,
});

/** It was found to be whole, so that its key is known. */
function after(row: TrailRow, known: readonly TrailKey[]): VerifiedPlace {
  const head = { seq: Number(row.seq), hash: String(row.hash) };
  const key = known.find(({ id }) => id === row.key_id);
  if (key === undefined) throw new Error('An entry without a known key was taken for whole');
  return { head, keyId: key.id, seal: sealHead(head, key) };
}

function findSuspect(row: TrailRow, place: VerifiedPlace, known: readonly TrailKey[]): Suspect | undefined {
  const suspect = { row, place };
  const expected = place.head.seq + 1;
  if (row.seq !== expected) return { ...suspect, because: 'place' };
  const key = known.find(({ id }) => id === row.key_id);
  if (key === undefined) return { ...suspect, because: 'key' };
  if (hashEntry(row, key) !== row.hash) return { ...suspect, because: 'hash' };
  return row.previous === linkTo(place.seal) ? undefined : { ...suspect, because: 'link' };
}

const otherThanKept = ({ seq }: TrailHead): TrailFault => ({
  seq,
  kind: 'changed',
  message: `Entry ${seq} has another hash than the head that was given: it was changed, or that head is of another trail`,
});

/** What is missing comes before a record that does not fit: who cuts off the end changes that as well. */
function findEndFault(
  found: SealedHead | undefined,
  place: VerifiedPlace,
  known: readonly TrailKey[],
  kept: TrailHead | undefined,
): TrailFault | undefined {
  const fault = findHeadFault(found, place, known);
  return fault?.kind === 'removed' ? fault : (findTruncation(kept, place) ?? fault);
}

function findTruncation(kept: TrailHead | undefined, { head }: VerifiedPlace): TrailFault | undefined {
  if (kept === undefined || kept.seq <= head.seq) return undefined;
  return { seq: head.seq + 1, kind: 'truncated', message: `${endText(head)}: ${cutText(head.seq + 1, kept.seq)}` };
}

/** The record of the newest entry, which only a holder of the key can write. */
function findHeadFault(
  found: SealedHead | undefined,
  { head, keyId, seal }: VerifiedPlace,
  known: readonly TrailKey[],
): TrailFault | undefined {
  const fault = (message: string): TrailFault => ({ seq: head.seq, kind: 'head', message });
  if (found === undefined) return fault('The record of the newest entry was removed: entries behind it may be, too');
  const isSame = found.seq === head.seq && found.hash === head.hash && found.key_id === keyId && found.seal === seal;
  if (isSame) return undefined;
  if (isSealed(found, known) && found.seq > head.seq) {
    return { seq: head.seq + 1, kind: 'removed', message: `${endText(head)}: ${cutText(head.seq + 1, found.seq)}` };
  }
  return fault(`The record of the newest entry was changed: it does not fit entry ${head.seq}`);
}

const endText = ({ seq }: TrailHead): string => (seq === 0 ? 'The trail is empty' : `The trail ends at entry ${seq}`);

const cutText = (first: number, last: number): string =>
  first === last ? `entry ${first} was removed` : `entries ${first} to ${last} were removed`;
