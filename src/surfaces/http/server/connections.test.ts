// Connections whose clients take nothing of what is written to them, by a clock of the test's own (F10).
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Connections, createConnections } from './connections.ts';
import { takenBytes } from './taken-bytes.ts';

/** More than the system takes for a client that reads nothing. */
const LARGE = Buffer.alloc(24 * 1_048_576, 'x');

async function open() {
  const clock = { ms: 1_000 };
  const connections = createConnections({
    unproven: 10,
    connections: 10,
    stallMs: 60_000,
    monotonicMs: () => clock.ms,
  });
  const { near, far } = await openPair(connections);
  /** Sweeps come every quarter of the limit. */
  const sweepUntil = (ms: number) => {
    while (clock.ms + 15_000 <= ms) {
      clock.ms += 15_000;
      connections.sweep();
    }
  };
  return { clock, connections, near, far, sweepUntil };
}

/** Both ends of a connection; `near` is ours. */
async function openPair(connections: Connections): Promise<{ readonly near: Socket; readonly far: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const far = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1').pause();
  const [near] = (await once(server, 'connection')) as [Socket];
  for (const socket of [near, far]) socket.on('error', () => socket.destroy());
  onTestFinished(() => {
    far.destroy();
    near.destroy();
    server.close();
  });
  connections.add(near);
  return { near, far };
}

/** The system takes what it likes of it, a moment later. */
async function writeLarge(near: Socket): Promise<void> {
  near.write(LARGE);
  let before = -1;
  const isSettled = () => {
    const now = takenBytes(near);
    const isSame = now === before;
    before = now;
    return isSame;
  };
  await expect.poll(isSettled, { interval: 50 }).toBe(true);
}

test('an answer of which nothing is taken ends its connection after 60 s, and within 75 s (F10) (A2)', async () => {
  const { clock, near, sweepUntil } = await open();
  await writeLarge(near);
  const startedMs = clock.ms;
  sweepUntil(startedMs + 60_000);
  expect(near.destroyed).toBe(false);
  sweepUntil(startedMs + 75_000);
  expect(near.destroyed).toBe(true);
});

test('a reader who took something within the 60 s is left in peace, also within one long write (F10)', async () => {
  const { clock, near, far, sweepUntil } = await open();
  await writeLarge(near);
  sweepUntil(clock.ms + 60_000);
  const before = takenBytes(near);
  far.resume();
  await expect.poll(() => takenBytes(near)).toBeGreaterThan(before);
  far.pause();
  sweepUntil(clock.ms + 60_000);
  expect(near.destroyed).toBe(false);
});

test('a connection on which nothing waits is not looked at, however long it is quiet (F10)', async () => {
  const { clock, near, sweepUntil } = await open();
  near.write('small');
  await expect.poll(() => near.writableLength).toBe(0);
  sweepUntil(clock.ms + 600_000);
  expect(near.destroyed).toBe(false);
});
