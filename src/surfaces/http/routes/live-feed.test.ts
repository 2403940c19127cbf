// Live streams: batches, bounds, rights that end, and nothing to do while nobody watches (F4, F10, F11).
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLiveFeed, type FeedLimits, type LiveFeed } from './live-feed.ts';

interface FeedWorld {
  readonly feed: LiveFeed;
  readonly watch: ReturnType<typeof vi.fn>;
  readonly unwatch: ReturnType<typeof vi.fn>;
  /** A client; `text` is all that it has read. */
  connect(reads?: boolean): Promise<{ readonly response: IncomingMessage; text(): string; leave(): void }>;
}

async function openFeed(limits: Partial<FeedLimits> = {}): Promise<FeedWorld> {
  const unwatch = vi.fn();
  const watch = vi.fn(() => unwatch);
  const feed = createLiveFeed(watch, { batchMs: 5, ...limits });
  const server = createServer((_request, response: ServerResponse) => feed.open(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    feed,
    watch,
    unwatch,
    connect: async (reads = true) => {
      const sent = request({ port, host: '127.0.0.1' }).end();
      sent.on('error', () => undefined);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let text = '';
      response.on('error', () => undefined);
      if (reads) response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      return { response, text: () => text, leave: () => void sent.destroy() };
    },
  };
}

test('an event reaches every stream as one line of JSON', async () => {
  const { feed, connect } = await openFeed();
  const clients = [await connect(), await connect()];
  feed.emit('load', () => ({ name: 'a\nb' }));
  for (const client of clients) {
    await expect.poll(client.text).toContain('event: load\ndata: {"name":"a\\nb"}\n\n');
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
  }
});

test('while nobody watches nothing is made, and nobody is listened to', async () => {
  const { feed, watch, unwatch, connect } = await openFeed();
  const makeData = vi.fn(() => ({}));
  feed.emit('load', makeData);
  expect([makeData.mock.calls.length, watch.mock.calls.length]).toEqual([0, 0]);
  const [one, other] = [await connect(), await connect()];
  expect(watch).toHaveBeenCalledTimes(1);
  one.leave();
  await expect.poll(() => feed.size).toBe(1);
  expect(unwatch).not.toHaveBeenCalled();
  other.leave();
  await expect.poll(() => unwatch.mock.calls.length).toBe(1);
  await connect();
  expect(watch).toHaveBeenCalledTimes(2);
});

test('of a flood some are sent and the others counted (F4)', async () => {
  const { feed, connect } = await openFeed({ batchEvents: 3 });
  const { text } = await connect();
  for (let count = 0; count < 10; count += 1) feed.emit('invocation', () => ({ count }));
  await expect.poll(text).toContain('event: skipped\ndata: {"count":7}\n\n');
  expect(text().match(/event: invocation/g)).toHaveLength(3);
  feed.emit('invocation', () => ({ count: 'later' }));
  await expect.poll(text).toContain('"later"');
});

test('a stream that is not read is ended, and the others go on (F10)', async () => {
  const { feed, connect } = await openFeed({ unreadBytes: 100_000 });
  await connect(false);
  const reader = await connect();
  const filler = 'x'.repeat(1_000_000);
  // No system takes 200 MB off our hands.
  for (let round = 0; round < 200 && feed.size > 1; round += 1) {
    feed.emit('load', () => ({ filler, round }));
    await expect.poll(reader.text).toContain(`"round":${round}}`);
  }
  expect(feed.size).toBe(1);
  feed.emit('load', () => ({ round: 'last' }));
  await expect.poll(reader.text).toContain('"last"');
});

test('there are so many streams and no more', async () => {
  const { feed, connect } = await openFeed({ streams: 2 });
  await connect();
  expect(feed.isFull).toBe(false);
  await connect();
  expect(feed.isFull).toBe(true);
});

test('a quiet stream shows signs of life', async () => {
  // A process that stands still for four of these ends its stream: long enough for a machine that is out of breath.
  const { connect } = await openFeed({ keepAliveMs: 500 });
  const { text } = await connect();
  await expect.poll(text).toMatch(/^retry: \d+\n\n(?::\n\n){2}/);
});

test('closing ends every stream, and those that come after (F11)', async () => {
  const { feed, connect, watch } = await openFeed();
  const { response } = await connect();
  feed.close();
  await once(response, 'end');
  const late = await connect();
  await once(late.response, 'end');
  expect(watch).toHaveBeenCalledTimes(1);
});
