// Tests with a real process and real pipes: nothing lost, nothing blocked, no process left behind.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const server = fileURLToPath(new URL('./fixtures/sample-server.ts', import.meta.url));
const hello =
  '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}\n';
const call = (id: number, name: string, args: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;

/** `through`: a shell line around the server, where its standard output is a FIFO and not a socket. */
function start(flags: readonly string[] = [], through = '"$@"'): ChildProcessWithoutNullStreams {
  const command = [process.execPath, '--import', 'tsx', server, ...flags];
  return spawn('/bin/sh', ['-c', through, 'sh', ...command]);
}

async function collect(child: ChildProcessWithoutNullStreams): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) lines.push(line);
  return lines;
}

/** Resolves when the process has said this on standard error. */
async function said(child: ChildProcessWithoutNullStreams, words: string): Promise<void> {
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes(words)) return;
  }
  throw new Error(`The server ended without saying ${words}`);
}

describe('a server over openStdio()', () => {
  test.each([
    ['a socket', '"$@"'],
    ['a pipe', '"$@" | cat'],
    ['a file', 'out=$(mktemp); "$@" > "$out"; cat "$out"; rm "$out"'],
  ])('loses nothing over %s, even if the process dies as soon as serveStdio() has resolved', async (_kind, through) => {
    const child = start(['--vanish'], through);
    child.stdin.end(hello + Array.from({ length: 20 }, (_, id) => call(id, 'large', { bytes: 200_000 })).join(''));
    const lines = await collect(child);
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['hello', ...Array.from({ length: 20 }, (_, id) => id)]);
  });

  test('keeps its timers running while the client does not read, and answers when it does (F10)', async () => {
    const child = start(['--tick']);
    child.stdin.write(hello);
    for (let id = 0; id < 100; id += 1) child.stdin.write(call(id, 'large', { bytes: 100_000 }));
    await said(child, 'tick');
    let ticks = 0;
    child.stderr.on('data', (chunk) => {
      ticks += String(chunk).split('tick').length - 1;
    });
    await expect.poll(() => ticks).toBeGreaterThan(10);
    child.stdin.end();
    expect(await collect(child)).toHaveLength(101);
  });

  // After how long is the business of stdio.test.ts.
  test('ends by itself after SIGTERM, although its client never read a byte (F10, F11)', async () => {
    const child = start([], 'exec "$@"');
    child.stdin.on('error', () => undefined);
    // Answered before it says so: 3 MB, far more than a pipe holds and a little less than stops the reading.
    child.stdin.write(hello);
    for (let id = 0; id < 30; id += 1) child.stdin.write(call(id, 'large', { bytes: 100_000 }));
    child.stdin.write(call(100, 'wait'));
    await said(child, 'waiting');
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  test('ends by itself when the input ends, on SIGTERM, and when the client is gone (F11)', async () => {
    const quiet = start();
    quiet.stdin.end(hello);
    const stopped = start([], 'exec "$@"');
    stopped.stdin.write(hello + call(1, 'wait'));
    const abandoned = start();
    abandoned.stdin.on('error', () => undefined);
    abandoned.stdin.write(hello + call(1, 'after', { ms: 200 }));
    abandoned.stdout.destroy();
    const exits = Promise.all([quiet, stopped, abandoned].map((child) => once(child, 'exit')));
    await said(stopped, 'waiting');
    stopped.kill('SIGTERM');
    expect((await exits).map(([code]) => code)).toEqual([0, 0, 0]);
  });
});
