// What gets through to a route, what is turned away before it, and how that is said (H3, H4, H5).
import { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLatch } from '../../../../tests/support/latch.ts';
import { stopTime } from '../../../../tests/support/stopped-time.ts';
import { fail, ok } from '../../../values/result.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, openTestServer, testSessions } from '../fixtures/open-test-server.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/json', ...headers },
});

describe('an admitted request', () => {
  test('carries path, caller, body and correlation id to the route (H1)', async () => {
    const server = await openTestServer();
    const id = '01234567-89AB-cdef-0123-456789abcdef';
    const answer = await server.ask('/api/x%20y?q=1', post('{"ü":1}', { 'X-Correlation-Id': id }));
    expect(answer.headers.get('x-correlation-id')).toBe(id.toLowerCase());
    expect(await answer.json()).toEqual({
      path: '/api/x%20y',
      caller: 'local',
      kind: 'operator',
      remote: false,
      correlation_id: id.toLowerCase(),
      body: '{"ü":1}',
    });
  });

  test('has an id of our own where none or a bad one came (H3)', async () => {
    const server = await openTestServer();
    for (const headers of [{}, { 'X-Correlation-Id': 'mine' }]) {
      const answer = await server.ask('/api/x', { headers });
      expect(answer.headers.get('x-correlation-id')).toMatch(UUID);
    }
  });

  test.each([
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'forwarded',
    'x-real-ip',
    'via',
    'cf-connecting-ip',
    'true-client-ip',
  ])('is remote when %s came (T1)', async (name) => {
    const server = await openTestServer();
    const answer = await server.ask('/mcp', post('{}', { [name]: '127.0.0.1' }));
    expect(await answer.json()).toMatchObject({ remote: true });
  });

  test('goes to /mcp or to the API, never both (H1)', async () => {
    const seen: string[] = [];
    const note = (where: string) => (admitted: { response: { end: () => void }; path: string }) => {
      seen.push(`${where} ${admitted.path}`);
      admitted.response.end();
    };
    const server = await openTestServer({
      mcp: { handle: note('mcp'), close: async () => {} },
      api: { handle: note('api') },
    });
    for (const path of ['/mcp', '/mcp?x', '/mcp/', '/MCP', '/api/mcp']) await server.ask(path);
    expect(seen).toEqual(['mcp /mcp', 'mcp /mcp', 'api /mcp/', 'api /MCP', 'api /api/mcp']);
  });
});

describe('security headers', () => {
  test.each(['/api/x', '/health', '/', '/nothing', '/.well-known/none'])(
    'are on every answer: %s (H4)',
    async (path) => {
      const server = await openTestServer();
      const { headers } = await fetch(`${server.url}${path}`);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('x-correlation-id')).toMatch(UUID);
      const names = [...headers.keys()];
      expect(names.filter((name) => /^(server|x-powered-by|access-control-)/.test(name))).toEqual([]);
    },
  );

  test('give way to what a route says, however it says it (H2)', async () => {
    const server = await openTestServer({
      api: {
        handle: ({ response, path }) => {
          if (path === '/api/set') response.setHeader('Cache-Control', 'private');
          else if (path === '/api/list') response.writeHead(200, ['cache-control', 'private', 'X-Own', '1']);
          else response.writeHead(200, 'Fine', { 'cache-control': 'private' });
          response.end('x');
        },
      },
    });
    for (const path of ['/api/set', '/api/list', '/api/object']) {
      const { headers } = await server.ask(path);
      expect([path, headers.get('cache-control')]).toEqual([path, 'private']);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-correlation-id')).toMatch(UUID);
    }
  });
});

describe('Host and Origin (H4)', () => {
  const statusFor = async (lines: string, path = '/api/x') => {
    const server = await openTestServer();
    const text = await server.sendRaw(
      `GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\nConnection: close\r\n${lines}\r\n`,
    );
    return Number(text.slice(9, 12));
  };

  test.each(['/api/x', '/mcp', '/health', '/', '/ready', '/.well-known/oauth-protected-resource', '/nothing'])(
    'are looked at before %s',
    async (path) => {
      expect(await statusFor('Host: evil.example\r\n', path)).toBe(403);
      expect(await statusFor('Host: localhost:1\r\nOrigin: http://evil.example\r\n', path)).toBe(403);
      expect(await statusFor('Host: localhost:1\r\nOrigin: null\r\n', path)).toBe(403);
      expect(await statusFor('Host: localhost:1\r\nOrigin: http://LOCALHOST:1\r\n', path)).not.toBe(403);
    },
  );

  test('are asked for once', async () => {
    expect(await statusFor('')).toBe(400);
    expect(await statusFor('Host: localhost\r\nHost: evil.example\r\n')).toBe(400);
    expect(await statusFor('Host: evil.example\r\nHost: localhost\r\n')).toBe(403);
    expect(await statusFor('Host: localhost\r\n')).toBe(200);
  });
});

