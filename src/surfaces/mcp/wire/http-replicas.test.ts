// 2025-era sessions that several replicas serve (N2): three endpoints on sockets of their own, one memory, messages between them.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type EventReader, HttpSessionClient, openSession, post } from '../../../../tests/support/http-mcp-client.ts';
import { CALLER_HEADER } from '../../../../tests/support/http-mcp-server.ts';
import { createLatch } from '../../../../tests/support/latch.ts';
import { stopTime } from '../../../../tests/support/stopped-time.ts';
import { agentCaller } from '../../../identity/caller.ts';
import { digestOf } from '../../../identity/token.ts';
import { UNLIMITED } from '../../http/fixtures/unlimited.ts';
import type { OnRights } from '../../http/message/admitted-request.ts';
import { type JoinedReplicas, joinReplicas, type Replica } from './fixtures/joined-replicas.ts';

let replicas: JoinedReplicas;
let a: Replica;
let b: Replica;
let c: Replica;

async function join(options: Parameters<typeof joinReplicas>[0] = {}): Promise<void> {
  const joined = await joinReplicas(options);
  onTestFinished(() => joined.close());
  replicas = joined;
  [a, b, c] = joined.all;
}
beforeEach(() => join());

const VERSION = '2025-11-25';
const as = (name: string) => ({ [CALLER_HEADER]: name });

/** The same session, whose requests meet that replica. */
const at = ({ url }: Replica, { hello }: HttpSessionClient, headers: Record<string, string> = {}): HttpSessionClient =>
  new HttpSessionClient(url, hello, VERSION, headers);

const statusAt = async (replica: Replica, session: HttpSessionClient) =>
  (await at(replica, session).request('status', 'ping')).status;

async function listenAt(replica: Replica, session: HttpSessionClient): Promise<EventReader> {
  const stream = await at(replica, session).listen();
  onTestFinished(() => stream.close());
  return stream;
}

/** The store finds a session, and its answer is under way until the test lets it arrive. */
function holdLookUps() {
  const { kept } = replicas;
  const { find } = kept;
  const answers = createLatch();
  let asked = 0;
  kept.find = async (...given) => {
    const found = await find(...given);
    asked += 1;
    await answers.opened;
    return found;
  };
  return { asked: () => asked, release: answers.open };
}

/** What was told before is heard. */
const passOneMessage = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const heardOn = ({ messages }: EventReader) => messages.map(({ method, params }) => params?.uri ?? method);

const TOOLS = 'notifications/tools/list_changed';

describe('a session (N2)', () => {
  test('may meet another replica with every request', async () => {
    const session = await openSession(a.url);
    expect((await at(b, session).request(1, 'tools/list')).messages[0]?.result).toHaveProperty('tools');
    const reply = await at(c, session).call(2, 'steps', { count: 2 }, { progressToken: 7 });
    expect(reply.messages.map((m) => m.params?.progress ?? m.id)).toEqual([1, 2, 2]);
    expect((await at(b, session).request(3, 'resources/read', { uri: 'sample://x' })).status).toBe(200);
    expect([a.endpoint.sessions, b.endpoint.sessions, c.endpoint.sessions]).toEqual([1, 1, 1]);
    expect(replicas.kept.size).toBe(1);
  });

  test('is known everywhere before its id is: initialize is answered when it is stored', async () => {
    const { kept } = replicas;
    const { add } = kept;
    const stored = createLatch();
    kept.add = async (session) => {
      await stored.opened;
      await add(session);
    };
    let isAnswered = false;
    const opening = openSession(a.url).finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => a.endpoint.sessions).toBe(1);
    // As long as a whole exchange takes.
    expect((await openSession(b.url, 'unknown', { accept: 'text/plain' })).hello.status).toBe(406);
    expect(isAnswered).toBe(false);
    stored.open();
    const session = await opening;
    expect(await Promise.all([b, c, b, c].map((each) => statusAt(each, session)))).toEqual([200, 200, 200, 200]);
  });

  test('holds to the version that it agreed on with another replica', async () => {
    const session = await openSession(a.url);
    const other = { 'mcp-protocol-version': '2025-06-18' };
    expect((await at(b, session).request(1, 'tools/list', {}, other)).status).toBe(400);
  });

  test('is not kept by a handshake that fails', async () => {
    await post(a.url, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    expect(replicas.kept.size).toBe(0);
  });

  test('belongs to its caller on every replica: for others it is as unknown as one that never was (THREATS)', async () => {
    const session = await openSession(a.url, VERSION, as('alice'));
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const never = await post(b.url, list, { ...as('bob'), 'mcp-session-id': 'A'.repeat(43) });
    for (const replica of [a, b, c, b]) {
      const stolen = await post(replica.url, list, { ...as('bob'), 'mcp-session-id': session.id });
      expect([stolen.status, stolen.text]).toEqual([404, never.text]);
      for (const method of ['GET', 'DELETE']) {
        const headers = { ...as('bob'), 'mcp-session-id': session.id, accept: 'text/event-stream' };
        expect((await fetch(replica.url, { method, headers })).status).toBe(404);
      }
      expect((await at(replica, session, as('alice')).request(1, 'ping')).status).toBe(200);
    }
  });

  test('is stored and spoken of by the digest of its id only', async () => {
    const session = await openSession(a.url);
    await at(b, session).request(1, 'resources/subscribe', { uri: 'sample://one' });
    await listenAt(c, session);
    await at(a, session).notify('notifications/cancelled', { requestId: 99 });
    await at(b, session).end();
    const topics = replicas.told.map((message) => message.split(' ')[0]);
    expect(new Set(topics)).toEqual(new Set(['mcp.subscribed', 'mcp.stream', 'mcp.cancelled', 'mcp.ended']));
    for (const message of replicas.told) {
      expect(message).toContain(digestOf(session.id));
      expect(message).not.toContain(session.id);
    }
  });

  test('goes on when the replica that opened it stops', async () => {
    const session = await openSession(a.url);
    await a.close();
    expect([await statusAt(b, session), await statusAt(c, session)]).toEqual([200, 200]);
  });
});

