// Tests of lines → one write per tick.
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { LineWriter } from './line-writer.ts';

/** An output that holds every write until it is released. */
function heldOutput() {
  const writes: string[] = [];
  const release: (() => void)[] = [];
  const output = new Writable({
    highWaterMark: 1_000_000,
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      release.push(done);
    },
  });
  return { output, writes, releaseOne: () => release.shift()?.() };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('LineWriter', () => {
  test('writes the lines of one tick at once, in order', async () => {
    const { output, writes } = heldOutput();
    const writer = new LineWriter(output, {});
    writer.write('one');
    writer.write('two');
    expect(writes).toEqual([]);
    await tick();
    expect(writes).toEqual(['one\ntwo\n']);
  });

  test('is congested by what the client leaves unread and says when that is over', async () => {
    const { output, releaseOne } = heldOutput();
    let relieved = 0;
    const onRelieved = () => {
      relieved += 1;
    };
    const writer = new LineWriter(output, { maxQueued: 10, onRelieved });
    writer.write('0123456789');
    expect(writer.congested).toBe(true);
    await tick();
    expect([writer.congested, relieved]).toEqual([true, 0]);
    releaseOne();
    await tick();
    expect([writer.congested, relieved]).toEqual([false, 1]);
  });

  test('stays silent when it was never congested', async () => {
    const { output, releaseOne } = heldOutput();
    let relieved = 0;
    const writer = new LineWriter(output, { maxQueued: 100, onRelieved: () => (relieved += 1) });
    writer.write('short');
    await tick();
    releaseOne();
    await tick();
    expect(relieved).toBe(0);
  });

  test('finished() waits for the last byte', async () => {
    const { output, releaseOne } = heldOutput();
    const writer = new LineWriter(output, {});
    writer.write('one');
    let done = false;
    const finished = writer.finished().then(() => {
      done = true;
    });
    await tick();
    expect(done).toBe(false);
    releaseOne();
    await tick();
    releaseOne();
    await finished;
    expect(done).toBe(true);
  });

  test('finished() does not wait for a broken output', async () => {
    const { output } = heldOutput();
    output.on('error', () => undefined);
    const writer = new LineWriter(output, {});
    output.destroy(new Error('EPIPE'));
    writer.write('lost');
    await writer.finished();
  });
});
