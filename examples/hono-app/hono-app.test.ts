// The app as its users meet it: listening on this machine, asked over HTTP and by an MCP client.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openShop, type Shop } from './open-shop.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

let shop: Shop;
let skills = '';
beforeAll(async () => {
  skills = mkdtempSync(join(tmpdir(), 'repertoire-shop-'));
  cpSync(join(HERE, 'skills'), skills, { recursive: true });
  shop = await openShop(0, skills);
});
afterAll(async () => {
  await shop.close();
  rmSync(skills, { recursive: true, force: true });
});

const get = (path: string) => fetch(shop.url + path);
const post = (name: string, body: string) =>
  fetch(`${shop.url}/typed/${name}`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });

describe('over HTTP', () => {
  test('the app keeps its own routes', async () => {
    expect(await (await get('/articles')).json()).toEqual({ apple: 12, pear: 0 });
  });

  test('both kinds of skills are listed and found (D4, T13)', async () => {
    expect(await (await get('/skills')).json()).toMatchObject({
      documents: [{ name: 'stock-taking', uri: 'skill://stock-taking/SKILL.md' }],
      typed: [{ name: 'count_stock', input_schema: { required: ['article'] } }, { name: 'correct_stock' }],
      problems: [],
    });
    const { results } = (await (await get('/search?q=stock')).json()) as { results: { kind: string; name: string }[] };
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['document', 'typed']));
  });

  test('a SKILL.md is given as it is on disk, and a name that nobody has is 404 (D4)', async () => {
    const answer = await get('/skills/Stock-Taking');
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toBe(readFileSync(join(HERE, 'skills/stock-taking/SKILL.md'), 'utf8'));
    expect((await get('/skills/nothing')).status).toBe(404);
  });

  test('a typed skill answers its output (X3)', async () => {
    const answer = await post('count_stock', '{"article":"apple"}');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true, output_payload: { article: 'apple', count: 12 } });
  });

  test.each([
    ['an article that is not there', 'count_stock', '{"article":"plum"}', 404, 'NOT_FOUND'],
    ['a field too many', 'count_stock', '{"article":"apple","shelf":1}', 400, 'VALIDATION_ERROR'],
    ['no JSON', 'count_stock', '{', 400, 'VALIDATION_ERROR'],
    ['a skill for somebody else', 'correct_stock', '{"article":"apple","count":1}', 403, 'UNAUTHORIZED'],
    ['a skill that is not there', 'sell_stock', '{}', 404, 'NOT_FOUND'],
  ])('%s has the status of its failure (X4, H3)', async (_what, name, body, status, code) => {
    const answer = await post(name, body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      success: false,
      failure_code: code,
      suggested_action: expect.any(String),
      correlation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('the id of a request is the one of its answer (X2)', async () => {
    const id = '0af76519-16cd-43dd-8448-eb211c80319c';
    const init = { method: 'POST', body: '{"article":"apple"}', headers: { 'X-Correlation-Id': id } };
    expect(await (await fetch(`${shop.url}/typed/count_stock`, init)).json()).toMatchObject({ correlation_id: id });
  });

  test('a request under a strange name of this machine is refused (H4)', async () => {
    const asked = request(`${shop.url}/articles`, { headers: { Host: 'evil.example' } }).end();
    const [{ statusCode }] = await once(asked, 'response');
    expect(statusCode).toBe(403);
  });
});

describe.each(['legacy', 'auto'] as const)('over MCP, %s protocol', (mode) => {
  const connect = async () => {
    const client = new Client({ name: 'shop-test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', shop.url)));
    onTestFinished(() => client.close());
    return client;
  };

  test("the server's own tool stands beside the skills (T10, H1)", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['list_articles', 'skill', 'search_skills', 'count_stock']));
    const articles = await client.callTool({ name: 'list_articles', arguments: {} });
    expect(articles.content).toEqual([{ type: 'text', text: 'apple\npear' }]);
  });

  test('an agent reads the skill and counts as it says (T1, X9)', async () => {
    const client = await connect();
    const loaded = await client.callTool({ name: 'skill', arguments: { name: 'stock-taking' } });
    expect(JSON.stringify(loaded.content)).toContain('ask `count_stock` for each');
    const counted = await client.callTool({ name: 'count_stock', arguments: { article: 'pear' } });
    expect(counted.structuredContent).toEqual({ article: 'pear', count: 0 });
    const refused = await client.callTool({ name: 'correct_stock', arguments: { article: 'pear', count: 7 } });
    expect(JSON.stringify(refused)).toContain('UNAUTHORIZED');
  });
});

test('an MCP client that listens hears of a new skill (D6)', async () => {
  const client = new Client({ name: 'shop-test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', shop.url)));
  onTestFinished(() => client.close());
  const changed = new Promise((resolve) => {
    client.setNotificationHandler('notifications/resources/list_changed', resolve);
  });
  const subscription = await client.listen({ resourcesListChanged: true });
  cpSync(join(HERE, '../skills/csv-cleaning'), join(skills, 'csv-cleaning'), { recursive: true });
  await changed;
  await subscription.close();
  expect((await get('/skills/csv-cleaning')).status).toBe(200);
});

test('it starts from the command line and ends when it is told to', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const program = spawn(process.execPath, ['--import', 'tsx', main], { env: { ...process.env, PORT: '0' } });
  onTestFinished(() => void program.kill('SIGKILL'));
  const [line] = await once(program.stdout, 'data');
  const url = /http:\S+/.exec(String(line))?.[0];
  expect((await fetch(`${url}/articles`)).status).toBe(200);
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});
