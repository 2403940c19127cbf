// What a skill returned as JSON of bounded size, or why it is none. Runs in the skill's own process: what would take the
// server's memory is refused before it leaves. Whether it fits the schema is looked at in the server.
import { types } from 'node:util';

export interface OutputLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

export type WrittenOutput =
  | { readonly json: string; readonly bytes: number }
  /** The end of "its output …". */
  | { readonly fault: string };

/** Throws what a getter of the value throws. */
export function writeOutput(value: unknown, { maxBytes, maxDepth }: OutputLimits): WrittenOutput {
  const tooLarge = `is larger than ${maxBytes} bytes of JSON`;
  const fault = new Walk(maxBytes, tooLarge).findFault(value, maxDepth);
  if (fault !== undefined) return { fault };
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  return bytes > maxBytes ? { fault: tooLarge } : { json, bytes };
}

/** Counts less than JSON will take, never more, and ends where that is too much: what is held many times over counts each time. */
class Walk {
  #room: number;
  readonly #tooLarge: string;

  constructor(maxBytes: number, tooLarge: string) {
    this.#room = maxBytes;
    this.#tooLarge = tooLarge;
  }

  findFault(value: unknown, depthLeft: number): string | undefined {
    this.#room -= typeof value === 'string' ? value.length + 2 : 1;
    if (this.#room < 0) return this.#tooLarge;
    if (typeof value !== 'object' || value === null) return isLeaf(value) ? undefined : NO_JSON;
    if (depthLeft <= 0) return 'is nested too deeply';
    if (Array.isArray(value)) return this.#inArray(value, depthLeft);
    return isPlainData(value) ? this.#inObject(value, depthLeft) : NO_JSON;
  }

  #inArray(items: readonly unknown[], depthLeft: number): string | undefined {
    for (const item of items) {
      const fault = this.findFault(item, depthLeft - 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #inObject(value: object, depthLeft: number): string | undefined {
    for (const [name, field] of Object.entries(value)) {
      // JSON leaves out a field that is undefined.
      if (field === undefined) continue;
      this.#room -= name.length + 3;
      const fault = this.findFault(field, depthLeft - 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}

const NO_JSON = 'has something in it that is not a JSON value';

const isLeaf = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** An object of a class counts by its fields. What has its contents elsewhere, or a form of its own in JSON, does not. */
function isPlainData(value: object): boolean {
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
