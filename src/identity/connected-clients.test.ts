// Clients that are connected, as they are shown (O7).
import { expect, test } from 'vitest';
import { ofThisOperator, oneForEach } from './connected-clients.ts';
import type { ConnectedClient } from './oauth.ts';
import { operatorKeyOf } from './oauth-callers.ts';
import { digestOf } from './token.ts';

const keyOf = (token: string) => operatorKeyOf(digestOf(token));

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));

const client = (given: Partial<ConnectedClient> = {}): ConnectedClient => ({
  ref: 'one',
  client: { id: 'one', kind: 'dynamic', name: 'A host', redirectUris: [] },
  email: undefined,
  operatorKey: keyOf('now'),
  scopes: ['skills:read'],
  createdAt: at(1),
  lastUsedAt: undefined,
  ...given,
});

test('a client that one person allowed several times is one, with its latest use (O7)', () => {
  const again = client({ scopes: ['log:read', 'skills:read'], createdAt: at(2), lastUsedAt: at(3) });
  const third = client({ createdAt: at(4), lastUsedAt: at(2) });
  expect(oneForEach([client(), again, third])).toEqual([
    client({ scopes: ['skills:read', 'log:read'], lastUsedAt: at(3) }),
  ]);
});

test('of several persons, or of another client of that name, each is its own (O7)', () => {
  const all = [
    client(),
    client({ email: 'ada@example.com', operatorKey: undefined }),
    client({ email: 'bob@example.com', operatorKey: undefined }),
    client({ ref: 'two' }),
  ];
  expect(oneForEach(all)).toEqual(all);
});

test('what an operator allowed with a token that was rotated since is not connected (O4, O7)', () => {
  const [old, person] = [
    client({ operatorKey: keyOf('before') }),
    client({ email: 'ada@example.com', operatorKey: undefined }),
  ];
  expect(ofThisOperator([old, client(), person], 'now')).toEqual([client(), person]);
  expect(ofThisOperator([old, client(), person], undefined)).toEqual([person]);
});
