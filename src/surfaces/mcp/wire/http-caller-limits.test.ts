// What one caller may take of a real server: streams, requests inside a batch, and how long a credential carries them.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  askModern,
  type EventReader,
  listenModern,
  openSession,
  post,
} from '../../../../tests/support/http-mcp-client.ts';
import type { Authenticate } from '../../../identity/authentication.ts';
import { agentCaller, LOCAL_OPERATOR } from '../../../identity/caller.ts';
import { fail, ok } from '../../../values/result.ts';
import { openTestServer } from '../../http/fixtures/open-test-server.ts';
import { stopClock } from '../../http/fixtures/stop-clock.ts';
import type { HttpServerOptions } from '../../http/server/server.ts';
import { sampleTable } from './fixtures/sample-table.ts';
import { createMcpEndpoint } from './http.ts';

/** A token is the name of its agent; `operator` is the operator's. */
let revoked: Set<string>;
/** By token. */
let rolesOf: Map<string, readonly string[]>;
let isAway: boolean;
let looks: number;
beforeEach(() => {
  revoked = new Set();
  rolesOf = new Map();
  isAway = false;
  looks = 0;
});
const authenticate: Authenticate = ({ token }) => {
  looks += 1;
  if (token === undefined) return fail('missing');
  if (isAway) return fail('unavailable');
  if (revoked.has(token)) return fail('bad');
  const [name = ''] = token.split('.');
  return ok(token === 'operator' ? LOCAL_OPERATOR : agentCaller(name, rolesOf.get(token) ?? [name]));
};
const as = (token: string) => ({ authorization: `Bearer ${token}` });

async function open(changes: Partial<HttpServerOptions> = {}) {
  const table = sampleTable();
  const mcp = createMcpEndpoint(table, { log: () => undefined, grace: { finishMs: 50, abortMs: 50 } });
  const server = await openTestServer({ mcp, authenticate, ...changes });
  return { url: new URL(`${server.url}/mcp`), mcp, server, calls: table.trace };
}

const listen = async (url: URL, token: string): Promise<EventReader> => {
  const events = await listenModern(url, { toolsListChanged: true }, 1, as(token));
  onTestFinished(() => events.close());
  return events;
};

describe('open streams (F10)', () => {
  const streams = { perCaller: 2, ofOperator: 3, inAll: 6 };

  test('are so many for one agent, more for the operator, and so many for all', async () => {
    const { url } = await open({ limits: { streams } });
    const tokens = ['a', 'a', 'a', 'operator', 'operator', 'operator', 'operator', 'b', 'b', 'c'];
    const statuses: number[] = [];
    for (const token of tokens) statuses.push((await listen(url, token)).status);
    expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429, 200, 429, 429]);
  });

  test('beyond the limit are refused with a sentence, and their place is free again when one closes', async () => {
    const { url } = await open({ limits: { streams } });
    const [first] = [await listen(url, 'a'), await listen(url, 'a')];
    const params = { notifications: { toolsListChanged: true } };
    const refused = await askModern(url, 'subscriptions/listen', params, { headers: as('a') });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(refused.messages[0]?.error?.message).toBe('Too many streams are open: close one first');
    first.close();
    await expect.poll(async () => (await listen(url, 'a')).status).toBe(200);
  });

  test('of sessions count, too', async () => {
    const { url } = await open({ limits: { streams } });
    const sessions = [1, 2, 3].map(() => openSession(url, '2025-11-25', as('a')));
    const opened: EventReader[] = [];
    for (const session of await Promise.all(sessions)) opened.push(await session.listen());
    onTestFinished(() => opened.forEach((each) => void each.close()));
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});

describe('a batch', () => {
  const pings = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping', params: {} }));

  test('counts as many requests as it holds (H5)', async () => {
    stopClock();
    const { url } = await open({ requestsPerMinute: 30 });
    const session = await openSession(url, '2025-03-26', as('a'));
    expect((await session.send(pings(20))).messages).toHaveLength(20);
    const refused = await session.send(pings(20));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(5);
    expect(refused.messages[0]?.error?.message).toMatch(/^Rate limit exceeded: each message of a batch counts/);
    // All or none: what is left is still there for smaller ones.
    expect((await session.send(pings(3))).messages).toHaveLength(3);
  });

  test('of the operator is not counted (H5)', async () => {
    stopClock();
    const { url } = await open({ requestsPerMinute: 30 });
    const session = await openSession(url, '2025-03-26', as('operator'));
    for (const _ of [1, 2]) expect((await session.send(pings(100))).messages).toHaveLength(100);
  });
});