describe('a running request (N2)', () => {
  test('is cancelled by a notification that meets another replica, in its session only', async () => {
    const [session, other] = [await openSession(a.url), await openSession(a.url)];
    const running = at(b, session).call(1, 'wait');
    await expect.poll(() => b.table.trace).toEqual(['waiting']);
    await at(c, other).notify('notifications/cancelled', { requestId: 1 });
    expect((await at(c, session).notify('notifications/cancelled', { requestId: '1' })).status).toBe(202);
    expect(b.table.trace).toEqual(['waiting']);
    expect((await at(c, session).notify('notifications/cancelled', { requestId: 1 })).status).toBe(202);
    expect(await running).toMatchObject({ status: 202, text: '' });
    expect(b.table.trace).toEqual(['waiting', 'aborted']);
  });

  test('is cancelled while its replica still looks for the session', async () => {
    const session = await openSession(a.url);
    const looking = holdLookUps();
    const running = at(b, session).call(1, 'wait');
    await expect.poll(looking.asked).toBe(1);
    await at(a, session).notify('notifications/cancelled', { requestId: 1 });
    await passOneMessage();
    looking.release();
    expect(await running).toMatchObject({ status: 202, text: '' });
    expect(b.table.trace).toEqual(['waiting', 'aborted']);
  });

  test('is answered when its session ends on another replica', async () => {
    const session = await openSession(a.url);
    const running = at(b, session).call(1, 'wait');
    await expect.poll(() => b.table.trace).toEqual(['waiting']);
    expect(await at(c, session).end()).toBe(204);
    expect((await running).messages).toMatchObject([{ id: 1, error: { code: -32000 } }]);
    expect(b.table.trace).toEqual(['waiting', 'aborted']);
  });
});

describe('an ended session (N2)', () => {
  test('is unknown to every replica, with its stream', async () => {
    const session = await openSession(a.url);
    const stream = await listenAt(b, session);
    expect(await at(c, session).end()).toBe(204);
    await expect.poll(() => stream.ended).toBe(true);
    await expect.poll(() => Promise.all([a, b, c].map((each) => statusAt(each, session)))).toEqual([404, 404, 404]);
    expect(replicas.kept.size).toBe(0);
  });

  test('is not taken up by a replica that was just looking for it', async () => {
    const session = await openSession(a.url);
    const looking = holdLookUps();
    const late = statusAt(b, session);
    await expect.poll(looking.asked).toBe(1);
    await at(a, session).end();
    await passOneMessage();
    looking.release();
    expect(await late).toBe(404);
    expect(b.endpoint.sessions).toBe(0);
  });

  test.each(['a gap is noticed', 'nothing is noticed'])('is unknown where the message was lost: %s', async (how) => {
    const { pass } = stopTime('intervals');
    await join();
    const session = await openSession(a.url);
    expect(await statusAt(b, session)).toBe(200);
    replicas.isConnected = false;
    await at(c, session).end();
    expect(await statusAt(b, session)).toBe(200);
    if (how === 'a gap is noticed') b.bus.gap();
    else await pass(60_000);
    await expect.poll(() => statusAt(b, session)).toBe(404);
  });
});

