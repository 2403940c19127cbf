// What a refresh token is worth after its server was given another name, or its person other scopes (O4, O5).
import { expect, test } from 'vitest';
import type { OAuthClient, StoredToken } from '../identity/oauth.ts';
import type { Person } from '../identity/people.ts';
import { createRefreshToken } from '../identity/token.ts';
import { answerTokenRequest } from './grants.ts';

const client: OAuthClient = { id: 'c', kind: 'dynamic', name: 'A client', redirectUris: ['http://127.0.0.1/back'] };
const found: StoredToken = {
  grant: {
    id: 'g',
    client,
    grantor: { kind: 'user', userId: 'u' },
    scopes: ['skills:read', 'log:read'],
    resource: 'https://old.example/mcp',
    isRevoked: false,
  },
  scopes: ['skills:read', 'log:read'],
  expiresAt: new Date(Date.now() + 60_000),
  isUsed: false,
};

const person = (scopes: Person['scopes']): Person => ({
  id: 'u',
  email: 'ada@example.com',
  displayName: null,
  createdAt: new Date(),
  roles: [],
  scopes,
});

const OLD = 'https://old.example/mcp';
const ALL = person(['log:read']);

const refresh = (
  ownResource: string,
  owner: Person | undefined = ALL,
  asked: Readonly<Record<string, string>> = {},
) => {
  const form = { grant_type: 'refresh_token', client_id: 'c', refresh_token: createRefreshToken(), ...asked };
  return answerTokenRequest(new Map(Object.entries(form)), undefined, {
    store: {
      findClient: async () => client,
      findCode: async () => undefined,
      redeem: async () => 'used',
      findToken: async () => found,
      rotate: async () => 'rotated',
      revokeGrant: async () => undefined,
    },
    findPerson: async () => owner,
    now: () => new Date(),
    operatorKey: () => undefined,
    isOwnResource: (resource) => resource === ownResource,
    onRevoked: () => undefined,
  });
};

test('a refresh token for a name that the server no longer has is none: the client asks for a consent again (O4)', async () => {
  await expect(refresh('https://new.example/mcp')).rejects.toMatchObject({ code: 'invalid_grant' });
  expect(await refresh(OLD)).toMatchObject({ token_type: 'Bearer', scope: 'skills:read log:read' });
});

test('a refreshed token is for no more than the person has now, and the refresh token stays good (O4, O5)', async () => {
  expect(await refresh(OLD, person([]))).toMatchObject({ scope: 'skills:read' });
  expect(await refresh(OLD, person([]), { scope: 'skills:read log:read' })).toMatchObject({ scope: 'skills:read' });
  for (const scope of ['log:read', 'skills:read runs:approve'])
    await expect(refresh(OLD, person([]), { scope })).rejects.toMatchObject({ code: 'invalid_scope' });
  expect(await refresh(OLD, ALL, { scope: 'log:read' })).toMatchObject({ scope: 'log:read' });
});
