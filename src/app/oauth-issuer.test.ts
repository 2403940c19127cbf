// Tokens of another issuer, over a real server: an issuer that is slow is told from a store that is away (O6).
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OAuthWorld, OPERATOR } from '../../tests/support/oauth-world.ts';

const key = await generateKeyPair('ES256');
const world = new OAuthWorld();
/** With the wait for its keys it is more than a look into the store may take. */
const SLOW_MS = 700;
let issuer = '';
/** Who asks for keys waits, until there is no list. */
let held: (() => void)[] | undefined = [];
const answerFor = async (url: string) =>
  url === '/keys'
    ? { keys: [{ ...(await exportJWK(key.publicKey)), kid: 'one' }] }
    : { issuer, jwks_uri: `${issuer}/keys` };
const server = createServer((asked, answer: ServerResponse) => {
  const send = async () => void answer.writeHead(200).end(JSON.stringify(await answerFor(asked.url ?? '')));
  if (asked.url !== '/keys') setTimeout(send, SLOW_MS);
  else if (held === undefined) void send();
  else held.push(() => void send());
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await world.start({ oauth: false, issuer, audience: 'skills' });
});
afterAll(async () => {
  await world.close();
  server.closeAllConnections();
  server.close();
});

test('while it is slow its tokens are 502, other credentials work, and what it says in the end is used (O6)', async () => {
  const token = await new SignJWT({ sub: 'ada', iss: issuer, aud: 'skills' })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setExpirationTime('5m')
    .sign(key.privateKey);
  const slow = await world.ask('/api/documents', { headers: { Authorization: `Bearer ${token}` } });
  expect([slow.status, await slow.json()]).toMatchObject([502, { failure_code: 'EXTERNAL_SERVICE_ERROR' }]);
  expect((await world.mcp(OPERATOR)).status).toBe(200);
  const waiting = held ?? [];
  held = undefined;
  for (const go of waiting) go();
  await expect.poll(async () => (await world.mcp(token)).status).toBe(200);
});
