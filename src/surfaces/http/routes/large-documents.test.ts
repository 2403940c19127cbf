// Documents whose JSON is many times their text: made when there is room for it, once for all who ask (F10).
import { expect, test, vi } from 'vitest';
import { createSkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { openApiWorld } from '../fixtures/api-world.ts';
import { AGENT_TOKEN, openTestServer } from '../fixtures/open-test-server.ts';
import type { HttpServerOptions } from '../server/server.ts';

const MEGABYTE = 1_048_576;
const TEXT = `${skillText('bomb')}${'\u0001'.repeat(900_000)}`;
const AS_AGENT = { headers: { Authorization: `Bearer ${AGENT_TOKEN}` } };

async function openBomb(limits: HttpServerOptions['limits'] = {}) {
  const world = createSkillWorld();
  world.write('root/bomb/SKILL.md', TEXT);
  world.skill('root/good');
  const { api, repertoire } = await openApiWorld(world);
  const server = await openTestServer({ api, limits });
  return { server, textOf: vi.spyOn(repertoire, 'textOf') };
}

test('a document that does not fit is refused before it is made (F10)', async () => {
  const answers = { inAll: 64 * MEGABYTE, perCaller: 2 * MEGABYTE, waitMs: 20, safeMs: 20 };
  const { server, textOf } = await openBomb({ answers });
  const refused = await server.ask('/api/documents/bomb', AS_AGENT);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(textOf).not.toHaveBeenCalled();
  expect((await server.ask('/api/documents/good', AS_AGENT)).status).toBe(200);
  // The operator has room for it.
  expect(await (await server.ask('/api/documents/bomb')).json()).toMatchObject({ content: TEXT });
});

test('a large document is made once for all who ask for it, and kept (F10)', async () => {
  const { server, textOf } = await openBomb();
  const read = async () => {
    const answer = await server.ask('/api/documents/bomb');
    return [answer.status, (await answer.text()).length > 5 * MEGABYTE];
  };
  expect(await Promise.all(Array.from({ length: 8 }, read))).toEqual(Array(8).fill([200, true]));
  expect(await read()).toEqual([200, true]);
  // Once for its JSON, once to look for what is suspicious.
  expect(textOf).toHaveBeenCalledTimes(2);
});
