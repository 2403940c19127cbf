// What a process that is to be killed says: each text in one write, so that what was said is said. The pipe to a test that is
// behind with reading fills up, and Node leaves it to the writer to wait.
import { writeSync } from 'node:fs';

const AGAIN_MS = 5;

export function sayAtOnce(text: string, descriptor: 1 | 2 = 1): void {
  while (!isWritten(text, descriptor)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
}

/** All of a short text or nothing: a socket takes it as a whole. */
function isWritten(text: string, descriptor: number): boolean {
  try {
    writeSync(descriptor, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
    throw error;
  }
}
