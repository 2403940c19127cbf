// Headers that would say one thing to a proxy and another to us: refused, never dropped unseen (H4, H5).
import { expect, test } from 'vitest';
import { createAuthenticator } from '../../../identity/authenticator.ts';
import { fail } from '../../../values/result.ts';
import { OPERATOR_TOKEN, openTestServer } from '../fixtures/open-test-server.ts';

/** As with `--no-auth`: whoever is on this machine needs no credential, and a proxy stands for nobody. */
const openWithoutCredentials = () =>
  openTestServer({
    authenticate: createAuthenticator({
      operatorToken: undefined,
      agents: undefined,
      verifyUser: async () => fail('bad'),
      people: { find: async () => undefined },
      noAuth: true,
      now: () => new Date(),
      monotonicMs: () => 0,
    }).authenticate,
  });

const get = (lines: string, path = '/api/x') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`;

test.each([195, 198, 199, 500, 998, 1_000, 1_001, 2_000, 10_000])(
  '%i empty headers do not hide from --no-auth that a proxy passed the request on (A6)',
  async (count) => {
    const server = await openWithoutCredentials();
    const text = await server.sendRaw(get(`${'a:\r\n'.repeat(count)}X-Forwarded-For: 192.0.2.1\r\n`));
    expect(text).toMatch(count < 198 ? /^HTTP\/1.1 401 / : /^HTTP\/1.1 431 /);
  },
);

test.each(['/api/x', '/mcp', '/health', '/', '/api/session'])(
  'more than 200 headers are refused before %s, with a body that says so (A6)',
  async (path) => {
    const server = await openTestServer();
    const lines = `Authorization: Bearer ${OPERATOR_TOKEN}\r\n`;
    expect(await server.sendRaw(get(lines + 'a:\r\n'.repeat(197), path))).not.toMatch(/^HTTP\/1.1 431 /);
    const refused = await server.sendRaw(get(lines + 'a:\r\n'.repeat(198), path));
    expect(refused).toMatch(/^HTTP\/1.1 431 [\s\S]*the request has more than 200 headers/);
  },
);

test('a request with too many headers leaves nothing that is taken for the next one (A6)', async () => {
  const server = await openTestServer();
  const inner = get('', '/health').replace('Connection: close\r\n', '');
  const outer = `POST /api/x HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(1_000)}Content-Length: ${inner.length}\r\n\r\n`;
  const text = await server.sendRaw(outer + inner + get('', '/nothing'));
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 431', 'HTTP/1.1 401']);
});

test.each([
  ['a folded line', 'Foo: a\r\n X-Forwarded-For: 192.0.2.1\r\n'],
  ['a folded line with a tab', 'Foo: a\r\n\tX-Forwarded-For: 192.0.2.1\r\n'],
  ['a space before the colon', 'X-Forwarded-For : 192.0.2.1\r\n'],
  ['a bare line feed', 'Foo: a\nX-Forwarded-For: 192.0.2.1\r\n'],
  ['a bare carriage return', 'Foo: a\rX-Forwarded-For: 192.0.2.1\r\n'],
  ['two lengths', 'Content-Length: 0\r\nContent-Length: 0\r\n'],
  ['two lengths in one', 'Content-Length: 0, 0\r\n'],
  ['a length and chunks', 'Content-Length: 0\r\nTransfer-Encoding: chunked\r\n'],
  ['two Hosts', 'Host: localhost\r\n'],
  ['two credentials', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
])('refused: %s (A6)', async (_what, lines) => {
  const server = await openWithoutCredentials();
  expect(await server.sendRaw(get(lines))).toMatch(/^HTTP\/1.1 400 /);
});

test.each([
  ['empty', 'X-Forwarded-For:\r\n'],
  ['twice', 'X-Forwarded-For: 127.0.0.1\r\nx-forwarded-for: ::1\r\n'],
  ['very long', `X-Forwarded-For: ${'127.0.0.1,'.repeat(1_500)}::1\r\n`],
])('X-Forwarded-For counts for --no-auth, also when it is %s (A6)', async (_what, lines) => {
  const server = await openWithoutCredentials();
  expect(await server.sendRaw(get(lines))).toMatch(/^HTTP\/1.1 401 /);
});

test('a header of more than 16 KB is refused (A6)', async () => {
  const server = await openWithoutCredentials();
  const text = await server.sendRaw(get(`X-Forwarded-For: ${'127.0.0.1,'.repeat(2_000)}::1\r\n`));
  expect(text).toMatch(/^HTTP\/1.1 431 [\s\S]*the headers are too long/);
});
