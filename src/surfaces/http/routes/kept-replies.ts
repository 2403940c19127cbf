// Answers that follow from the snapshot alone, kept while it stays: lists are asked for again and again.
import type { Snapshot } from '../../../catalog/view/snapshot.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import type { Reply } from '../message/reply.ts';

/** `key`: everything beside the snapshot that the answer depends on. */
export type KeepReply = (key: string, make: () => Reply) => Reply;

/** Together at most 4 MB, next to nothing beside the catalog itself (D7). */
const MAX_KEPT = 32;
const MAX_LENGTH = 128 * 1024;

export function createKeptReplies(repertoire: Pick<Repertoire, 'snapshot'>): KeepReply {
  const kept = new Map<string, Reply>();
  let snapshot: Snapshot | undefined;
  return (key, make) => {
    if (snapshot !== repertoire.snapshot) kept.clear();
    snapshot = repertoire.snapshot;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (kept.size >= MAX_KEPT) kept.clear();
    if ('body' in made && made.body.length <= MAX_LENGTH) kept.set(key, made);
    return made;
  };
}
