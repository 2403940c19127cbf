// Whether a value is JSON that every part of us can hold: plain data, bounded depth and size, text that databases take.
import { type PathSegment, pathText, type Violation } from './violation.ts';

export interface JsonLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

export const INPUT_LIMITS: JsonLimits = { maxBytes: 1_048_576, maxDepth: 64 };

/** Lists of a thousand long texts are honest outputs; what is larger belongs into a file. */
export const OUTPUT_LIMITS: JsonLimits = { maxBytes: 8 * 1_048_576, maxDepth: 64 };

/** Whether it is JSON of at most that many bytes. Stops looking where it is not. */
export function isBrief(value: unknown, maxBytes: number): boolean {
  const look: Look = { units: 0, maxUnits: maxBytes, maxDepth: INPUT_LIMITS.maxDepth };
  return isWithin(value, 1, look) && Buffer.byteLength(JSON.stringify(value) ?? '') <= maxBytes;
}

/** A unit is at least a byte; the comma or the bracket of an item is one, too. */
function isWithin(value: unknown, depth: number, look: Look): boolean {
  look.units += typeof value === 'string' ? value.length + 2 : 1;
  if (look.units > look.maxUnits || depth > look.maxDepth) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => isWithin(item, depth + 1, look));
  for (const name in value) {
    look.units += name.length + 2;
    if (!isWithin((value as Readonly<Record<string, unknown>>)[name], depth + 1, look)) return false;
  }
  return true;
}

/** `text` and `name`: it can be walked all the same. `shape`, `depth` and `size`: it cannot. */
type JsonFaultKind = 'text' | 'name' | 'shape' | 'depth' | 'size';

export interface JsonFault extends Violation {
  readonly kind: JsonFaultKind;
}

/** Every way in which the value is not JSON that we can hold. Never throws for data; a getter that throws is let through. */
export function inspectJson(value: unknown, limits: JsonLimits): readonly JsonFault[] {
  const look = createLook(limits);
  if (looksClean(value, 1, look)) return isSmall(look, limits) ? NONE : sizeViolation(value, limits);
  if (look.units > look.maxUnits) return [tooLarge(limits)];
  const found: JsonFault[] = [];
  collect(value, [], limits.maxDepth, found);
  return found.length > 0 ? found : sizeViolation(value, limits);
}

/** Whether the value can be walked, written as JSON and measured without end. */
export const isHoldable = (faults: readonly JsonFault[]): boolean =>
  faults.every(({ kind }) => kind === 'text' || kind === 'name');

const NONE: readonly JsonFault[] = [];

/** `\u0000` is six bytes for one unit. */
const MAX_BYTES_PER_UNIT = 6;

/** As long as the longest number: a leaf that is no text counts so much, whatever it is. */
const UNITS_PER_LEAF = 24;

const MESSAGES = {
  text: 'contains a NUL character or a lone surrogate',
  name: 'has a name that is not allowed',
  shape: 'is not a JSON value',
  depth: 'is nested too deeply',
} as const satisfies Record<Exclude<JsonFaultKind, 'size'>, string>;

/** `isWellFormed` is in every Node that we run on, though not yet in the types of ES2023. */
const isGoodText = (text: string): boolean =>
  (text as unknown as { isWellFormed: () => boolean }).isWellFormed() && !text.includes('\0');

/** Counts while it looks; allocates nothing, because almost every value passes. */
export interface Look {
  units: number;
  /** Beyond it the value is too large for certain: an object that holds another many times over has no end in sight. */
  readonly maxUnits: number;
  readonly maxDepth: number;
}

export const createLook = ({ maxBytes, maxDepth }: JsonLimits): Look => ({
  units: 0,
  maxUnits: maxBytes * UNITS_PER_LEAF,
  maxDepth,
});

/** Small enough for certain; otherwise the bytes have to be counted. */
export const isSmall = ({ units }: Look, { maxBytes }: JsonLimits): boolean => units * MAX_BYTES_PER_UNIT <= maxBytes;

export function looksClean(value: unknown, depth: number, look: Look): boolean {
  if (typeof value === 'string') {
    look.units += value.length + 2;
    return isGoodText(value);
  }
  look.units += UNITS_PER_LEAF;
  if (typeof value !== 'object' || value === null) return isJsonLeaf(value);
  if (depth > look.maxDepth || look.units > look.maxUnits) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!looksClean(item, depth + 1, look)) return false;
    return true;
  }
  return isCleanObject(value, depth, look, ANY_FIELDS);
}

export type LookAt = (value: unknown, depth: number, look: Look) => boolean;

/** How the fields of an object are looked at. */
export interface FieldLooks {
  /** In the order in which the schema lists them, and most objects have them. */
  readonly names: readonly string[];
  readonly looks: readonly LookAt[];
  /** Where each name stands. */
  readonly places: ReadonlyMap<string, number>;
  readonly further: LookAt;
}

const ANY_FIELDS: FieldLooks = { names: [], looks: [], places: new Map(), further: looksClean };

/** Fields that are known need no look at their name; all others are looked at alike. */
export function isCleanObject(value: object, depth: number, look: Look, fields: FieldLooks): boolean {
  if (depth > look.maxDepth || look.units > look.maxUnits || !isPlain(value)) return false;
  const { names, looks, places } = fields;
  let expected = 0;
  // What is inherited, too: a plain object has nothing of that kind, unless somebody tampered with all objects.
  for (const key in value) {
    look.units += key.length + UNITS_PER_LEAF;
    // Comparing names is quicker than a search, and usually enough.
    const place = names[expected] === key ? expected : places.get(key);
    if (place === undefined && (key === '__proto__' || !isGoodText(key))) return false;
    if (place !== undefined) expected = place + 1;
    const field = (value as Readonly<Record<string, unknown>>)[key];
    const lookAt = place === undefined ? fields.further : (looks[place] ?? fields.further);
    // JSON leaves out a field that is undefined.
    if (field !== undefined && !lookAt(field, depth + 1, look)) return false;
  }
  return true;
}

/** Enough to mend an input by; a message shows ten. */
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
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  return bytes <= limits.maxBytes ? NONE : [tooLarge(limits)];
}

const tooLarge = ({ maxBytes }: JsonLimits): JsonFault => ({
  path: '',
  message: `is larger than ${maxBytes} bytes of JSON`,
  kind: 'size',
});

const isJsonLeaf = (value: unknown): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Objects of another realm (a worker, a loader) count: their prototype's prototype is `null` too. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
