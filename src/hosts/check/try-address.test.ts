// Addresses tried on real servers: what answers is told apart, a token goes nowhere else, and nothing hangs.
import { afterEach, describe, expect, test } from 'vitest';
import { type McpStub, startMcpStub } from '../../../tests/support/mcp-stub.ts';
import { findAddress, likelyAddresses, tryAddress } from './try-address.ts';

const place = { version: '0', limitMs: 20_000 };
const stubs: McpStub[] = [];
afterEach(() => {
  for (const stub of stubs.splice(0)) stub.close();
});
async function stub(...options: Parameters<typeof startMcpStub>): Promise<McpStub> {
  const started = await startMcpStub(...options);
  stubs.push(started);
  return started;
}
const target = (url: string, token?: string) => ({
  url,
  headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  unset: undefined,
});
const answering = (status: number, body = '', headers: Record<string, string> = {}) =>
  stub({ answer: (_request, response) => void response.writeHead(status, headers).end(body) });

describe('tryAddress', () => {
  test.each([false, true])(
    'meets a server and counts its tools; as a stream that stays open: %s (U5)',
    async (isStream) => {
      const { url } = await stub({ token: 'right-token', isStream });
      expect(await tryAddress(target(url, 'right-token'), place)).toEqual({
        ok: true,
        value: { name: 'repertoire', version: '9', tools: ['skill', 'list_skills'], caller: undefined },
      });
    },
  );

  test('a server of another program that has our tools is met, too; one without is not ours (U5)', async () => {
    const own = await stub({ name: 'acme' });
    expect(await tryAddress(target(own.url), place)).toMatchObject({ ok: true, value: { name: 'acme' } });
    const other = await stub({ name: 'acme', tools: ['weather'] });
    expect(await tryAddress(target(other.url), place)).toEqual({
      ok: false,
      failure: { cause: 'not-ours', message: 'Another MCP server answers: it is "acme"' },
    });
  });

  test('says of a wrong token and of none that the server answered 401 (U5)', async () => {
    const { url } = await stub({ token: 'right-token' });
    expect(await tryAddress(target(url, 'wrong-token'), place)).toMatchObject({
      failure: { cause: 'token-rejected', message: expect.stringMatching(/^The server rejects the token \(401\)/) },
    });
    expect(await tryAddress(target(url), place)).toMatchObject({ failure: { cause: 'token-missing' } });
    expect(await tryAddress({ ...target(url), unset: 'MY_TOKEN' }, place)).toMatchObject({
      failure: { cause: 'token-missing', message: expect.stringContaining('MY_TOKEN, which is not set here') },
    });
  });

  test('a server whose metadata names who gives tokens away asks to sign in; one with a token in the entry does not (O1)', async () => {
    const offering = (servers: readonly string[]) =>
      stub({
        answer: ({ url: path }, response) => {
          const isMetadata = path === '/.well-known/oauth-protected-resource/mcp';
          response.writeHead(isMetadata ? 200 : 401, { 'Content-Type': 'application/json' });
          response.end(isMetadata ? JSON.stringify({ authorization_servers: servers }) : '{}');
        },
      });
    const { url } = await offering(['https://login.example.com']);
    const at = Object.assign(new URL(url), { pathname: '/mcp' }).href;
    expect(await tryAddress(target(at), place)).toMatchObject({ failure: { cause: 'sign-in-needed' } });
    expect(await tryAddress(target(at, 'my-token'), place)).toMatchObject({ failure: { cause: 'token-rejected' } });
    const none = Object.assign(new URL((await offering([])).url), { pathname: '/mcp' }).href;
    expect(await tryAddress(target(none), place)).toMatchObject({ failure: { cause: 'token-missing' } });
  });

  test('a token follows no redirection (U5)', async () => {
    const elsewhere = await stub();
    const { url } = await answering(307, '', { Location: `${elsewhere.url}?token=rpa_abcdefgh12345678` });
    const tried = await tryAddress(target(url, 'my-token'), place);
    expect(tried).toMatchObject({ failure: { cause: 'redirected', message: expect.stringContaining(elsewhere.url) } });
    expect(JSON.stringify(tried)).not.toContain('rpa_');
    expect(elsewhere.asked).toEqual([]);
  });

  test.each(['DELETE', 'GET'])('a token follows no redirection of %s (U5)', async (method) => {
    const elsewhere = await stub();
    const server = await stub({ sessionId: 's-1', redirects: { method, to: elsewhere.url } });
    expect(await tryAddress(target(server.url, 'my-token'), place)).toMatchObject({ ok: true });
    expect(server.asked.join('\n')).toMatch(new RegExp(`^${method} .* Bearer my-token$`, 'm'));
    expect(elsewhere.asked).toEqual([]);
  });

  test.each([
    [404, '', 'no-endpoint'],
    [200, '<html>Welcome</html>', 'no-endpoint'],
    [200, '{"jsonrpc":"2.0","id":1,"result":{}}', 'not-mcp'],
    [403, '{"failure_message":"Access denied: this server does not go by that Host"}', 'forbidden'],
    [429, '{}', 'unavailable'],
    [503, '{"error":{"message":"Database operation failed"}}', 'unavailable'],
  ])('tells what %i with %j is: %s (U5)', async (status, body, cause) => {
    const { url } = await answering(status, body);
    const tried = await tryAddress(target(url), place);
    expect(tried).toMatchObject({ ok: false, failure: { cause } });
    const said = /message":"([^"]+)/.exec(body)?.[1] ?? '';
    expect(JSON.stringify(tried)).toContain(said);
  });

  test('does not wait for a server that never answers, nor for one that never ends (U5)', async () => {
    const silent = await stub({ answer: () => undefined });
    const endless = await stub({ answer: (_request, response) => void response.writeHead(200).write('{') });
    for (const { url } of [silent, endless]) {
      expect(await tryAddress(target(url), { ...place, limitMs: 300 })).toMatchObject({
        failure: { cause: 'timed-out' },
      });
    }
  });

  test('says that nothing is there (U5)', async () => {
    const { url, close } = await startMcpStub();
    close();
    expect(await tryAddress(target(url), place)).toMatchObject({
      failure: { cause: 'unreachable', message: expect.stringContaining('no server is running there') },
    });
    expect(await tryAddress(target(url.replace('http', 'https')), place)).toMatchObject({ ok: false });
  });
});

describe('findAddress', () => {
  test.each([
    ['', '/mcp'],
    ['/', '/mcp'],
    ['/mcp', '/mcp'],
    ['/mcp/', '/mcp'],
    ['/team', '/team/mcp'],
    ['/', '/'],
    ['/team', '/team'],
  ])('finds the endpoint of the address with %j at %j (U5)', async (given, path) => {
    const { origin } = await stub({ path });
    const { url, attempt } = await findAddress(target(origin + given), place);
    expect(new URL(url).pathname).toBe(path);
    expect(attempt.ok).toBe(true);
  });

  test('keeps the likeliest address where nothing is found, and the query of all (U5)', async () => {
    const { origin } = await answering(404);
    expect((await findAddress(target(origin), place)).url).toBe(`${origin}/mcp`);
    expect(likelyAddresses('https://h.example/?a=1')).toEqual(['https://h.example/mcp?a=1', 'https://h.example/?a=1']);
  });
});
