// Whether a value is JSON that every part of us can hold: plain data, bounded depth and size, text that databases take.
import { MAX_JSON_VALUES } from '../../values/json-values.ts';
import { createTally, isGoodText, isJsonLeaf, isLarge, isPlain, isSmall, passJson, type Tally } from './fast-pass.ts';
import { findExcess, type JsonLimits, tooManyText } from './json-measure.ts';
import { type PathSegment, pathText } from './json-schema.ts';
import type { Violation } from './violation.ts';

export const INPUT_LIMITS: JsonLimits = {
  maxBytes: 1_048_576,
  maxDepth: 64,
  maxValues: MAX_JSON_VALUES,
  advice: 'send fewer at once',
};

/** Lists of a thousand long texts are honest outputs; what is larger belongs into a file. */
export const OUTPUT_LIMITS: JsonLimits = {
  maxBytes: 8 * 1_048_576,
  maxDepth: 64,
  maxValues: MAX_JSON_VALUES,
  advice: 'return fewer, or write them to a file',
};

/** `text` and `name`: it can be walked all the same. `shape`, `depth` and `size`: it cannot. */
type JsonFaultKind = 'text' | 'name' | 'shape' | 'depth' | 'size';

export interface JsonFault extends Violation {
  readonly kind: JsonFaultKind;
}

/** Every way in which the value is not JSON that we can hold. Never throws for data; a getter that throws is let through. */
export function inspectJson(value: unknown, limits: JsonLimits): readonly JsonFault[] {
  const tally = createTally(limits);
  if (passJson(value, 1, tally)) return inspectSize(value, tally, limits);
  if (tally.valuesLeft < 0) return [tooMany(limits)];
  if (tally.units > tally.maxUnits) return [tooLarge(limits)];
  const found: JsonFault[] = [];
  collect(value, [], limits.maxDepth, found);
  return found.length > 0 || isBrief(value, limits) ? found : [tooLarge(limits)];
}

/** The same for a value that has passed the fast pass: only its size may be wrong. Written at most once, if at all. */
export function inspectSize(value: unknown, tally: Tally, limits: JsonLimits): readonly JsonFault[] {
  if (isSmall(tally, limits)) return NONE;
  return isLarge(tally, limits) || bytesOf(value) > limits.maxBytes ? [tooLarge(limits)] : NONE;
}

const NONE: readonly JsonFault[] = [];

/** Whether the value can be walked, written as JSON and measured without end. */
export const isHoldable = (faults: readonly JsonFault[]): boolean =>
  faults.every(({ kind }) => kind === 'text' || kind === 'name');

const MESSAGES = {
  text: 'contains a NUL character or a lone surrogate',
  name: 'has a name that is not allowed',
  shape: 'is not a JSON value',
  depth: 'is nested too deeply',
} as const satisfies Record<Exclude<JsonFaultKind, 'size'>, string>;

/** Enough to fix an input by; a message shows ten. */
const MAX_FOUND = 200;

function collect(value: unknown, path: PathSegment[], depthLeft: number, found: JsonFault[]): void {
  if (found.length >= MAX_FOUND) return;
  const report = (kind: keyof typeof MESSAGES, where: readonly PathSegment[] = path) =>
    found.push({ path: pathText(where), message: MESSAGES[kind], kind });
  if (typeof value === 'string') {
    if (!isGoodText(value)) report('text');
    return;
  }
  if (typeof value !== 'object' || value === null) {
    if (!isJsonLeaf(value)) report('shape');
    return;
  }
  if (depthLeft <= 0) return void report('depth', path.slice(0, 3));
  if (!Array.isArray(value) && !isPlain(value)) return void report('shape');
  for (const [key, inner] of entriesOf(value)) {
    if (found.length >= MAX_FOUND) return;
    path.push(key);
    if (key === '__proto__' || (typeof key === 'string' && !isGoodText(key))) report('name');
    if (inner !== undefined || typeof key === 'number') collect(inner, path, depthLeft - 1, found);
    path.pop();
  }
}

function entriesOf(value: object): Iterable<[PathSegment, unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value);
}

const tooLarge = ({ maxBytes }: JsonLimits): JsonFault => ({
  path: '',
  message: `is larger than ${maxBytes} bytes of JSON`,
  kind: 'size',
});

const tooMany = (limits: JsonLimits): JsonFault => ({ path: '', message: tooManyText(limits), kind: 'size' });

/**
 * For what is handed to a check of its author's, which may take it apart and put it together. What it has in it that is no
 * JSON is that check's matter.
 */
export const findTooMany = (value: unknown, limits: JsonLimits): JsonFault | undefined =>
  findExcess(value, { ...limits, maxBytes: Number.POSITIVE_INFINITY }) === 'values' ? tooMany(limits) : undefined;

/** Whether it is JSON of at most that many bytes. Stops looking where it is not, and never writes what is far too large. */
export function isBrief(value: unknown, limits: JsonLimits): boolean {
  const excess = findExcess(value, limits);
  return (excess === undefined || excess === 'shape') && bytesOf(value) <= limits.maxBytes;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
