// Large files over standard output: one is made at a time, however many are asked for, and every byte comes (F10).
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../../tests/support/patience.ts';
import { sleep } from '../../../async/sleep.ts';
import { openTestCatalog } from '../../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { createRepertoire } from '../../../repertoire/repertoire.ts';
import { createMethodTable } from '../table.ts';
import { serveStdio } from './stdio.ts';

const HELLO =
  '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}\n';
const request = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
const lineOf = (message: object) => `${JSON.stringify(message)}\n`;
const read = (id: number) => request(id, 'resources/read', { uri: 'skill://a/large.txt' });
const ping = (id: number) => request(id, 'ping', {});

/** With a backslash, a control character and one of three bytes. */
const TEXT = 'a\\\u0001€'.repeat(300_000);

async function open() {
  const world = createSkillWorld();
  world.skill('root/a');
  world.write('root/a/large.txt', TEXT);
  // A file that was just written may still be changing.
  await sleep(200);
  const repertoire = createRepertoire(await openTestCatalog([world.at('root')]));
  const readFile = vi.spyOn(repertoire, 'readFile');
  const pending: (() => void)[] = [];
  const chunks: Buffer[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      pending.push(done);
    },
  });
  const input = new PassThrough();
  const table = createMethodTable({ repertoire, version: '1' });
  const logged: unknown[] = [];
  const ended = serveStdio(table, { input, output, log: (event) => logged.push(event) });
  /** The client takes one write at a time, for as long as there is one. */
  const readAll = () => {
    const reading = setInterval(() => pending.shift()?.(), 1);
    return () => clearInterval(reading);
  };
  const answers = () =>
    Buffer.concat(chunks)
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { input, output, ended, logged, readFile, readAll, answers };
}

test(
  'of forty large reads at once one is read while the client takes nothing (F10) (A2)',
  async () => {
    const { input, output, ended, logged, readFile, readAll, answers } = await open();
    input.write(HELLO);
    input.write(Array.from({ length: 40 }, (_, id) => lineOf(read(id))).join(''));
    await expect.poll(() => readFile.mock.calls.length).toBe(1);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(readFile).toHaveBeenCalledTimes(1);
    expect(output.writableLength).toBeLessThan(4 * 1024 * 1024);
    input.end(lineOf(ping(99)));
    const stop = readAll();
    await ended;
    stop();
    const all = answers();
    expect(all).toHaveLength(42);
    for (let id = 0; id < 40; id += 1) {
      const answer = all.find((each) => each.id === id);
      expect(answer.result.contents).toEqual([{ uri: 'skill://a/large.txt', mimeType: 'text/plain', text: TEXT }]);
    }
    expect(all.some(({ id }) => id === 99)).toBe(true);
    expect(logged).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a read that was cancelled, and one of a batch, leave the turn to the next (F10)',
  async () => {
    const { input, ended, readAll, answers } = await open();
    const stop = readAll();
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    input.write(HELLO + lineOf(read(1)) + lineOf(cancelled) + lineOf([read(2), ping(3)]) + lineOf(read(4)));
    await expect.poll(() => answers().some(({ id }) => id === 4), { timeout: PATIENCE_MS }).toBe(true);
    input.end();
    await ended;
    stop();
    const batch = answers().find(Array.isArray) ?? [];
    expect(batch.map(({ id }: { id: number }) => id).sort()).toEqual([2, 3]);
    expect(batch.find(({ id }: { id: number }) => id === 2).result.contents[0].text).toBe(TEXT);
    expect(answers().some(({ id }) => id === 1)).toBe(false);
  },
  PATIENCE_MS,
);
