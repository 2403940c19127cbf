// Bodies that do not end, or come in crumbs: what they may hold in memory (F10).
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { sleep } from '../../../async/sleep.ts';
import { agentCaller, LOCAL_OPERATOR } from '../../../identity/caller.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, openTestServer, type TestServer } from '../fixtures/open-test-server.ts';
import { BODY_LIMITS, createBodyBudget, MAX_BODY_BYTES } from './request-body.ts';

const head = (token: string, length: number) =>
  `POST /api/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends all but the last byte of a body, in two pieces; answers what comes back. */
async function stall(server: TestServer, token: string, bytes: number) {
  const socket = await server.connect();
  const got = collect(socket);
  socket.write(head(token, bytes));
  socket.write('"'.padEnd(bytes / 2, 'a'));
  await sleep(20);
  socket.write('a'.repeat(bytes / 2 - 1));
  return { socket, got, finish: () => socket.write('"') };
}

function collect(socket: Socket): () => string {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  return () => text;
}

describe('bodies that wait for their end', () => {
  const limits = { bodies: { inAll: 1_000_000, perCaller: 500_000 } };

  test('of one caller fill their own share only, and then are refused with a time to come again', async () => {
    const server = await openTestServer({ limits });
    const stalled: Awaited<ReturnType<typeof stall>>[] = [];
    for (let count = 0; count < 4; count += 1) stalled.push(await stall(server, AGENT_TOKEN, 300_000));
    const refused = () => stalled.filter(({ got }) => got().startsWith('HTTP/1.1 503 '));
    await expect.poll(() => refused().length).toBeGreaterThanOrEqual(2);
    expect(refused()[0]?.got()).toMatch(/Retry-After: 5\r\n[\s\S]*Too many unfinished bodies are waiting/);
    const other = await stall(server, OPERATOR_TOKEN, 300_000);
    other.finish();
    await expect.poll(other.got).toMatch(/^HTTP\/1.1 200 /);
  });

  test('give their room back when they end, and when their sender goes away', async () => {
    const server = await openTestServer({ limits: { bodies: { inAll: 300_000, perCaller: 300_000 } } });
    for (const leave of [false, true, false]) {
      const { socket, got, finish } = await stall(server, AGENT_TOKEN, 250_000);
      // It holds the room: there is none for another.
      const other = await stall(server, AGENT_TOKEN, 250_000);
      await expect.poll(other.got).toMatch(/^HTTP\/1.1 503 /);
      if (leave) socket.destroy();
      else {
        finish();
        await expect.poll(got).toMatch(/^HTTP\/1.1 200 /);
        socket.destroy();
      }
      await expect.poll(() => server.connections()).toBe(0);
    }
  });
});

test('a body in crumbs arrives whole, and costs no more than its bytes', async () => {
  const server = await openTestServer({ limits: { bodies: { inAll: 65_536, perCaller: 65_536 } } });
  const socket = await server.connect();
  const got = collect(socket);
  const text = JSON.stringify('ä'.repeat(8_000));
  const bytes = Buffer.from(text);
  socket.write(head(AGENT_TOKEN, 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked\r\nConnection: close'));
  const crumbs = [...bytes].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
  socket.write(Buffer.concat([...crumbs, Buffer.from('0\r\n\r\n')]));
  await expect.poll(got).toMatch(/\}$/);
  expect(JSON.parse(Buffer.from(got().split('\r\n\r\n')[1] ?? '', 'latin1').toString())).toMatchObject({ body: text });
});

test('createBodyBudget counts each caller and all, and the operator only among all', () => {
  const { take, give } = createBodyBudget({ inAll: 100, perCaller: 40 });
  const [a, b] = [agentCaller('a'), agentCaller('b')];
  expect([take(a, 40), take(a, 1), take(b, 40), take(LOCAL_OPERATOR, 21), take(LOCAL_OPERATOR, 20)]).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  give(a, 40);
  expect([take(LOCAL_OPERATOR, 40), take(a, 1)]).toEqual([true, false]);
});

test('four who hold all the unfinished bodies that they may leave room for others (F10) (A2)', () => {
  const { take } = createBodyBudget(BODY_LIMITS);
  for (const name of ['a', 'b', 'c', 'd']) while (take(agentCaller(name), MAX_BODY_BYTES / 2));
  for (const caller of [agentCaller('e'), LOCAL_OPERATOR]) {
    expect([take(caller, MAX_BODY_BYTES), take(caller, MAX_BODY_BYTES)]).toEqual([true, true]);
  }
});