describe('the stream of a session (N2)', () => {
  test('tells of what its own replica sees, and of what the others see', async () => {
    const session = await openSession(a.url);
    const stream = await listenAt(b, session);
    b.table.emit({ kind: 'tools' });
    await expect.poll(() => heardOn(stream)).toContain(TOOLS);
    const before = stream.messages.length;
    // A client that asks this one sees something new, although the replica of its stream has not noticed yet.
    c.table.emit({ kind: 'resources' });
    await expect.poll(() => heardOn(stream).slice(before)).toEqual(['notifications/resources/list_changed']);
  });

  test('tells what changed since the handshake, whichever replica heard that it is over', async () => {
    const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'split', version: '1' } };
    const hello = await post(a.url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const session = new HttpSessionClient(b.url, hello, VERSION, {});
    await session.notify('notifications/initialized');
    a.table.emit({ kind: 'tools' });
    const stream = await listenAt(a, session);
    await expect.poll(() => heardOn(stream)).toEqual([TOOLS]);
  });

  test('tells of resources that were subscribed to on another replica, and of no others', async () => {
    const session = await openSession(a.url);
    const stream = await listenAt(b, session);
    await at(c, session).request(1, 'resources/subscribe', { uri: 'sample://one' });
    await expect
      .poll(() => {
        b.table.emit({ kind: 'resource', uri: 'sample://one' });
        return heardOn(stream);
      })
      .toContain('sample://one');
    await at(a, session).request(2, 'resources/unsubscribe', { uri: 'sample://one' });
    await at(a, session).request(3, 'resources/subscribe', { uri: 'sample://two' });
    await expect
      .poll(() => {
        b.table.emit({ kind: 'resource', uri: 'sample://two' });
        return heardOn(stream);
      })
      .toContain('sample://two');
    const before = stream.messages.length;
    b.table.emit({ kind: 'resource', uri: 'sample://one' });
    b.table.emit({ kind: 'tools' });
    await expect.poll(() => heardOn(stream).slice(before)).toContain(TOOLS);
    expect(heardOn(stream).slice(before)).not.toContain('sample://one');
  });

  test('is one: the newest gets the messages, the older one on another replica ends', async () => {
    const session = await openSession(a.url);
    const first = await listenAt(a, session);
    const second = await listenAt(b, session);
    expect((await at(b, session).listen()).status).toBe(409);
    await expect.poll(() => first.ended).toBe(true);
    expect(second.ended).toBe(false);
    const third = await listenAt(a, session);
    await expect.poll(() => second.ended).toBe(true);
    a.table.emit({ kind: 'tools' });
    await expect.poll(() => heardOn(third)).toContain(TOOLS);
  });

  test('stays one when two are opened at the same time', async () => {
    const session = await openSession(a.url);
    const streams = await Promise.all([listenAt(a, session), listenAt(b, session), listenAt(c, session)]);
    await expect.poll(() => streams.filter(({ ended }) => !ended)).toHaveLength(1);
    await at(a, session).call(1, 'after', { ms: 50 });
    expect(streams.filter(({ ended }) => !ended)).toHaveLength(1);
  });

  test.each(['on a replica that knew the session', 'on one that did not'])(
    'tells when it opens what changed while there was none: %s',
    async (where) => {
      const session = await openSession(a.url);
      if (where === 'on a replica that knew the session') await statusAt(b, session);
      for (const { table } of [a, b, c]) table.emit({ kind: 'tools' });
      expect(heardOn(await waitedFor(b, session))).toContain(TOOLS);
    },
  );

  test('tells when it opens what changed while it was open on another replica', async () => {
    const session = await openSession(a.url);
    await at(a, session).request(1, 'resources/subscribe', { uri: 'sample://one' });
    const first = await listenAt(a, session);
    a.table.emit({ kind: 'tools' });
    await expect.poll(() => heardOn(first)).toContain(TOOLS);
    // Seen here later than there.
    b.table.emit({ kind: 'resource', uri: 'sample://one' });
    b.table.emit({ kind: 'tools' });
    const heard = heardOn(await waitedFor(b, session));
    expect(heard).toEqual(expect.arrayContaining([TOOLS, 'sample://one']));
  });

  test('tells of everything where another replica saw more than can be said', async () => {
    const session = await openSession(a.url);
    await at(a, session).request(1, 'resources/subscribe', { uri: 'sample://one' });
    const stream = await listenAt(a, session);
    for (let i = 0; i < 1_000; i += 1) b.table.emit({ kind: 'resource', uri: `sample://changed/${i}` });
    await expect.poll(() => heardOn(stream)).toContain('sample://one');
    expect(Math.max(...replicas.told.map((message) => message.length))).toBeLessThan(5_000);
  });

  test('tells callers who do not see all what everyone may be told, and of the rest nothing, on no replica (N4)', async () => {
    const openTo = (event: { kind: string }) => (event.kind === 'resource' ? 'all' : []);
    const viewName = ({ name = '' }) => (name === 'low' ? 'few' : undefined);
    for (const { table } of [a, b, c]) Object.assign(table, { openTo, viewName });
    const session = await openSession(a.url, VERSION, as('low'));
    const other = await openSession(a.url, VERSION, as('high'));
    for (const each of [session, other]) await each.request(1, 'resources/subscribe', { uri: 'sample://one' });
    const [low, high] = [await session.listen(), await other.listen()];
    onTestFinished(() => [low, high].forEach((stream) => void stream.close()));
    b.table.emit({ kind: 'tools' });
    await expect.poll(() => heardOn(high)).toEqual([TOOLS]);
    b.table.emit({ kind: 'resource', uri: 'sample://one' });
    await expect.poll(() => heardOn(low)).toEqual(['sample://one']);
    // One that another replica has to look up first is told of every list, whether one has changed or not.
    const late = await at(c, session, as('low')).listen();
    onTestFinished(() => late.close());
    await expect.poll(() => heardOn(late)).toContain(TOOLS);
  });

  test('tells callers who do not see all of what they may see, also where others may not (N2, N4)', async () => {
    const viewName = ({ name = '' }) => (name === 'staff' ? 'most' : 'few');
    for (const { table } of [a, b, c]) Object.assign(table, { openTo: () => ['most'], viewName });
    const [staff, guest] = [
      await openSession(a.url, VERSION, as('staff')),
      await openSession(a.url, VERSION, as('guest')),
    ];
    const [told, untold] = [await staff.listen(), await guest.listen()];
    onTestFinished(() => [told, untold].forEach((stream) => void stream.close()));
    // The client may have asked this one before it saw the change.
    b.table.emit({ kind: 'tools' });
    await expect.poll(() => heardOn(told)).toEqual([TOOLS]);
    for (let i = 0; i < 1_000; i += 1) c.table.emit({ kind: 'resource', uri: `sample://changed/${i}` });
    await expect.poll(() => heardOn(told)).toContain('notifications/resources/list_changed');
    expect(heardOn(untold)).toEqual([]);
  });

  async function waitedFor(replica: Replica, session: HttpSessionClient): Promise<EventReader> {
    const stream = await listenAt(replica, session);
    await expect.poll(() => stream.messages.length).toBeGreaterThan(0);
    await at(replica, session).call('later', 'after', { ms: 20 });
    return stream;
  }
});

