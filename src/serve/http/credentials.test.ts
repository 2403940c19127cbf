// Who is let in without a token: nobody that a proxy passed on (H5).
import { expect, test } from 'vitest';
import { createAuthenticator } from '../../identity/authenticator.ts';
import { fail } from '../../result.ts';
import { openTestServer } from './fixtures/open-test-server.ts';

test('with --no-auth a proxy stands for nobody (H5)', async () => {
  const authenticate = createAuthenticator({
    operatorToken: undefined,
    agents: undefined,
    verifyUser: async () => fail('bad'),
    users: { find: async () => undefined },
    noAuth: true,
    now: () => new Date(),
    monotonicMs: () => 0,
  });
  const server = await openTestServer({ authenticate });
  expect((await fetch(`${server.url}/api/x`)).status).toBe(200);
  const passedOn = await fetch(`${server.url}/api/x`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  expect(passedOn.status).toBe(401);
});
