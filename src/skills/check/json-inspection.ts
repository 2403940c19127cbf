// Whether a value is JSON that every part of us can hold: plain data, bounded depth and size, text that databases take.
import {
  createTally,
  isGoodText,
  isJsonLeaf,
  isPlain,
  isSmall,
  type JsonLimits,
  passJson,
  type Tally,
} from './fast-pass.ts';
import { type PathSegment, pathText } from './json-schema.ts';
import type { Violation } from './violation.ts';

export const INPUT_LIMITS: JsonLimits = { maxBytes: 1_048_576, maxDepth: 64 };

/** Lists of a thousand long texts are honest outputs; what is larger belongs into a file. */
export const OUTPUT_LIMITS: JsonLimits = { maxBytes: 8 * 1_048_576, maxDepth: 64 };

/** `text` and `name`: it can be walked all the same. `shape`, `depth` and `size`: it cannot. */
type JsonFaultKind = 'text' | 'name' | 'shape' | 'depth' | 'size';

export interface JsonFault extends Violation {
  readonly kind: JsonFaultKind;
}

/** Every way in which the value is not JSON that we can hold. Never throws for data; a getter that throws is let through. */
export function inspectJson(value: unknown, limits: JsonLimits): readonly JsonFault[] {
  const tally = createTally(limits);
  if (passJson(value, 1, tally)) return isSmall(tally, limits) ? NONE : sizeViolation(value, limits);
  if (tally.units > tally.maxUnits) return [tooLarge(limits)];
  const found: JsonFault[] = [];
  collect(value, [], limits.maxDepth, found);
  return found.length > 0 ? found : sizeViolation(value, limits);
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

function sizeViolation(value: unknown, limits: JsonLimits): readonly JsonFault[] {
  return isBrief(value, limits.maxBytes, limits.maxDepth) ? NONE : [tooLarge(limits)];
}

const tooLarge = ({ maxBytes }: JsonLimits): JsonFault => ({
  path: '',
  message: `is larger than ${maxBytes} bytes of JSON`,
  kind: 'size',
});

/** Whether it is JSON of at most that many bytes. Stops looking where it is not, and never writes what is far too large. */
export function isBrief(value: unknown, maxBytes: number, maxDepth = INPUT_LIMITS.maxDepth): boolean {
  const tally: Tally = { units: 0, maxUnits: maxBytes, maxDepth };
  return isWithin(value, 1, tally) && Buffer.byteLength(JSON.stringify(value) ?? '') <= maxBytes;
}

/** A unit is at least a byte; the comma or the bracket of an item is one, too. */
function isWithin(value: unknown, depth: number, tally: Tally): boolean {
  tally.units += typeof value === 'string' ? value.length + 2 : 1;
  if (tally.units > tally.maxUnits) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > tally.maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isWithin(item, depth + 1, tally));
  for (const name in value) {
    const field = (value as Readonly<Record<string, unknown>>)[name];
    // JSON leaves it out.
    if (field === undefined) continue;
    tally.units += name.length + 2;
    if (!isWithin(field, depth + 1, tally)) return false;
  }
  return true;
}
