// Sends every MCP message that docs/mcp.md shows, and compares every answer that it shows.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAllBlocks } from '../support/doc-blocks.ts';
import { findRunner } from '../support/doc-plan.ts';
import { modernMeta } from '../support/modern-meta.ts';
import type { Message, RawClient } from '../support/raw-client.ts';
import { fillIn, parseShown } from '../support/shown-value.ts';
import { World } from '../support/world.ts';

interface Exchange {
  readonly place: string;
  readonly request: Message;
  /** Absent: the page shows the request alone. */
  readonly shown?: Message;
}

/** What is asked where a page shows the answer alone: by a text that the answer has. */
const unasked: readonly (readonly [says: string, request: Message])[] = [
  ["Skill 'nope' not found", call('skill', { name: 'nope' })],
  ["has no file '../x'", call('read_skill_file', { skill: 'release-notes', path: '../x' })],
  [
    'subscriptions/acknowledged',
    {
      id: 's',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: modernMeta() },
    },
  ],
];

const exchanges = readExchanges();
const isHello = ({ request }: Exchange) => request.method === 'initialize';

let world: World;
let client: RawClient;
beforeAll(async () => {
  world = new World({ apart: true });
  cpSync('examples/skills', join(world.project, 'examples/skills'), { recursive: true });
  client = await world.serve({ args: ['--root', 'examples/skills'], greet: false });
});
afterAll(() => world.close());

describe('docs/mcp.md', () => {
  // A connection of the older era begins with this one, wherever the page has it.
  const inOrder = [...exchanges.filter(isHello), ...exchanges.filter((exchange) => !isHello(exchange))];

  test.each(inOrder.map((exchange) => [exchange.place, exchange] as const))(
    '%s is answered as shown (T1)',
    async (_, { request, shown }) => {
      const answer = await ask(request, shown?.method);
      expect(answer.error).toBeUndefined();
      if (shown !== undefined) expect(fillIn({ ...shown, id: answer.id }, answer)).toEqual(answer);
      if (request.method === 'initialize') client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    },
  );

  test('shows messages of both eras', () => {
    expect(exchanges.length).toBeGreaterThan(9);
    expect(exchanges.filter(isHello).length).toBe(1);
  });
});

/** The answer; or, for a request that stays open, the first notification of that kind. */
async function ask(request: Message, notification: string | undefined): Promise<Message> {
  const answer = notification === undefined ? client.answerTo(request.id ?? 0) : undefined;
  client.send({ jsonrpc: '2.0', ...request });
  if (answer !== undefined) return answer;
  const isIt = ({ method }: Message) => method === notification;
  await expect.poll(() => client.notifications.some(isIt)).toBe(true);
  return client.notifications.find(isIt) ?? {};
}

function readExchanges(): readonly Exchange[] {
  const blocks = readAllBlocks().filter((block) => findRunner(block) === 'exchange');
  const found: Exchange[] = [];
  for (const { place, text } of blocks) {
    const message = parseShown(text) as Message; // every field is optional
    const open = found.at(-1);
    if (message.method !== undefined && message.id !== undefined) found.push({ place, request: message });
    else if (open !== undefined && open.shown === undefined && open.request.id === message.id)
      found.splice(-1, 1, { ...open, shown: message });
    else found.push({ place, request: requestFor(place, text), shown: message });
  }
  return found;
}

function requestFor(place: string, text: string): Message {
  const request = unasked.find(([says]) => text.includes(says))?.[1];
  if (request === undefined) throw new Error(`${place} shows an answer: say in "unasked" what is asked`);
  return request;
}

function call(name: string, args: object): Message {
  return { id: name, method: 'tools/call', params: { name, arguments: args } };
}
