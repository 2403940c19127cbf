// Registrations as they come, from anyone: a few of this process at once ask the store, and who has had theirs is told so without
// it. A flood of them leaves the database to the others (F10). The store counts for all replicas (O2).
import { createBoundedMap } from '../async/bounded-map.ts';
import { createQuota } from '../async/quota.ts';
import { createTurns } from '../async/turns.ts';
import type { OAuthClient, OAuthStore } from '../identity/oauth.ts';

interface RegistrationParts {
  readonly store: Pick<OAuthStore, 'register'>;
  readonly monotonicMs: () => number;
}

/** As many as one address may have in an hour: of more at once, one at least is too many. */
const MOST_OF_ONE = 10;
const AT_ONCE = 2;
/** How long it is known here that an address has had its own: far less than it has to wait. */
const FULL_MS = 30_000;
const MOST_KNOWN = 10_000;

export function createRegistrations({ store, monotonicMs }: RegistrationParts): OAuthStore['register'] {
  const inTurn = createTurns(AT_ONCE);
  const waiting = createQuota();
  const fullUntil = createBoundedMap<string, number>({ most: MOST_KNOWN });
  const isFull = (peer: string) => monotonicMs() < (fullUntil.get(peer) ?? 0);
  const add = async (client: OAuthClient, peer: string, at: Date) => {
    if (isFull(peer)) return 'busy';
    const added = await store.register(client, peer, at);
    if (added === 'busy') fullUntil.set(peer, monotonicMs() + FULL_MS);
    return added;
  };
  return async (client, peer, at) => {
    if (isFull(peer) || !waiting.take({ key: peer, most: MOST_OF_ONE })) return 'busy';
    try {
      return await inTurn(() => add(client, peer, at));
    } finally {
      waiting.give(peer);
    }
  };
}
