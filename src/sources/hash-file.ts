// The SHA-256 of a file that is kept, read in pieces: a server checks hundreds of megabytes and goes on answering.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createTimeSlice } from '../async/time-slice.ts';
import { codeOf } from '../values/error-code.ts';
import { sha256Of } from './skill-digest.ts';

/** What is read at once: a small file costs less this way than as a stream. */
const SMALL = 256 * 1024;
const SLICE_MS = 10;

/** One for all: however many checks run at once, the time between two answers is the same. */
const slice = createTimeSlice(SLICE_MS);

/** `undefined`: it cannot be read. */
export async function hashFile(file: string, size: number): Promise<string | undefined> {
  if (slice.isSpent()) await slice.rest();
  try {
    return size <= SMALL ? sha256Of(readFileSync(file)) : await hashStream(file);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

async function hashStream(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest('hex');
}
