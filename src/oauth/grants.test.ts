// What a refresh token is worth after its server was given another name (O4).
import { expect, test } from 'vitest';
import type { OAuthClient, StoredToken } from '../identity/oauth.ts';
import { createRefreshToken } from '../identity/token.ts';
import { answerTokenRequest } from './grants.ts';

const client: OAuthClient = { id: 'c', kind: 'dynamic', name: 'A client', redirectUris: ['http://127.0.0.1/back'] };
const found: StoredToken = {
  grant: {
    id: 'g',
    client,
    grantor: { kind: 'user', userId: 'u' },
    scopes: ['skills:read'],
    resource: 'https://old.example/mcp',
    isRevoked: false,
  },
  scopes: ['skills:read'],
  expiresAt: new Date(Date.now() + 60_000),
  isUsed: false,
};

const refresh = (ownResource: string) => {
  const form = { grant_type: 'refresh_token', client_id: 'c', refresh_token: createRefreshToken() };
  return answerTokenRequest(new Map(Object.entries(form)), undefined, {
    store: {
      findClient: async () => client,
      findCode: async () => undefined,
      redeem: async () => 'used',
      findToken: async () => found,
      rotate: async () => 'rotated',
      revokeGrant: async () => undefined,
    },
    now: () => new Date(),
    operatorKey: () => undefined,
    isOwnResource: (resource) => resource === ownResource,
    onRevoked: () => undefined,
  });
};

test('a refresh token for a name that the server no longer has is none: the client asks for a consent again (O4)', async () => {
  await expect(refresh('https://new.example/mcp')).rejects.toMatchObject({ code: 'invalid_grant' });
  expect(await refresh('https://old.example/mcp')).toMatchObject({ token_type: 'Bearer', scope: 'skills:read' });
});
