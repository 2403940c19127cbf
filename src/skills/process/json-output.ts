// What a skill returned as JSON of bounded size, or why it is none. Runs in the skill's own process: what would take the
// server's memory or time is refused before it leaves. Whether it fits the schema is looked at in the server.
import { type Excess, findExcess, type JsonLimits, tooManyText } from '../check/json-measure.ts';

export type WrittenOutput =
  | { readonly json: string; readonly bytes: number }
  /** The end of "its output …". */
  | { readonly fault: string };

/** Throws what a getter of the value throws. */
export function writeOutput(value: unknown, limits: JsonLimits): WrittenOutput {
  const excess = findExcess(value, limits);
  if (excess !== undefined) return { fault: FAULTS[excess](limits) };
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  return bytes > limits.maxBytes ? { fault: FAULTS.size(limits) } : { json, bytes };
}

const FAULTS = {
  size: ({ maxBytes }) => `is larger than ${maxBytes} bytes of JSON`,
  values: tooManyText,
  depth: () => 'is nested too deeply',
  shape: () => 'has something in it that is not a JSON value',
} as const satisfies Record<Excess, (limits: JsonLimits) => string>;
