// Tests of one stream of events: what a client that is behind gets, and when one that reads nothing is dropped (F10).
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Ends {
  readonly response: ServerResponse;
  /** Paused: it reads when told to. */
  readonly client: Socket;
  text(): string;
}

async function connected(): Promise<Ends> {
  let client: Socket | undefined;
  let text = '';
  const response = await new Promise<ServerResponse>((resolve) => {
    const server = createServer((_request, answer) => resolve(answer)).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // It listens on TCP.
      client = connect(port, '127.0.0.1', () => client?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      client.on('error', () => undefined);
      client.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      client.pause();
    });
    ends.push(() => server.close().closeAllConnections());
  });
  if (client === undefined) throw new Error('The server answered before it was asked');
  return { response, client, text: () => text };
}

/** More than the system takes off our hands. */
function fill(stream: EventStream): void {
  for (let i = 0; i < 300; i += 1) stream.send(['x'.repeat(100_000)]);
}

test('an event may come in pieces, texts and bytes', async () => {
  const { response, client, text } = await connected();
  const stream = new EventStream(response);
  stream.send(['data: {"id":1,"result":', Buffer.from('{"text":"é"}}'), '\n\n']);
  stream.end();
  client.resume();
  // Without the lengths of the chunks.
  const events = () => text().replaceAll(/\r\n[0-9a-f]*\r\n/g, '');
  await expect.poll(events).toContain('data: {"id":1,"result":{"text":"é"}}\n\n');
});

test('what changed while the client was behind is sent once for each key, when it has read on', async () => {
  const { response, client, text } = await connected();
  const stream = new EventStream(response);
  const filler = 'x'.repeat(100_000);
  while (!stream.congested) stream.send([filler]);
  for (let i = 0; i < 1000; i += 1) stream.announce('tools', [`"tools ${i}"`]);
  stream.announce('prompts', ['"prompts"']);
  expect(response.writableLength).toBeLessThan(600_000);
  client.resume();
  await expect.poll(text).toContain('"prompts"');
  expect(text().match(/"tools \d+"/g)).toEqual(['"tools 999"']);
});

test('a client that reads nothing is dropped; one that reads, slowly, is not', async () => {
  const [deaf, slow] = [await connected(), await connected()];
  const streams = [deaf, slow].map(({ response }) => new EventStream(response, { keepAliveMs: 500 }));
  for (const stream of streams) fill(stream);
  // Far more often than it has to: once in two seconds. It takes longer for all of it than the other one has.
  const reading = setInterval(() => slow.client.read(16_384), 4);
  await expect.poll(() => deaf.response.destroyed).toBe(true);
  clearInterval(reading);
  expect(slow.response.destroyed).toBe(false);
  // Announcing to a stream that is gone throws nothing.
  streams[0]?.announce('tools', ['"late"']);
  streams[0]?.end();
});

test('a client that reads nothing is dropped also after the last event', async () => {
  const { response } = await connected();
  const stream = new EventStream(response, { keepAliveMs: 20 });
  fill(stream);
  stream.end();
  await expect.poll(() => response.destroyed).toBe(true);
});
