// A server that notices who connects: real clients of both protocol eras, each under the agent whose token it brought.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { writeSkill } from '../../tests/support/write-skill.ts';
import { type Server, type ServerOptions, startServer } from '../server.ts';

async function open(options: ServerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-connections-'));
  writeSkill(join(folder, 'skills'), 'sql-review');
  writeSkill(join(folder, 'skills'), 'release-notes');
  const given = { roots: [join(folder, 'skills')], data: join(folder, 'data'), port: 0, builtin: [], ...options };
  const start = async () => {
    const server = await startServer(given);
    return { server, ...askers(server) };
  };
  const first = await start();
  let open = first.server;
  onTestFinished(async () => {
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const restart = async () => {
    await open.close();
    const next = await start();
    open = next.server;
    return next;
  };
  return { ...first, restart };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Json = any;

function askers({ url, operatorToken = '' }: Server) {
  const ask = (path: string, { token = operatorToken, ...init }: RequestInit & { token?: string } = {}) => {
    const authorization = token === '' ? {} : { Authorization: `Bearer ${token}` };
    return fetch(url + path, { ...init, headers: { ...authorization, 'Content-Type': 'application/json' } });
  };
  const askJson = async (path: string): Promise<Json> => (await ask(path)).json();
  const add = async (name: string, given = {}): Promise<string> => {
    const body = JSON.stringify({ name, ...given });
    return ((await (await ask('/api/agents', { method: 'POST', body })).json()) as Json).token;
  };
  return { ask, askJson, add };
}

async function connect(
  url: string,
  token: string,
  { name = 'claude-code', mode = 'legacy' as 'legacy' | 'auto' } = {},
) {
  const client = new Client({ name, version: '2.1.0' }, { versionNegotiation: { mode } });
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

test.each(['legacy', 'auto'] as const)(
  '%s: connected, then its tools, then the first skill it read (U1)',
  async (mode) => {
    const { server, askJson, add } = await open();
    const token = await add('claude-code');
    const find = () => askJson('/api/connections?agent=claude-code');
    expect(await find()).toEqual({ connections: [], is_used: false });
    const client = await connect(server.url, token, { mode });
    expect(await find()).toMatchObject({
      connections: [
        { caller: { kind: 'agent', name: 'claude-code' }, client: 'claude-code', version: '2.1.0', first_read: null },
      ],
      is_used: true,
    });
    const { tools } = await client.listTools();
    expect((await find()).connections).toMatchObject([{ tools: tools.length, first_read: null }]);
    await client.callTool({ name: 'skill', arguments: { name: 'sql-review' } });
    await client.callTool({ name: 'skill', arguments: { name: 'release-notes' } });
    expect((await find()).connections).toMatchObject([
      { tools: tools.length, first_read: { skill_name: 'sql-review' } },
    ]);
  },
);

test('every way to read a document counts, and reading one over the API is no connection (U1)', async () => {
  const { server, ask, askJson, add } = await open();
  const uri = 'skill://sql-review/SKILL.md';
  const ways = {
    skill: (client: Client) => client.callTool({ name: 'get_skill', arguments: { uri } }),
    folder: (client: Client) => client.callTool({ name: 'get_skill', arguments: { skill_name: 'sql-review' } }),
    resource: (client: Client) => client.readResource({ uri }),
    prompt: (client: Client) => client.getPrompt({ name: 'sql-review' }),
  };
  for (const [name, read] of Object.entries(ways)) {
    await read(await connect(server.url, await add(name)));
    const { connections } = await askJson(`/api/connections?agent=${name}`);
    expect(connections).toMatchObject([{ first_read: { skill_name: 'sql-review' } }]);
  }
  const token = await add('script');
  await ask('/api/documents/sql-review', { token });
  expect((await askJson('/api/connections?agent=script')).connections).toEqual([]);
});

test('a client of another agent is not this one’s, and a name that is given anew starts without one (U1)', async () => {
  const { server, ask, askJson, add } = await open();
  await add('mine');
  const client = await connect(server.url, await add('other'), { name: 'mine' });
  await client.callTool({ name: 'skill', arguments: { name: 'sql-review' } });
  expect((await askJson('/api/connections?agent=mine')).connections).toEqual([]);
  expect((await askJson('/api/connections?agent=other')).connections).toHaveLength(1);
  await ask('/api/agents/other', { method: 'DELETE' });
  await add('other');
  expect((await askJson('/api/connections?agent=other')).connections).toEqual([]);
});

test('only the operator sees connections and hosts; the event says no more than that something is new (H5)', async () => {
  const { server, ask, add } = await open();
  const reader = await add('reader', { scopes: ['log:read'] });
  const address = encodeURIComponent(server.url);
  for (const path of ['/api/connections', `/api/hosts?address=${address}`]) {
    expect((await ask(path, { token: reader })).status).toBe(403);
    expect((await ask(path)).status).toBe(200);
  }
  const events = await ask('/api/events', { token: reader });
  await connect(server.url, await add('secret-agent'));
  expect(await eventIn(events, 'connection')).toBe('{}');
});

async function eventIn(response: Response, event: string): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const found = new RegExp(`event: ${event}\\ndata: (.*)\\n`).exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

test('without tokens and without a log a client is the operator’s, by what it calls itself (U1)', async () => {
  const { server, askJson } = await open({ auth: false, record: false });
  const { askJson: askOpenly } = askers({ ...server, operatorToken: '' });
  const client = await connect(server.url, '', { name: 'codex' });
  await client.callTool({ name: 'skill', arguments: { name: 'sql-review' } });
  await connect(server.url, '', { name: 'cursor-vscode' });
  const { connections } = await askOpenly('/api/connections');
  expect(connections).toMatchObject([
    { caller: { kind: 'operator' }, client: 'cursor-vscode', first_read: null },
    { caller: { kind: 'operator' }, client: 'codex', first_read: { skill_name: 'sql-review' } },
  ]);
  expect((await askJson('/api/connections')).is_used).toBe(true);
});

test('what was used before a restart was used (U1)', async () => {
  const { server, add, restart } = await open();
  const client = await connect(server.url, await add('claude-code'));
  await client.callTool({ name: 'skill', arguments: { name: 'sql-review' } });
  await client.close();
  const { askJson } = await restart();
  expect(await askJson('/api/connections')).toEqual({ connections: [], is_used: true });
});

test('a program that serves skills is told the commands of its own package (U6)', async () => {
  const { server, askJson, ask, add } = await open();
  expect((await askJson('/api/me')).commands).toEqual({
    program: 'npx repertoire',
    store: '',
    catalog: '',
    typed: '',
    sources: '',
  });
  const token = await add('agent');
  expect(((await (await ask('/api/me', { token })).json()) as Json).commands.program).toBe('repertoire');
  const { hosts } = await askJson(`/api/hosts?address=${encodeURIComponent(server.url)}`);
  const code = hosts.find(({ id }: { id: string }) => id === 'claude-code');
  expect(code.http.command).toBe(
    `REPERTOIRE_TOKEN=YOUR_TOKEN npx repertoire connect claude-code --http ${server.url}/mcp`,
  );
  expect(JSON.parse(code.http.entry).mcpServers.repertoire).toEqual({
    type: 'http',
    url: `${server.url}/mcp`,
    headers: { Authorization: 'Bearer YOUR_TOKEN' },
  });
  expect(hosts.find(({ id }: { id: string }) => id === 'claude-desktop').http).toBeNull();
  expect(hosts.at(-1)).toMatchObject({ id: 'other', http: { command: null }, program: { command: null } });
});

test.each(['', 'ftp://x', 'http://x/', 'http://a:b@x', 'http://x/path', 'not an address'])(
  'the address %j is refused in a sentence (U1)',
  async (address) => {
    const { ask } = await open();
    const response = await ask(`/api/hosts?address=${encodeURIComponent(address)}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('address');
  },
);
