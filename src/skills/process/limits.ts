// What the process of a worker skill may take. Its time is the skill's own limit.
import { OUTPUT_LIMITS } from '../check/json-inspection.ts';

const MEGABYTE = 1_048_576;

export const PROCESS_LIMITS = {
  /** Of JavaScript objects. */
  heapMb: 256,
  /** A half of the space for young objects; V8 takes up to three of them. */
  semiSpaceMb: 16,
  /** All that it holds, buffers too: an idle Node takes about 45 MB of it. */
  residentMb: 512,
  output: OUTPUT_LIMITS,
  /** Of what one call prints the beginning is looked at. */
  printedBytes: 65_536,
  /** A call that prints more is ended: reading it would keep the server busy. */
  floodBytes: 16 * MEGABYTE,
} as const;

export const MAX_RESIDENT_BYTES = PROCESS_LIMITS.residentMb * MEGABYTE;