describe('the shape of a request (H3)', () => {
  test.each([
    ['PUT', '/api/x', 405, 'GET, HEAD, POST, DELETE'],
    ['OPTIONS', '/api/x', 405, 'GET, HEAD, POST, DELETE'],
    ['PUT', '/x', 405, 'GET, HEAD, POST'],
    ['DELETE', '/metrics', 405, 'GET, HEAD, POST'],
    ['OPTIONS', '/', 405, 'GET, HEAD'],
    ['PATCH', '/mcp', 405, 'GET, POST, DELETE'],
    ['HEAD', '/mcp', 405, 'GET, POST, DELETE'],
    ['POST', '/health', 405, 'GET, HEAD'],
    ['POST', '/ready', 405, 'GET, HEAD'],
  ])('%s %s is %i', async (method, path, status, allow) => {
    const server = await openTestServer();
    const answer = await server.ask(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
  });

  test.each(['TRACE /api/x', 'PROPFIND /api/x', 'GET http://localhost/api/x', 'OPTIONS *'])(
    '%s is refused',
    async (line) => {
      const server = await openTestServer();
      const text = await server.sendRaw(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1.1 (400|405) /);
    },
  );

  test('CONNECT gets no tunnel, and Upgrade no other protocol', async () => {
    const server = await openTestServer();
    expect(await server.sendRaw('CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n')).not.toMatch(/ 200 /);
    const upgrade = (to: string) =>
      server.sendRaw(
        `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: ${to}\r\nSec-WebSocket-Key: x\r\n\r\n`,
      );
    expect(await upgrade('websocket')).toMatch(/^HTTP\/1.1 400 /);
    expect(await upgrade('h2c')).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonp', 415],
    ['application/json; charset=latin1', 415],
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['APPLICATION/JSON;charset="UTF-8"', 200],
  ])('a body of type %s is %i', async (type, status) => {
    const server = await openTestServer();
    expect((await server.ask('/api/x', post('{}', { 'Content-Type': type }))).status).toBe(status);
    expect((await server.ask('/mcp', post('{}', { 'Content-Type': type }))).status).toBe(status);
  });

  test('a body without a type, a compressed one, one that is not UTF-8 and one of a GET are refused', async () => {
    const server = await openTestServer();
    const bytes = new Uint8Array([0x22, 0xff, 0x22]);
    const type = { 'Content-Type': 'application/json' };
    const statuses = [
      await server.ask('/api/x', { method: 'POST', body: new Uint8Array([0x7b, 0x7d]) }),
      await server.ask('/api/x', post('{}', { 'Content-Encoding': 'gzip' })),
      await server.ask('/api/x', { method: 'POST', body: bytes, headers: type }),
      await server.ask('/mcp', { method: 'DELETE', body: '{}', headers: type }),
      await server.ask('/api/x', { method: 'POST' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([415, 415, 400, 400, 200]);
  });

  test('a body of exactly 1 MB comes through whole, one byte more does not', async () => {
    const server = await openTestServer();
    const largest = `"${'x'.repeat(1_048_574)}"`;
    const answer = await server.ask('/api/x', post(largest));
    expect(((await answer.json()) as { body: string }).body).toBe(largest);
    expect((await server.ask('/api/x', post(`${largest} `))).status).toBe(413);
  });

  test.each(['/api/x', '/mcp'])(
    'a body of very many tiny values is refused before it is parsed: %s (A4)',
    async (path) => {
      const server = await openTestServer();
      const parse = vi.spyOn(JSON, 'parse');
      const body = `[${'{},'.repeat(300_000)}{}]`;
      const answer = await server.ask(path, post(body));
      expect(parse).not.toHaveBeenCalledWith(body);
      parse.mockRestore();
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(
        'the body has more than 50,000 JSON values (field names count, too); send fewer at once',
      );
      expect((await server.ask('/api/x', post(`[${'{},'.repeat(49_998)}{}]`))).status).toBe(200);
    },
  );

  test('errors have the body of H3, at /mcp the one of JSON-RPC', async () => {
    const server = await openTestServer();
    const api = await server.ask('/api/x', post('{}', { 'Content-Type': 'text/plain' }));
    expect(await api.json()).toEqual({
      success: false,
      failure_code: 'VALIDATION_ERROR',
      failure_message: 'Input validation failed: the body must be JSON; send Content-Type: application/json',
      severity: 'recoverable',
      suggested_action: 'Fix input and retry',
      correlation_id: api.headers.get('x-correlation-id'),
    });
    const mcp = await server.ask('/mcp', post('{}', { 'Content-Type': 'text/plain' }));
    expect(await mcp.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    expect(mcp.status).toBe(415);
  });
});

describe('who sent it (H5)', () => {
  const as = (headers: Record<string, string>) => async (path: string) => {
    const server = await openTestServer();
    return fetch(`${server.url}${path}`, { headers });
  };

  test('is asked everywhere but on the public paths', async () => {
    const ask = as({});
    for (const path of ['/health', '/', '/ready', '/.well-known/oauth-protected-resource']) {
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    }
    for (const path of ['/api/documents', '/metrics', '/api/openapi.json', '/mcp', '/anything']) {
      expect([path, (await ask(path)).status]).toEqual([path, 401]);
    }
  });

  test('a 401 says where to learn more, and whether a bad one came', async () => {
    const none = await as({})('/mcp');
    const bad = await as({ Authorization: 'Bearer wrong' })('/api/x');
    const metadata = (answer: Response) => answer.headers.get('www-authenticate')?.replace(/:\d+/, '');
    expect(metadata(none)).toBe('Bearer resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource/mcp"');
    expect(metadata(bad)).toBe(
      'Bearer resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource", error="invalid_token"',
    );
    expect(await bad.json()).toMatchObject({ failure_code: 'UNAUTHORIZED', severity: 'fatal' });
    expect(await none.json()).toMatchObject({ id: null, error: { code: -32000 } });
  });

  test.each([
    ['Basic cnBvX29wZXJhdG9yOg=='],
    ['Bearer'],
    [`Bearer ${OPERATOR_TOKEN} x`],
    [OPERATOR_TOKEN],
    [`Bearer ${OPERATOR_TOKEN.toUpperCase()}`],
  ])('%s is a bad credential', async (value) => {
    expect((await as({ Authorization: value })('/api/x')).status).toBe(401);
  });

  test('a token comes in a header or in the cookie of the dashboard, never in a query', async () => {
    expect(await (await as({ Authorization: `bEARER ${AGENT_TOKEN}` })('/api/x')).json()).toMatchObject({
      caller: 'helper',
    });
    const server = await openTestServer();
    const session = `repertoire_session_${server.port}=${await testSessions.seal(AGENT_TOKEN)}`;
    const known = await fetch(`${server.url}/api/x`, { headers: { Cookie: `a=b; ${session}; c=d` } });
    expect(await known.json()).toMatchObject({ caller: 'helper' });
    for (const name of ['token', 'access_token']) {
      expect((await as({})(`/api/x?${name}=${OPERATOR_TOKEN}`)).status).toBe(401);
    }
  });

  test("the cookie is the dashboard's alone: a page of another origin does not bring it", async () => {
    const server = await openTestServer();
    const text = async (site: string) =>
      server.sendRaw(
        `GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nSec-Fetch-Site: ${site}\r\nCookie: repertoire_session=${await testSessions.seal(AGENT_TOKEN)}\r\n\r\n`,
      );
    expect(await text('same-site')).toMatch(/^HTTP\/1.1 401 /);
    expect(await text('cross-site')).toMatch(/^HTTP\/1.1 403 /);
    expect(await text('same-origin')).toMatch(/^HTTP\/1.1 200 /);
  });

  test('may take a while to find out; a database that is away is answered with 503 (H6)', async () => {
    const slow = await openTestServer({
      authenticate: async () => ok({ kind: 'agent', name: 'a', roles: [], scopes: [] }),
    });
    expect(await (await slow.ask('/api/x', post('{}'))).json()).toMatchObject({ caller: 'a', body: '{}' });
    const down = await openTestServer({ authenticate: async () => fail('unavailable') });
    expect((await down.ask('/mcp', post('{}'))).status).toBe(503);
  });

  test('signing in says in one word that it is temporarily unavailable (N7, H3)', async () => {
    const server = await openTestServer({
      authenticate: async () => fail('unavailable'),
      signIn: async () => fail('unavailable'),
    });
    for (const body of [{ token: 'x' }, { email: 'ada@example.com', password: 'x' }]) {
      const answer = await server.ask('/api/session', post(JSON.stringify(body)));
      expect([answer.status, answer.headers.get('Failure-Reason')]).toEqual([503, 'temporarily_unavailable']);
      expect(await answer.json()).toMatchObject({ failure_code: 'PERSISTENCE_ERROR' });
    }
  });

  test('is waited for 1.8 s, until the store has said that it hangs: the answer is 503 after that (H6)', async () => {
    const asked = createLatch();
    const hanging = await openTestServer({
      authenticate: () => {
        asked.open();
        return new Promise(() => {});
      },
    });
    const { pass } = stopTime();
    const socket = await hanging.connect();
    const answer = new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    socket.write('GET /api/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n');
    await asked.opened;
    const answered = vi.spyOn(ServerResponse.prototype, 'end');
    onTestFinished(() => answered.mockRestore());
    await pass(1_799);
    expect(answered).not.toHaveBeenCalled();
    await pass(1);
    expect(await answer).toMatch(/^HTTP\/1.1 503 [\s\S]*"failure_code":"PERSISTENCE_ERROR"/);
  });
});
