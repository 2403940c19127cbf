// How much JSON a value is, counted without writing any of it: ends where that is too much, also for an object that holds
// another many times over. Runs in the processes of worker skills, too, so it imports nothing but Node's own.
import { types } from 'node:util';

export interface JsonLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Objects, lists, leaves and the names of fields: see values/json-values.ts. */
  readonly maxValues: number;
  /** What to do with more values than that. */
  readonly advice: string;
}

/** `shape`: something in it is no JSON value. It was not looked into, and all else is within the limits. */
export type Excess = 'values' | 'size' | 'depth' | 'shape';

/** Counts fewer bytes than JSON will take, never more. Throws what a getter of the value throws. */
export const findExcess = (value: unknown, limits: JsonLimits): Excess | undefined => new Measure(limits).of(value);

/** What is the case, and what to do about it. */
export const tooManyText = ({ maxValues, advice }: JsonLimits): string =>
  `has more than ${maxValues.toLocaleString('en')} values (field names count, too); ${advice}`;

class Measure {
  #bytesLeft: number;
  #valuesLeft: number;
  #isStrange = false;
  readonly #maxDepth: number;

  constructor({ maxBytes, maxDepth, maxValues }: JsonLimits) {
    this.#bytesLeft = maxBytes;
    this.#valuesLeft = maxValues;
    this.#maxDepth = maxDepth;
  }

  of(value: unknown): Excess | undefined {
    return this.#take(value, this.#maxDepth) ?? (this.#isStrange ? 'shape' : undefined);
  }

  #take(value: unknown, depthLeft: number): Excess | undefined {
    this.#bytesLeft -= typeof value === 'string' ? value.length + 2 : 1;
    if (--this.#valuesLeft < 0) return 'values';
    if (this.#bytesLeft < 0) return 'size';
    const isList = Array.isArray(value);
    if (!isList && !isFields(value)) {
      this.#isStrange ||= !isLeaf(value);
      return undefined;
    }
    if (depthLeft <= 0) return 'depth';
    return isList ? this.#takeItems(value, depthLeft - 1) : this.#takeFields(value, depthLeft - 1);
  }

  #takeItems(items: readonly unknown[], depthLeft: number): Excess | undefined {
    if (items.length > this.#valuesLeft) return 'values';
    for (const item of items) {
      const excess = this.#take(item, depthLeft);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }

  #takeFields(value: Readonly<Record<string, unknown>>, depthLeft: number): Excess | undefined {
    for (const name of Object.keys(value)) {
      const field = value[name];
      // JSON leaves out a field that is undefined.
      if (field === undefined) continue;
      this.#bytesLeft -= name.length + 3;
      this.#valuesLeft--;
      const excess = this.#take(field, depthLeft);
      if (excess !== undefined) return excess;
    }
    return undefined;
  }
}

const isLeaf = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** An object of a class counts by its fields. What has its contents elsewhere, or a form of its own in JSON, does not. */
function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || !holdsElsewhere(value);
}

const holdsElsewhere = (value: object): boolean =>
  types.isMap(value) ||
  types.isSet(value) ||
  types.isAnyArrayBuffer(value) ||
  ArrayBuffer.isView(value) ||
  types.isNativeError(value) ||
  types.isPromise(value) ||
  types.isRegExp(value) ||
  types.isBoxedPrimitive(value) ||
  types.isWeakMap(value) ||
  types.isWeakSet(value);
