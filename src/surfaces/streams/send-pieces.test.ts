// Answers in pieces: in their order, no further than the client reads, and not whole when one cannot be made.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { sendPieces } from './send-pieces.ts';

test('every piece is sent in its order, and the end behind them (F10)', async () => {
  const output = new PassThrough();
  const faults: unknown[] = [];
  sendPieces(output, ['a', 'b', 'c'].values(), { done: () => output.end(), onFault: (fault) => faults.push(fault) });
  const received: string[] = [];
  for await (const piece of output) received.push(String(piece));
  expect([received.join(''), faults]).toEqual(['abc', []]);
});

test('what making a piece throws is told, and the output is destroyed, not ended (A2)', async () => {
  const output = new PassThrough().resume();
  function* pieces(): Generator<string> {
    yield 'a';
    throw new TypeError('a slip of ours');
  }
  const ends: string[] = [];
  const fault = await new Promise((resolve) => {
    sendPieces(output, pieces(), { done: () => ends.push('done'), onFault: resolve });
  });
  expect([fault, output.destroyed, ends]).toEqual([new TypeError('a slip of ours'), true, []]);
});

test('nothing more is made for a client that has gone (F10)', async () => {
  const output = new PassThrough();
  let made = 0;
  function* pieces(): Generator<string> {
    for (;;) {
      made += 1;
      if (made === 3) output.destroy();
      yield 'a';
    }
  }
  output.resume();
  sendPieces(output, pieces(), { done: () => undefined, onFault: () => undefined });
  await new Promise((resolve) => output.once('close', resolve));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(3);
});