describe('the number of sessions and their time (N2, F4)', () => {
  test('counts over all replicas: the longest idle one of a caller ends everywhere', async () => {
    await join({ sessions: { inAll: 10, perCaller: 2, idleMs: 24 * 3_600_000 } });
    const [first, second] = [await openSession(a.url), await openSession(b.url)];
    await statusAt(c, first);
    const third = await openSession(c.url);
    await expect.poll(() => Promise.all([a, b, c].map((each) => statusAt(each, first)))).toEqual([404, 404, 404]);
    expect([await statusAt(a, second), await statusAt(a, third)]).toEqual([200, 200]);
    for (const session of [second, third]) await listenAt(a, session);
    const { hello } = await openSession(b.url);
    expect([hello.status, hello.messages[0]?.error?.message]).toEqual([
      503,
      expect.stringContaining('Too many sessions'),
    ]);
  });

  test('a replica that has no room forgets an idle one, which goes on', async () => {
    await join({ sessions: { inAll: 2, perCaller: 100, idleMs: 60_000 } });
    const sessions = [await openSession(a.url), await openSession(a.url), await openSession(a.url)];
    expect(a.endpoint.sessions).toBe(2);
    for (const session of [...sessions, ...sessions]) expect(await statusAt(a, session)).toBe(200);
    expect(a.endpoint.sessions).toBe(2);
  });

  test('one that is used on any replica goes on; one that is used on none ends', async () => {
    const { pass, passedMs } = stopTime('intervals');
    const sessions = { inAll: 10, perCaller: 10, idleMs: 60_000 };
    await join({ sessions, now: passedMs });
    const [idle, used] = [await openSession(a.url), await openSession(a.url)];
    await statusAt(b, idle);
    for (let i = 0; i < 50; i += 1) {
      await pass(2_000);
      expect(await statusAt(c, used)).toBe(200);
    }
    expect([a.endpoint.sessions, b.endpoint.sessions, c.endpoint.sessions]).toEqual([0, 0, 1]);
    expect([await statusAt(b, idle), await statusAt(a, used)]).toEqual([404, 200]);
    expect(replicas.kept.size).toBe(1);
  });
});

