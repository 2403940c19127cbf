// Keeps swapping two entries of the disk in a thread of its own, as fast as it can, while others read.
import { Worker } from 'node:worker_threads';

export interface Swapping {
  /** How many swaps there were until now. Throws when there can be no more. */
  count(): number;
  /** Ends with `path` as it was in the beginning. */
  stop(): Promise<void>;
}

/** `other` takes the place of `path` and gives it back, again and again, each for up to two milliseconds. */
export function startSwapping(path: string, other: string): Swapping {
  const flag = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(loop, { eval: true, workerData: { path, other, aside: `${path}.aside`, flag } });
  let failure: Error | undefined;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.once('error', (error: Error) => {
    failure = error;
  });
  return {
    count: () => {
      if (failure !== undefined) throw failure;
      return Atomics.load(flag, 1);
    },
    stop: async () => {
      Atomics.store(flag, 0, 1);
      await ended;
      if (failure !== undefined) throw failure;
    },
  };
}

// Plain JavaScript: a worker made from text is not transformed.
const loop = `
const { renameSync } = require('node:fs');
const { path, other, aside, flag } = require('node:worker_threads').workerData;
const clock = new Int32Array(new SharedArrayBuffer(4));
const rest = () => Atomics.wait(clock, 0, 0, Math.random() * 2);
while (Atomics.load(flag, 0) === 0) {
  renameSync(path, aside);
  renameSync(other, path);
  rest();
  renameSync(path, other);
  renameSync(aside, path);
  rest();
  Atomics.add(flag, 1, 1);
}
`;
