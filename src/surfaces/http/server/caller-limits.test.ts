// Places for answers that stay open: whoever is gone before theirs is taken takes none (F10).
import { expect, test } from 'vitest';
import type { Authenticate } from '../../../identity/authentication.ts';
import { authenticateTests, OPERATOR_TOKEN, openTestServer } from '../fixtures/open-test-server.ts';

test('a client that goes while it is looked up leaves its place to others (F10)', async () => {
  const lookups: (() => void)[] = [];
  const authenticate: Authenticate = async (credentials) => {
    await new Promise<void>((resolve) => lookups.push(resolve));
    return authenticateTests(credentials);
  };
  const opened: boolean[] = [];
  const server = await openTestServer({
    authenticate,
    limits: { lookupMs: 600_000, streams: { inAll: 1, perCaller: 1, ofOperator: 1 } },
    api: {
      handle: (admitted) => {
        opened.push(admitted.limits.openStream(admitted, () => admitted.response.end()));
        if (!admitted.response.destroyed) admitted.response.end();
      },
    },
  });
  const socket = await server.connect();
  socket.write(`GET /api/x HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n\r\n`);
  await expect.poll(() => lookups.length).toBe(1);
  socket.destroy();
  await expect.poll(() => server.connections()).toBe(0);
  lookups[0]?.();
  await expect.poll(() => opened).toEqual([false]);
  const answer = server.ask('/api/x');
  await expect.poll(() => lookups.length).toBe(2);
  lookups[1]?.();
  await answer;
  expect(opened).toEqual([false, true]);
});
