// Answers that their clients do not take, of any route: what one caller, and all, may leave unread (F10).
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '../../../../tests/support/patience.ts';
import type { Authenticate } from '../../../identity/authentication.ts';
import { agentCaller, type Caller, LOCAL_OPERATOR } from '../../../identity/caller.ts';
import { fail, ok } from '../../../values/result.ts';
import { openTestServer } from '../fixtures/open-test-server.ts';
import type { AdmittedRequest } from '../message/admitted-request.ts';
import { json, send } from '../message/reply.ts';
import { type AnswerLimits, createAnswerBudget } from './answer-budget.ts';

const MEGABYTE = 1_048_576;
/** More than the system takes for a client that reads nothing. */
const LARGE = 'x'.repeat(24 * MEGABYTE);

const TEXTS = new Map([
  ['/api/large', LARGE],
  ['/api/three-bytes', '字'.repeat(MEGABYTE)],
]);

/** A token is the name of its agent; `operator` is the operator's. */
const authenticate: Authenticate = ({ token }) => {
  if (token === undefined) return fail('missing');
  return ok(token === 'operator' ? LOCAL_OPERATOR : agentCaller(token));
};

async function open(answers: { inAll: number; perCaller: number; safeMs?: number }) {
  const handled: string[] = [];
  const handle = (admitted: AdmittedRequest) => {
    handled.push(admitted.path);
    send(admitted, json(TEXTS.get(admitted.path) ?? 'small'));
  };
  // Nothing is dropped for others, unless a test says when.
  const limits = { answers: { safeMs: 2 * PATIENCE_MS, ...answers, waitMs: 50 } };
  const server = await openTestServer({ api: { handle }, authenticate, limits });
  const ask = (token: string, path: string, method = 'GET') =>
    server.ask(path, { method, headers: { Authorization: `Bearer ${token}` } });
  /** Asks, and reads nothing. */
  const leave = async (token: string, method = 'GET'): Promise<Socket> => {
    const socket = await server.connect();
    socket.pause();
    const before = handled.length;
    const length = method === 'POST' ? 'Content-Type: application/json\r\nContent-Length: 0\r\n' : '';
    socket.write(`${method} /api/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${length}\r\n`);
    await expect.poll(() => handled.length).toBe(before + 1);
    return socket;
  };
  const { connect, events, connections } = server;
  return { handled, ask, leave, connect, events, connections };
}

test('what a caller leaves unread keeps them from more of it, not from small answers, and nobody else (F10) (A2)', async () => {
  const { ask, leave } = await open({ perCaller: 40 * MEGABYTE, inAll: 100 * MEGABYTE });
  const socket = await leave('a');
  const refused = await ask('a', '/api/large');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toMatchObject({
    failure_code: 'RATE_EXCEEDED',
    failure_message: 'Rate limit exceeded. Retry after 5s',
  });
  expect((await ask('a', '/api/small')).status).toBe(200);
  expect(await (await ask('b', '/api/large')).json()).toBe(LARGE);
  socket.resume();
  await expect.poll(async () => (await ask('a', '/api/large')).status, { timeout: PATIENCE_MS }).toBe(200);
});

test('text is counted in bytes, not in characters (F10)', async () => {
  const { ask } = await open({ perCaller: 2 * MEGABYTE, inAll: 4 * MEGABYTE });
  expect((await ask('a', '/api/three-bytes')).status).toBe(429);
  expect((await ask('operator', '/api/three-bytes')).status).toBe(200);
});

test('all together leave so much unread; what is read comes, and room is free again when a client goes (F10) (A2)', async () => {
  const { ask, leave } = await open({ perCaller: 40 * MEGABYTE, inAll: 60 * MEGABYTE });
  const sockets = [await leave('a'), await leave('b')];
  expect((await ask('operator', '/api/large')).status).toBe(429);
  expect((await ask('operator', '/api/small')).status).toBe(200);
  sockets[0]?.destroy();
  await expect.poll(async () => (await ask('operator', '/api/large')).status, { timeout: PATIENCE_MS }).toBe(200);
});

test('what was done is answered; the next request of who leaves too much unread is refused before it is begun (F10) (A2)', async () => {
  const { handled, ask, leave } = await open({ perCaller: 40 * MEGABYTE, inAll: 100 * MEGABYTE });
  const sockets = [await leave('a', 'POST'), await leave('a', 'POST')];
  const before = handled.length;
  expect((await ask('a', '/api/small')).status).toBe(429);
  expect(handled.length).toBe(before);
  expect((await ask('b', '/api/small')).status).toBe(200);
  for (const socket of sockets) socket.resume();
  await expect.poll(async () => (await ask('a', '/api/small')).status, { timeout: PATIENCE_MS }).toBe(200);
});

