// What is refused for how it looks: requests that pages of other sites make a browser send, and MCP at the wrong address.
import { describe, expect, test } from 'vitest';
import { AGENT_TOKEN, OPERATOR_TOKEN, openTestServer } from '../fixtures/open-test-server.ts';

describe('pages of another site (H4)', () => {
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const server = await openTestServer();
    const head = Object.entries({ Host: 'localhost', Connection: 'close', ...headers });
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return (await server.sendRaw(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`)).slice(9, 12);
  };
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  const link = { ...foreign, 'Sec-Fetch-Mode': 'navigate' };
  const known = { Authorization: `Bearer ${OPERATOR_TOKEN}` };

  test.each(['/', '/api/x', '/mcp', '/health', '/ready', '/api/session'])('may not ask for %s', async (path) => {
    expect(await ask(path, { ...foreign, 'Sec-Fetch-Mode': 'no-cors', ...known })).toBe('403');
  });

  test('may link to a page, and to nothing else', async () => {
    expect(await ask('/', link)).toBe('200');
    expect(await ask('/api/x', { ...link, ...known })).toBe('403');
    expect(await ask('/', link, 'POST')).toBe('403');
  });

  test('are not those of this one, nor a program', async () => {
    for (const site of ['same-origin', 'none']) {
      expect(await ask('/api/x', { 'Sec-Fetch-Site': site, ...known })).toBe('200');
    }
    expect(await ask('/api/x', known)).toBe('200');
  });
});

test('whoever posts to the address itself hears where the MCP endpoint is (H1)', async () => {
  const server = await openTestServer();
  const answer = await server.ask('/', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await answer.json()).toMatchObject({
    failure_message: expect.stringContaining('the MCP endpoint is /mcp'),
  });
});

test('two Authorization headers are no credential: which of them counts is not guessed (H5)', async () => {
  const server = await openTestServer();
  const lines = [OPERATOR_TOKEN, AGENT_TOKEN].map((token) => `Authorization: Bearer ${token}\r\n`).join('');
  const text = await server.sendRaw(`GET /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`);
  expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*the request has two Authorization headers/);
});
