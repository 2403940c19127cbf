// The keyed hashes of the trail: of an entry together with the one before it, and of the head (L5). Pure.
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { TrailHead } from '../identity/trail.ts';

export interface TrailKey {
  /** Says which key it is, and nothing of the key. */
  readonly id: string;
  readonly key: Buffer;
}

/** For nothing else: the secret signs users' tokens, too. */
export function createTrailKey(secret: string): TrailKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'repertoire trail', 32));
  return { id: createHash('sha256').update('repertoire trail key').update(key).digest('hex').slice(0, 16), key };
}

/** Every column but the hash, as the database gives them: what was changed into another kind of value has another hash. */
export interface HashedColumns {
  readonly seq: unknown;
  readonly time_ms: unknown;
  readonly actor: unknown;
  readonly action: unknown;
  readonly subject: unknown;
  readonly digest: unknown;
  readonly details: unknown;
  readonly key_id: unknown;
  /** The link to the entry before. */
  readonly previous: unknown;
}

/** As a JSON array every field ends where it ends: no two entries have the same text. */
export const hashEntry = (entry: HashedColumns, { key }: TrailKey): string =>
  hmac(key, [
    'entry 1',
    entry.seq,
    entry.time_ms,
    entry.actor,
    entry.action,
    entry.subject,
    entry.digest,
    entry.details,
    entry.key_id,
    entry.previous,
  ]);

/**
 * Says which entry is the newest. It is kept in the head alone, so that cutting off entries takes more than the entries: the
 * seal of the one that would be the newest then is in no row any more.
 */
export const sealHead = ({ seq, hash }: TrailHead, { key }: TrailKey): string => hmac(key, ['head 1', seq, hash]);

/** What the next entry is chained to: made from the seal, which cannot be made from it. */
export const linkTo = (seal: string): string =>
  createHash('sha256').update('repertoire trail link').update(seal).digest('hex');

/** The record of the newest entry. */
export interface SealedHead extends TrailHead {
  readonly key_id: string;
  readonly seal: string;
}

/** Written by a holder of one of these keys. */
export const isSealed = (head: SealedHead, known: readonly TrailKey[]): boolean =>
  known.some((key) => key.id === head.key_id && sealHead(head, key) === head.seal);

/** Before the first entry. */
export const NO_SEAL = '';

const hmac = (key: Buffer, values: readonly unknown[]): string =>
  createHmac('sha256', key).update(JSON.stringify(values)).digest('hex');