test('requests that came together and wait for their bodies are counted one after the other (F10) (A2)', async () => {
  const { handled, ask, connect } = await open({ perCaller: 40 * MEGABYTE, inAll: 100 * MEGABYTE });
  const sockets = [await connect(), await connect(), await connect()];
  const head = 'POST /api/large HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\n';
  for (const socket of sockets) {
    socket.pause();
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
  }
  // They are past everything that is looked at before the body.
  for (let index = 0; index < 3; index += 1) expect((await ask('b', '/api/small')).status).toBe(200);
  const before = handled.length;
  for (const socket of sockets) socket.write('}');
  await expect.poll(() => handled.length).toBe(before + 2);
  sockets[2]?.resume();
  await expect.poll(async () => (await ask('a', '/api/small')).status).toBe(429);
  expect(handled.length).toBe(before + 2);
});

test('where four leave unread all that there is, each who holds nothing gets a whole answer, and none of the four more (F10) (A2)', async () => {
  const { ask, leave, events, connections } = await open({
    perCaller: 48 * MEGABYTE,
    inAll: 100 * MEGABYTE,
    safeMs: 0,
  });
  for (const token of ['a', 'b', 'c', 'd']) await leave(token);
  expect((await ask('a', '/api/large')).status).toBe(429);
  for (const token of ['operator', 'e']) {
    const answer = await ask(token, '/api/large');
    expect([answer.status, await answer.json()]).toEqual([200, LARGE]);
  }
  // One had to go for the operator; when that answer was read there was room for the next.
  expect(events.filter(({ message }) => String(message).startsWith('Closed a connection'))).toHaveLength(1);
  // The three that stay, and those of `fetch`.
  expect(connections()).toBeGreaterThanOrEqual(3);
});

test('of two who leave as much unread, the one who takes nothing makes room, and the slow reader gets all of it (F10) (A2)', async () => {
  const { ask, leave } = await open({ perCaller: 40 * MEGABYTE, inAll: 60 * MEGABYTE, safeMs: 0 });
  const silent = await leave('a');
  const slow = await leave('b');
  const pauseHalfWay = () => {
    if (slow.bytesRead < LARGE.length / 2) return;
    slow.off('data', pauseHalfWay).pause();
  };
  slow.on('data', pauseHalfWay).resume();
  await expect.poll(() => slow.isPaused(), { timeout: PATIENCE_MS }).toBe(true);
  expect((await ask('operator', '/api/large')).status).toBe(200);
  slow.resume();
  await expect.poll(() => slow.bytesRead, { timeout: PATIENCE_MS }).toBeGreaterThan(LARGE.length);
  silent.resume();
  await expect.poll(() => silent.destroyed, { timeout: PATIENCE_MS }).toBe(true);
  expect(silent.bytesRead).toBeLessThan(LARGE.length);
});

