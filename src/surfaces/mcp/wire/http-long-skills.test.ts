// A long SKILL.md at /mcp: whole by every way to read it, and serialised only where there is room for its answer (F10).
import { expect, test } from 'vitest';
import { askModern } from '../../../../tests/support/http-mcp-client.ts';
import { createSkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { openApiWorld } from '../../http/fixtures/api-world.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, openTestServer } from '../../http/fixtures/open-test-server.ts';
import type { HttpServerOptions } from '../../http/server/server.ts';
import { createMethodTable } from '../table.ts';
import { createMcpEndpoint } from './http.ts';

const MEGABYTE = 1_048_576;
const TEXT = `${skillText('long')}${'a"\\\u0001é€𝄞\n'.repeat(25_000)}`;
const URI = 'skill://long/SKILL.md';

async function openLongSkill(limits: HttpServerOptions['limits'] = {}) {
  const world = createSkillWorld();
  world.write('root/long/SKILL.md', TEXT);
  const { api, repertoire, loads } = await openApiWorld(world);
  const table = createMethodTable({ repertoire, version: '1' });
  const mcp = createMcpEndpoint(table, { log: () => undefined, grace: { finishMs: 50, abortMs: 50 } });
  const server = await openTestServer({ api, mcp, limits });
  const url = new URL(`${server.url}/mcp`);
  const ask = async (method: string, params: Record<string, unknown>, token = AGENT_TOKEN) =>
    (await askModern(url, method, params, { headers: { authorization: `Bearer ${token}` } })).messages[0];
  return { ask, loads };
}

const tool = (name: string, input: Record<string, unknown>) => ['tools/call', { name, arguments: input }] as const;

const FOLDER_DOCUMENT = { skill_name: 'long', documentation: TEXT };

const WAYS = [
  [
    'resources/read',
    ['resources/read', { uri: URI }],
    { contents: [{ uri: URI, mimeType: 'text/markdown', text: TEXT }] },
  ],
  [
    'prompts/get',
    ['prompts/get', { name: 'long', arguments: { request: 'Go on.' } }],
    { messages: [{ role: 'user', content: { type: 'text', text: `${TEXT}\n\nGo on.` } }] },
  ],
  [
    'get_skill by URI',
    tool('get_skill', { uri: URI }),
    {
      content: [{ type: 'text', text: `${URI}\n\n${TEXT}` }],
      structuredContent: { uri: URI, mimeType: 'text/markdown', text: TEXT },
    },
  ],
  [
    'get_skill by folder',
    tool('get_skill', { skill_name: 'long' }),
    { content: [{ type: 'text', text: JSON.stringify(FOLDER_DOCUMENT) }], structuredContent: FOLDER_DOCUMENT },
  ],
  ['skill', tool('skill', { name: 'long' }), { content: [{ type: 'text', text: expect.stringContaining(TEXT) }] }],
] as const;

test.each(WAYS)('%s gives a long SKILL.md whole (F10)', async (_way, [method, params], wanted) => {
  const { ask, loads } = await openLongSkill();
  expect(await ask(method, params)).toMatchObject({ result: wanted });
  expect(loads).toHaveLength(1);
});

test.each(WAYS)(
  '%s is refused before a long SKILL.md becomes JSON that there is no room for (F10)',
  async (way, [method, params]) => {
    const answers = { inAll: 64 * MEGABYTE, perCaller: MEGABYTE, waitMs: 20, safeMs: 20 };
    const { ask, loads } = await openLongSkill({ answers });
    expect(await ask(method, params)).toMatchObject({ error: { message: expect.stringContaining('Retry after 5s') } });
    if (way !== 'get_skill by folder') expect(loads).toEqual([]);
    expect(await ask(method, params, OPERATOR_TOKEN)).toHaveProperty('result');
  },
);
