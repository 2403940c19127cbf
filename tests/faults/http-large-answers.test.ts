// The largest files over HTTP and /mcp: many clients who take nothing of them, and readers who get every byte (F10).
import { expect, test } from 'vitest';
import {
  AS_AGENT,
  askAndLeave,
  BINARY,
  digestOf,
  expectWhole,
  getText,
  MEGABYTE,
  openLargeAnswers,
} from '../../src/surfaces/mcp/wire/fixtures/large-answers-world.ts';
import { PATIENCE_MS } from '../support/patience.ts';

test('clients who take nothing of a large file hold next to nothing of it (F10) (A2)', async () => {
  const world = await openLargeAnswers();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 20; index += 1) await askAndLeave(world, getText('large.bin'));
  await expect.poll(() => world.handled.length, { timeout: PATIENCE_MS }).toBe(20);
  expect((await fetch(`${world.server.url}/health`)).status).toBe(200);
  // Each holds two pieces; what the system took of the others is garbage by now. Whole files would be 320 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * MEGABYTE);
  expect(world.readFile).not.toHaveBeenCalled();
  const answer = await world.server.ask('/api/documents/a/files/large.bin', {
    headers: { Authorization: AS_AGENT.authorization },
  });
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(BINARY.length)]);
  expect(answer.headers.get('etag')).toBe(`"${digestOf(BINARY)}"`);
  expect(digestOf(Buffer.from(await answer.arrayBuffer()))).toBe(digestOf(BINARY));
});

test.each(['control.txt', 'large.bin'])('%s comes whole over /mcp, as JSON, in a stream and in a tool (T12)', (file) =>
  expectWhole(file),
);
