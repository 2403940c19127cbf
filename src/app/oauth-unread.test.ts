// A client whose token is not good for `skills:read` sees no document, whichever way it asks, beside one whose token is (O5).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OAuthWorld } from '../../tests/support/oauth-world.ts';

const NAME = 'sql-review';
/** Everything but reading. */
const REST = 'skills:invoke log:read skills:propose skills:approve runs:approve';
const world = new OAuthWorld();
let without: string;
let reader: string;

beforeAll(async () => {
  await world.start();
  const client = await world.register();
  without = (await world.tokens(client, { scope: REST })).access_token;
  reader = (await world.tokens(client, { scope: `skills:read ${REST}` })).access_token;
  await load();
});
afterAll(() => world.close());

/** So that it stands in the log, too. */
const load = async () => (await world.mcp(reader, 'tools/call', { name: 'skill', arguments: { name: NAME } })).text();

const lacking = expect.stringContaining('error="insufficient_scope", scope="skills:read"');
const bearer = (token: string) => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });
const send = (token: string, path: string, body: object, headers: Record<string, string> = {}) =>
  world.ask(path, { method: 'POST', headers: { ...bearer(token), ...headers }, body: JSON.stringify(body) });

async function expectRefused(answer: Response) {
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, lacking]);
  expect(await answer.text()).not.toContain(NAME);
}

const call = (name: string, given: object) => ['tools/call', { name, arguments: given }] as const;

test.each([
  call('skill', { name: NAME }),
  call('list_skills', {}),
  call('search_skills', { query: NAME }),
  call('get_skill', { skill_name: NAME }),
  call('read_skill_file', { uri: `skill://${NAME}/SKILL.md` }),
  ['resources/list', {}],
  ['resources/read', { uri: `skill://${NAME}/SKILL.md` }],
  ['resources/directory/read', { uri: 'skill://' }],
  ['prompts/list', {}],
  ['prompts/get', { name: NAME }],
  ['skills/list', {}],
  ['completion/complete', { ref: { type: 'ref/prompt', name: NAME }, argument: { name: 'arguments', value: 's' } }],
] as const)('%s %j is 403 over MCP, and says what is lacking (O5)', async (method, params) => {
  await expectRefused(await world.mcp(without, method, params));
});

test.each([
  '/api/documents',
  `/api/documents/${NAME}`,
  `/api/documents/${NAME}/files/SKILL.md`,
  '/api/problems',
  '/api/search?q=review',
  '/.well-known/agent-skills/index.json',
  `/.well-known/agent-skills/${NAME}/SKILL.md`,
])('%s is 403 over HTTP (O5)', async (path) => {
  const refused = await world.ask(path, { headers: bearer(without) });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, lacking]);
  expect(await refused.text()).not.toContain('Does sql-review things');
  expect((await world.ask('/api/documents', { headers: bearer(reader) })).status).toBe(200);
});

test.each(['get_skill', 'list_skills'])('the function %s is 403 over the OpenAI tools (O5)', async (name) => {
  const given = JSON.stringify(name === 'get_skill' ? { skill_name: NAME } : { cursor: null, limit: null });
  const body = { id: 'c', type: 'function', function: { name, arguments: given } };
  await expectRefused(await send(without, '/api/openai/dispatch', body));
  expect(await (await send(reader, '/api/openai/dispatch', body)).text()).toContain(NAME);
});

describe('what it may ask names no document', () => {
  const seenIn = (ask: (token: string) => Promise<Response>) =>
    Promise.all(
      [without, reader].map(async (token) => {
        const answer = await ask(token);
        expect(answer.status).toBe(200);
        return (await answer.text()).includes(NAME);
      }),
    );

  test.each(['tools/list', 'server/discover'])('%s over MCP (O5)', async (method) => {
    expect(await seenIn((token) => world.mcp(token, method))).toEqual([false, true]);
  });

  test('the instructions of a session of 2025 (O5)', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const headers = { Accept: 'application/json, text/event-stream' };
    expect(await seenIn((token) => send(token, '/mcp', body, headers))).toEqual([false, true]);
  });

  test.each(['/api/loads', '/api/activity', '/api/uses', '/metrics'])('%s (O5)', async (path) => {
    // Loads are written behind the answer.
    await expect
      .poll(() => seenIn((token) => world.ask(path, { headers: bearer(token) })), { timeout: 20_000 })
      .toEqual([false, true]);
  });

  test.each(['goal_decomposition', 'request_routing'])('a plan by %s (O5)', async (name) => {
    const input = name === 'request_routing' ? { request: 'sql review things' } : { goal: 'Sql review things' };
    expect(await seenIn((token) => send(token, `/api/typed-skills/${name}/invoke`, input))).toEqual([false, true]);
  });

  test('live events (O5)', async () => {
    const heard = await Promise.all([without, reader].map(openEvents));
    await load();
    await heard[1]?.until((text) => text.includes(NAME));
    // The next thing that both hear came after it.
    await send(reader, '/api/typed-skills/task_sequencing/invoke', { tasks: [] });
    await heard[0]?.until((text) => text.includes('task_sequencing'));
    expect(heard.map((each) => each.text().includes(NAME))).toEqual([false, true]);
    for (const each of heard) await each.end();
  });
});

async function openEvents(token: string) {
  const answer = await world.ask('/api/events', { headers: bearer(token) });
  expect(answer.status).toBe(200);
  const pieces = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    text: () => text,
    until: async (isEnough: (text: string) => boolean) => {
      while (!isEnough(text)) text += (await pieces?.read())?.value ?? '';
    },
    end: () => pieces?.cancel(),
  };
}

test('versions in the library stay open to who may propose and approve them (O5, L2)', async () => {
  const text = '---\nname: made-here\ndescription: Says what it is for, and when.\n---\n\n# Steps\n';
  const body = JSON.stringify({ files: [{ path: 'SKILL.md', text }], message: 'new' });
  const made = await world.ask('/api/library/made-here', { method: 'PUT', headers: bearer(without), body });
  expect(made.status).toBeLessThan(300);
  const listed = await world.ask('/api/library', { headers: bearer(without) });
  expect(await listed.text()).toContain('made-here');
});