describe('a credential that is not good any more (N2)', () => {
  interface Watcher {
    readonly token: string | undefined;
    readonly end: () => void;
    readonly onRights: OnRights | undefined;
  }
  let watchers: Set<Watcher>;
  beforeEach(async () => {
    watchers = new Set();
    const watch: (typeof UNLIMITED)['watch'] = ({ request }, end, onRights) => {
      const watcher = { token: request.headers.authorization, end, onRights };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    };
    await join({ limits: { ...UNLIMITED, watch } });
  });
  const revoke = (token: string) => {
    for (const watcher of [...watchers]) if (watcher.token === token) watcher.end();
  };
  const withToken = (replica: Replica, session: HttpSessionClient, authorization: string) =>
    at(replica, session, { authorization }).request(1, 'ping');

  test('ends the session on every replica, also on those that look later', async () => {
    const session = await openSession(a.url, VERSION, { authorization: 'old' });
    expect((await withToken(b, session, 'old')).status).toBe(200);
    revoke('old');
    await expect.poll(() => replicas.kept.size).toBe(0);
    for (const each of [a, b, c]) expect((await withToken(each, session, 'another')).status).toBe(404);
  });

  test.each([[['newer']], [['old', 'newer']]])('does not where another replica has seen %j', async (order) => {
    const session = await openSession(a.url, VERSION, { authorization: 'old' });
    for (const token of order) expect((await withToken(b, session, token)).status).toBe(200);
    revoke('old');
    for (const each of [a, b, c]) expect((await withToken(each, session, 'newer')).status).toBe(200);
    revoke('newer');
    await expect.poll(() => replicas.kept.size).toBe(0);
  });

  test('other rights are told as a change of the tools, on whichever replica the stream is', async () => {
    const session = await openSession(a.url, VERSION, { authorization: 'one' });
    const stream = await at(b, session, { authorization: 'one' }).listen();
    onTestFinished(() => stream.close());
    const before = stream.messages.filter(({ method }) => method === TOOLS).length;
    for (const { onRights } of watchers) onRights?.(agentCaller('local', ['another role']));
    await expect.poll(() => stream.messages.filter(({ method }) => method === TOOLS).length).toBeGreaterThan(before);
  });
});

describe('while the database is away (N7)', () => {
  test('sessions are local, those that are known go on, and all are shared again when it is back', async () => {
    const { pass } = stopTime('intervals');
    await join();
    const known = await openSession(a.url);
    expect(await statusAt(b, known)).toBe(200);
    replicas.kept.isAway = true;
    const local = await openSession(a.url);
    expect(local.hello.status).toBe(200);
    expect([await statusAt(a, local), await statusAt(b, local)]).toEqual([200, 404]);
    expect([await statusAt(a, known), await statusAt(b, known), await statusAt(c, known)]).toEqual([200, 200, 404]);
    const subscribed = await at(b, known).request(1, 'resources/subscribe', { uri: 'sample://one' });
    expect(subscribed.messages).toMatchObject([{ id: 1, result: {} }]);
    const ended = await openSession(b.url);
    expect(await at(b, ended).end()).toBe(204);
    replicas.kept.isAway = false;
    await pass(60_000);
    await expect.poll(() => statusAt(b, local)).toBe(200);
    expect([await statusAt(c, known), await statusAt(a, ended)]).toEqual([200, 404]);
    const [row] = (await replicas.kept.look([digestOf(known.id)])).values();
    expect(row).toEqual(['sample://one']);
    for (const { logged } of replicas.all) expect(logged).toEqual([]);
  });

  test('one that was ended is gone everywhere when it is back', async () => {
    const { pass } = stopTime('intervals');
    await join();
    const session = await openSession(a.url);
    expect(await statusAt(b, session)).toBe(200);
    replicas.kept.isAway = true;
    expect(await at(a, session).end()).toBe(204);
    expect(await statusAt(a, session)).toBe(404);
    replicas.kept.isAway = false;
    await pass(60_000);
    await expect.poll(() => statusAt(b, session)).toBe(404);
    expect(await statusAt(a, session)).toBe(404);
  });
});