describe('room that is made for others', () => {
  /** By a clock of the test's own, without connections: what is dropped is destroyed. */
  function openBudget(changes: Partial<AnswerLimits> = {}) {
    const clock = { ms: 0 };
    let dropped = 0;
    const budget = createAnswerBudget({
      ...{ inAll: 100, perCaller: 40, waitMs: PATIENCE_MS, safeMs: 2_000, ...changes },
      monotonicMs: () => clock.ms,
      onDropped: () => {
        dropped += 1;
      },
    });
    const senderOf = (caller: Caller) => ({ caller, response: new ServerResponse(new IncomingMessage(new Socket())) });
    /** The answer, if there was room for it. */
    const hold = (caller: Caller, bytes: number) => {
      const sender = senderOf(caller);
      return budget.hold(sender, bytes) ? sender.response : undefined;
    };
    return { clock, budget, hold, senderOf, dropped: () => dropped };
  }
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => agentCaller(name)) as [
    Caller,
    Caller,
    Caller,
    Caller,
    Caller,
  ];

  test('is taken from those who hold more than an equal share, not from those who hold less (F10) (A2)', () => {
    const { clock, hold, dropped } = openBudget();
    const small = hold(d, 10);
    const large = [a, b, c].map((caller) => hold(caller, 30));
    clock.ms = 2_000;
    expect(hold(e, 20)).toBeDefined();
    expect([small?.destroyed, large.filter((answer) => answer?.destroyed).length, dropped()]).toEqual([false, 1, 1]);
  });

  test('is for whoever has less than an equal share; one who had it is refused (F10) (A2)', () => {
    const { clock, hold } = openBudget();
    for (const caller of [a, b]) for (let count = 0; count < 4; count += 1) expect(hold(caller, 10)).toBeDefined();
    expect(hold(c, 20)).toBeDefined();
    clock.ms = 2_000;
    expect([hold(c, 10), hold(c, 10)].map((answer) => answer !== undefined)).toEqual([true, false]);
    expect([hold(a, 10), hold(b, 10)]).toEqual([undefined, undefined]);
  });

  test('is not taken from an answer that has just begun, nor for what would not fit anyway (F10)', () => {
    const { clock, hold, dropped } = openBudget();
    for (const caller of [a, b]) hold(caller, 40);
    clock.ms = 1_999;
    hold(LOCAL_OPERATOR, 20);
    expect(hold(c, 30)).toBeUndefined();
    clock.ms = 2_000;
    expect(hold(c, 41)).toBeUndefined();
    expect(dropped()).toBe(0);
    expect(hold(c, 30)).toBeDefined();
  });

  test('is there for everybody who comes with nothing, also where every share is smaller than what they want (F10) (A2)', () => {
    const { clock, hold, dropped } = openBudget();
    for (let count = 0; count < 60; count += 1) {
      expect(hold(agentCaller(`agent-${count}`), 16)).toBeDefined();
      clock.ms += 2_000;
    }
    // Six fit; each of the others took the place of one.
    expect(dropped()).toBe(54);
  });

  test('is not lacking for one who holds little, however much was done for others and is unread (F10) (A2)', () => {
    const { clock, budget, hold, senderOf } = openBudget();
    expect(hold(e, 10)).toBeDefined();
    for (const caller of [a, b, c]) budget.count(senderOf(caller), 39);
    expect([a, e, LOCAL_OPERATOR].map(budget.isOver)).toEqual([true, false, false]);
    clock.ms = 2_000;
    expect(hold(e, 10)).toBeDefined();
  });

  test('is taken from the operator, too (F10)', () => {
    const { clock, hold } = openBudget();
    const answers = Array.from({ length: 10 }, () => hold(LOCAL_OPERATOR, 10));
    clock.ms = 2_000;
    expect(hold(a, 20)).toBeDefined();
    expect(answers.filter((answer) => answer?.destroyed)).toHaveLength(2);
  });

  test('is waited for first: an answer that closes meanwhile is enough (F10)', async () => {
    const { budget, hold, senderOf, dropped } = openBudget({ safeMs: PATIENCE_MS });
    const [first] = [a, b, c].map((caller) => hold(caller, 33));
    const reserved = budget.reserve(senderOf(d), 30);
    first?.emit('close');
    expect([await reserved, dropped()]).toEqual([true, 0]);
  });

  test('is given at once to others who wait, where more was dropped than was wanted (F10)', async () => {
    // Nobody who waits gets to a try of their own.
    const { clock, budget, hold, senderOf, dropped } = openBudget({ safeMs: 2 * PATIENCE_MS });
    for (const caller of [a, b, c]) hold(caller, 33);
    const reserved = budget.reserve(senderOf(e), 10);
    clock.ms = 2 * PATIENCE_MS;
    expect(hold(d, 20)).toBeDefined();
    expect([await reserved, dropped()]).toEqual([true, 1]);
  });

  test('is handed out once in a turn of the event loop, so that others are answered between two large reads (F10)', async () => {
    const { budget, senderOf } = openBudget();
    let turn = 0;
    const count = () => {
      turn += 1;
      if (turn < 100) setImmediate(count);
    };
    count();
    const turns = [a, b, c, d].map((caller) => budget.reserve(senderOf(caller), 10).then(() => turn));
    expect(new Set(await Promise.all(turns)).size).toBe(4);
  });

  test('is made after a while for one who waits, before others who wait get it (F10) (A2)', async () => {
    const { clock, budget, hold, senderOf, dropped } = openBudget({ safeMs: 1 });
    for (const caller of [a, b, c]) hold(caller, 33);
    // Whose answer is dropped may ask for room like everyone else, but only after the one for whom it was dropped.
    const served: Caller[] = [];
    void budget.reserve(senderOf(a), 7).then(() => served.push(a));
    clock.ms = 5;
    const isReserved = budget.reserve(senderOf(d), 30);
    void isReserved.then(() => served.push(d));
    expect(await isReserved).toBe(true);
    expect(served[0]).toBe(d);
    expect(dropped()).toBeGreaterThan(0);
  });
});
