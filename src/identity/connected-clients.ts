// Which clients are connected, as they are shown: one entry for each client and person, however often they allowed it (O7). Pure.
import { type ConnectedClient, toOAuthScopes } from './oauth.ts';
import { operatorKeyOf } from './oauth-callers.ts';
import { digestOf } from './token.ts';

/** Without what an operator allowed who has another token by now: it ended with the old one (O4). */
export function ofThisOperator(
  clients: readonly ConnectedClient[],
  operatorToken: string | undefined,
): readonly ConnectedClient[] {
  const key = operatorToken === undefined ? undefined : operatorKeyOf(digestOf(operatorToken));
  return clients.filter(({ operatorKey }) => operatorKey === undefined || operatorKey === key);
}

/** In the order in which they come. Scopes are those of all consents together, times the first and the last. */
export function oneForEach(clients: readonly ConnectedClient[]): readonly ConnectedClient[] {
  const found = new Map<string, ConnectedClient>();
  for (const client of clients) {
    const key = JSON.stringify([client.ref, client.email ?? null]);
    const former = found.get(key);
    found.set(key, former === undefined ? client : together(former, client));
  }
  return [...found.values()];
}

const together = (one: ConnectedClient, other: ConnectedClient): ConnectedClient => ({
  ...one,
  scopes: toOAuthScopes([...one.scopes, ...other.scopes]),
  createdAt: one.createdAt < other.createdAt ? one.createdAt : other.createdAt,
  lastUsedAt: later(one.lastUsedAt, other.lastUsedAt),
});

const later = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;