describe('a credential that is revoked (H5)', () => {
  const limits = { recheckMs: 20 };

  /** Whatever is watched has been looked at, and what came of it has happened. */
  const lookedAgain = () => {
    const before = looks;
    return expect.poll(() => looks).toBeGreaterThan(before + 3);
  };

  test('ends the subscriptions that it opened, with their result', async () => {
    const { url } = await open({ limits });
    const [ending, other] = [await listen(url, 'a.1'), await listen(url, 'a.2')];
    revoked.add('a.1');
    await expect.poll(() => ending.ended).toBe(true);
    expect(ending.messages.at(-1)).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    expect(other.ended).toBe(false);
  });

  test('ends the call that it follows on a stream, with an error, and no other call (N3)', async () => {
    const { url, calls } = await open({ limits });
    const follow = (token: string, name: string, args = {}) =>
      askModern(url, 'tools/call', { name, arguments: args }, { headers: as(token), meta: { progressToken: 'p' } });
    const ending = follow('a.1', 'wait');
    const other = follow('a.2', 'after', { ms: 300 });
    await expect.poll(() => calls).toEqual(['waiting']);
    revoked.add('a.1');
    expect((await ending).messages).toMatchObject([
      { id: 1, error: { code: -32000, message: 'The credential is not valid any more' } },
    ]);
    expect(calls).toEqual(['waiting', 'aborted']);
    expect((await other).messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } });
  });

  test('ends its session and the stream of it', async () => {
    const { url, mcp } = await open({ limits });
    const session = await openSession(url, '2025-11-25', as('a.1'));
    const stream = await session.listen();
    revoked.add('a.1');
    await expect.poll(() => [stream.ended, mcp.sessions]).toEqual([true, 0]);
  });

  test('leaves a session that goes on with a newer one of the same caller', async () => {
    const { url, mcp } = await open({ limits });
    const session = await openSession(url, '2025-11-25', as('a.1'));
    expect((await session.request(1, 'ping', {}, as('a.2'))).status).toBe(200);
    revoked.add('a.1');
    await lookedAgain();
    expect((await session.request(2, 'ping', {}, as('a.2'))).status).toBe(200);
    revoked.add('a.2');
    await expect.poll(() => mcp.sessions).toBe(0);
  });

  test('ends nothing while that cannot be told (F1)', async () => {
    const { url } = await open({ limits });
    const events = await listen(url, 'a');
    isAway = true;
    await lookedAgain();
    expect(events.ended).toBe(false);
    isAway = false;
    expect((await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, as('a'))).status).toBe(400);
  });
});

describe('a caller who may invoke other skills than before (X10)', () => {
  const limits = { recheckMs: 20 };
  const toolsChanged = { method: 'notifications/tools/list_changed' };

  test('is told so on open streams of both eras, and nobody else is', async () => {
    const { url } = await open({ limits });
    const session = await openSession(url, '2025-11-25', as('a.1'));
    const streams = [await listen(url, 'a.1'), await session.listen()];
    const other = await listen(url, 'b.1');
    onTestFinished(() => streams[1]?.close());
    rolesOf.set('a.1', ['TaskAgent']);
    for (const stream of streams) {
      await expect.poll(() => stream.messages).toContainEqual(expect.objectContaining(toolsChanged));
      expect(stream.ended).toBe(false);
    }
    expect(other.messages).not.toContainEqual(expect.objectContaining(toolsChanged));
  });

  test('is told so in a session that goes on with a token of other roles', async () => {
    const { url } = await open();
    rolesOf.set('a.2', ['TaskAgent']);
    const session = await openSession(url, '2025-11-25', as('a.1'));
    await session.request(1, 'ping', {}, as('a.2'));
    const stream = await session.listen();
    onTestFinished(() => stream.close());
    await expect.poll(() => stream.messages).toContainEqual(expect.objectContaining(toolsChanged));
  });
});
