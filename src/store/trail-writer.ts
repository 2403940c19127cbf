// Enters into the trail, within the transaction of the change that the entry tells of: both are there, or neither (L5).
import type { TrailNote } from '../identity/trail.ts';
import { storableText } from '../text/storable-text.ts';
import { type Dialect, plain, type Steps, sql, unread } from './sql.ts';
import { hashEntry, linkTo, NO_SEAL, sealHead, type TrailKey } from './trail-hash.ts';
import type { TrailKeys } from './trail-keys.ts';

export interface TrailWriter {
  /**
   * The last steps of a transaction (`yield* trail.append(…)`): they lock the head, and one who waits for it must hold nothing
   * that its holder still needs.
   */
  append(note: TrailNote): Steps<void>;
}

export interface TrailWriterParts {
  readonly dialect: Pick<Dialect, 'kind'>;
  readonly keys: TrailKeys;
  readonly now: () => Date;
  /** Called at most once, at an entry behind one whose key is not here: with only one of the two keys the trail looks broken. */
  readonly onOtherKey: () => void;
}

export function createTrailWriter({ dialect, keys, now, onOtherKey }: TrailWriterParts): TrailWriter {
  let isTold = false;
  const tellOtherKey = (before: string, own: TrailKey) => {
    if (isTold || before === '' || before === own.id || keys.known().some(({ id }) => id === before)) return;
    isTold = true;
    onOtherKey();
  };
  return { append };

  function* append(note: TrailNote): Steps<void> {
    // First, so that nothing waits for the disk while the head is locked.
    const key = keys.own();
    const { seq, previous, keyId } = yield* lockPlace(dialect);
    tellOtherKey(keyId, key);
    const entry = { seq, time_ms: now().getTime(), ...columnsOf(note), key_id: key.id, previous };
    const hash = hashEntry(entry, key);
    yield unread(sql`INSERT INTO repertoire_trail
        (seq, time_ms, actor, action, subject, digest, details, key_id, previous, hash)
      VALUES (${seq}, ${entry.time_ms}, ${entry.actor}, ${entry.action}, ${entry.subject}, ${entry.digest},
        ${entry.details}, ${entry.key_id}, ${previous}, ${hash})`);
    yield unread(sql`UPDATE repertoire_trail_head
      SET seq = ${seq}, hash = ${hash}, key_id = ${key.id}, seal = ${sealHead({ seq, hash }, key)} WHERE id = 1`);
  }
}

/** As they are kept and hashed. */
const columnsOf = ({ actor, action, subject, digest, details }: TrailNote) => ({
  actor: storableText(actor),
  action,
  subject: storableText(subject),
  digest: digest === undefined ? null : storableText(digest),
  details: details === undefined ? null : JSON.stringify(details),
});

interface Place {
  readonly seq: number;
  /** From the seal that the entry before left, as it is found: one that was tampered with shows when the trail is verified. */
  readonly previous: string;
  /** Of the key that the entry before was written with; empty where there is none. */
  readonly keyId: string;
}

/**
 * Behind all that is there. A head that was deleted is made again, without a seal, and one that was set back leads to no place
 * that is taken: to enter must go on, because revoking an agent must.
 */
function* lockPlace(dialect: TrailWriterParts['dialect']): Steps<Place> {
  yield unread(sql`INSERT INTO repertoire_trail_head (id, seq, hash, key_id, seal) VALUES (1, 0, '', '', ${NO_SEAL})
    ON CONFLICT (id) DO NOTHING`);
  const [head] = yield SELECT_HEAD[dialect.kind];
  const [last] = yield plain('SELECT MAX(seq) AS seq FROM repertoire_trail');
  return {
    seq: Math.max(Number(head?.seq), Number(last?.seq ?? 0)) + 1,
    previous: linkTo(String(head?.seal)),
    keyId: String(head?.key_id),
  };
}

const HEAD = 'SELECT seq, seal, key_id FROM repertoire_trail_head WHERE id = 1';

/** In SQLite the transaction is the lock. */
const SELECT_HEAD = { sqlite: plain(HEAD), postgres: plain(`${HEAD} FOR UPDATE`) };
