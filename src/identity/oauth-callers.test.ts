// Whose token a client brings: for this server alone, in time, and while the operator who allowed it has the same token (O4).
import { expect, test } from 'vitest';
import type { StoredToken } from './oauth.ts';
import { createOAuthCallers, operatorKeyOf } from './oauth-callers.ts';

const NOW = new Date(1_800_000_000_000);
const token = (changes: Partial<StoredToken> = {}): StoredToken => ({
  grant: {
    id: 'grant',
    client: { id: 'client', kind: 'dynamic', name: 'A host', redirectUris: [] },
    grantor: { kind: 'operator', key: operatorKeyOf('digest') },
    scopes: ['skills:read'],
    resource: 'https://own.example/mcp',
    isRevoked: false,
  },
  scopes: ['skills:read'],
  expiresAt: new Date(NOW.getTime() + 1_000),
  isUsed: false,
  ...changes,
});

function open(stored: StoredToken | undefined, operatorDigest: () => string | undefined = () => 'digest') {
  return createOAuthCallers({
    oauth: { findToken: async () => stored, findGrant: async () => stored?.grant, noteUse: () => undefined },
    operatorDigest,
    isOwnResource: (resource) => resource === 'https://own.example/mcp',
    recallPerson: () => 'stranger',
    now: () => NOW,
    monotonicMs: () => 0,
  });
}

function find(...parts: Parameters<typeof open>) {
  const callers = open(...parts);
  return () => callers.find('digest of the token', false);
}

const BAD = { ok: false, failure: 'bad' };
const { grant } = token();

test.each([
  ['none', undefined],
  ['expired', token({ expiresAt: NOW })],
  ['for another resource', token({ grant: { ...grant, resource: 'https://other.example/mcp' } })],
  ['revoked', token({ grant: { ...grant, isRevoked: true } })],
  ['of a person who is gone', token({ grant: { ...grant, grantor: { kind: 'user', userId: 'gone' } } })],
])('a token that is %s is bad, beside one that is good (O4)', async (_what, stored) => {
  expect(await find(stored)()).toEqual(BAD);
  expect(await find(token())()).toMatchObject({ ok: true, value: { name: 'local', via: { client: 'A host' } } });
});

test('a rotated operator token ends what the operator allowed, at once (O4)', async () => {
  let operator = 'digest';
  const ask = find(token(), () => operator);
  expect(await ask()).toMatchObject({ ok: true });
  operator = 'another digest';
  expect(await ask()).toEqual(BAD);
});

test.each([
  ['gone', undefined],
  ['for another resource', token({ grant: { ...grant, resource: 'https://other.example/mcp' } })],
  ['revoked', token({ grant: { ...grant, isRevoked: true } })],
  ['of a person who is gone', token({ grant: { ...grant, grantor: { kind: 'user', userId: 'gone' } } })],
  ['of an operator with another token', token({ grant: { ...grant, grantor: { kind: 'operator', key: 'former' } } })],
])('a consent that is %s has no grantor, beside one that holds (O4)', async (_what, stored) => {
  expect(await open(stored).findGrantor('grant', false)).toEqual(BAD);
  expect(await open(token()).findGrantor('grant', false)).toMatchObject({ ok: true, value: { kind: 'operator' } });
});
