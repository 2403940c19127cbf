// Tests of a whole connection over streams: every byte that comes in, back-pressure, and the end.
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import fc from '../../../../tests/support/property.ts';
import { stopTime, until } from '../../../../tests/support/stopped-time.ts';
import { sampleTable } from './fixtures/sample-table.ts';
import type { WireEvent } from './method.ts';
import { serveStdio } from './stdio.ts';

const hello =
  '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}\n';
const ping = (id: string | number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
const call = (id: string | number, name: string, args: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;

function served(output: Writable = new PassThrough()) {
  const table = sampleTable();
  const input = new PassThrough();
  const stop = new AbortController();
  const logged: WireEvent[] = [];
  let text = '';
  output.on('data', (chunk) => {
    text += chunk;
  });
  const log = (event: WireEvent) => logged.push(event);
  const ended = serveStdio(table, { input, output, log, signal: stop.signal });
  const answers = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { table, input, output, stop, logged, ended, answers };
}

describe('serveStdio()', () => {
  test('answers what was asked before the input ended, slow calls and a last line without newline included', async () => {
    const { input, ended, answers } = served();
    input.end(hello + call(1, 'after', { ms: 50 }) + ping(2).trimEnd());
    await ended;
    expect(answers().map((answer) => answer.id)).toEqual(['hello', 2, 1]);
  });

  test('gives a call that outlives the input 1 s, aborts it, and resolves within 2 s (F11)', async () => {
    const { pass } = stopTime();
    const { table, input, ended, answers } = served();
    input.end(hello + call(1, 'wait') + call(2, 'hold'));
    await until(() => input.readableEnded);
    await nextTurn();
    await pass(999);
    expect(table.trace).toEqual(['waiting', 'holding']);
    await pass(1_001);
    await ended;
    expect(table.trace).toEqual(['waiting', 'holding', 'aborted']);
    expect(answers().map((answer) => answer.id)).toEqual(['hello', 1]);
  });

  test('stops without a wait on its signal, and ends the subscriptions with a result', async () => {
    stopTime();
    const { table, input, stop, ended, answers } = served();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen', params })}\n`);
    input.write(hello + call(1, 'wait'));
    await until(() => table.trace.includes('waiting'));
    stop.abort();
    await ended;
    expect(answers().at(-2)).toMatchObject({ id: 1, result: { content: [{ text: 'aborted' }] } });
    expect(answers().at(-1)).toMatchObject({ id: 's', result: { resultType: 'complete' } });
  });

  test('ends when its output breaks', async () => {
    const { input, output, ended } = served();
    input.write(hello);
    output.destroy(new Error('EPIPE'));
    await ended;
  });

  test('ends when its input breaks or was closed before', async () => {
    const broken = served();
    broken.input.destroy(new Error('EIO'));
    await broken.ended;
    const input = new PassThrough();
    input.destroy();
    await serveStdio(sampleTable(), { input, output: new PassThrough(), log: () => undefined });
  });

  test('takes a signal that fired before it began', async () => {
    const options = { input: new PassThrough(), output: new PassThrough(), log: () => undefined };
    await serveStdio(sampleTable(), { ...options, signal: AbortSignal.abort() });
  });

  test('refuses bad bytes and endless lines, one answer each, and goes on', async () => {
    const { input, ended, answers, logged } = served();
    input.write(Buffer.from([0x22, 0xc3, 0x28, 0x22, 10]));
    for (let i = 0; i < 130; i += 1) input.write(Buffer.alloc(64 * 1024, 0x61));
    input.end(`\n${ping(1)}\n\r\n`);
    await ended;
    expect(answers()).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: 1, result: {} },
    ]);
    expect(logged.filter((event) => event.level === 'warn')).toHaveLength(2);
  });

  test('stops reading, and answering what it has read, while the client leaves 4 MiB unread (F10)', async () => {
    const pending: (() => void)[] = [];
    let written = 0;
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        written += chunk.length;
        pending.push(done);
      },
    });
    const { input, ended, logged } = served(output);
    input.write(hello);
    input.write(Array.from({ length: 25 }, (_, id) => call(id, 'large', { bytes: 1_000_000 })).join(''));
    for (let id = 25; id < 50; id += 1) input.write(call(id, 'large', { bytes: 1_000_000 }));
    await until(() => input.readableLength + input.writableLength === 0);
    expect(output.writableLength).toBeLessThan(6_000_000);
    expect(input.isPaused()).toBe(false);
    // Now it reads on: everything comes, nothing is lost.
    input.end();
    const reading = setInterval(() => pending.shift()?.(), 1);
    await ended;
    clearInterval(reading);
    expect(written).toBeGreaterThan(50_000_000);
    expect(logged).toEqual([]);
  });

  test('gives up within 5 s on a client that closed its side and leaves more than 4 MiB unread (F11)', async () => {
    const { pass } = stopTime();
    const output = new Writable({ write: () => undefined });
    const { input, ended } = served(output);
    input.write(hello);
    for (let id = 0; id < 10; id += 1) input.write(call(id, 'large', { bytes: 1_000_000 }));
    input.end();
    await until(() => input.readableEnded);
    await nextTurn();
    await pass(5_000);
    await ended;
  });

  test('gives up on a client that never reads, within 2 s of its signal', async () => {
    const { pass } = stopTime();
    const output = new Writable({ write: () => undefined });
    const { input, stop, ended, logged } = served(output);
    input.write(hello);
    await until(() => output.writableLength > 0);
    stop.abort();
    await nextTurn();
    await pass(2_000);
    await ended;
    expect(logged.at(-1)).toMatchObject({ level: 'warn' });
  });

  test('answers any bytes with at most one answer per line, and a ping after them', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    const text = fc.oneof(fc.json(), fc.string()).map((value) => Buffer.from(`${value}\n`));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(bytes, text), { maxLength: 4 }), async (chunks) => {
        const { input, ended, answers } = served();
        for (const chunk of chunks) input.write(chunk);
        input.end(`\n${ping('still-there')}`);
        await ended;
        const lines = Buffer.concat(chunks).filter((byte) => byte === 10).length + 1;
        expect(answers().length).toBeLessThanOrEqual(lines + 1);
        expect(answers().at(-1)).toEqual({ jsonrpc: '2.0', id: 'still-there', result: {} });
      }),
      { numRuns: 200 },
    );
  });
});
