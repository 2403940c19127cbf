// F10 over HTTP, with many slow senders and a reader who takes longer than one who takes nothing is given.
import { expect, test } from 'vitest';
import { openTestServer } from '../../src/surfaces/http/fixtures/open-test-server.ts';
import { expectCutOff, HEAD, openMany } from './slow-clients.ts';

test('60 slow senders are cut off with 408 (F10)', async () => {
  await expectCutOff(await openTestServer({ limits: { headersMs: 3_000, requestMs: 3_300 } }), 60);
});

test('a reader who takes a little now and then gets all of it (F10)', async () => {
  const large = Buffer.alloc(12_000_000, 'x');
  const server = await openTestServer({
    mcp: {
      handle: ({ response }) => void response.writeHead(200, { 'Content-Length': large.length }).end(large),
      close: async () => {},
    },
    // A machine that is held up for some seconds is no reader who takes nothing.
    limits: { stallMs: 4_000 },
  });
  const [reader] = await openMany(server, 1);
  let bytes = 0;
  reader?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    reader.pause();
    // In all that is far longer than a reader who takes nothing is given.
    setTimeout(() => reader.resume(), 30);
  });
  reader?.write(`GET /mcp HTTP/1.1\r\n${HEAD}\r\n`);
  // The head comes on top.
  await expect.poll(() => bytes).toBeGreaterThan(large.length);
});
