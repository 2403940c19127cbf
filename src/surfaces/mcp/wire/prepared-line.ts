// An answer whose result was prepared: its beginning is new, the rest is sent as it lies there. Copying it would cost more
// than all else we do for it.
import type { PreparedResult } from './method.ts';

export class PreparedLine {
  /** `{"jsonrpc":"2.0","id":…,"result":` */
  readonly start: string;
  /** The result and the brace that closes the message: UTF-8. */
  readonly rest: Buffer;

  constructor(start: string, result: PreparedResult) {
    this.start = start;
    this.rest = closed(result);
  }

  get byteLength(): number {
    return Buffer.byteLength(this.start) + this.rest.length;
  }

  toString(): string {
    return this.start + this.rest.toString('utf8');
  }
}

/** Lives as long as what was prepared. */
const closedResults = new WeakMap<PreparedResult, Buffer>();
const BRACE = Buffer.from('}');

function closed(result: PreparedResult): Buffer {
  const known = closedResults.get(result);
  if (known !== undefined) return known;
  const made = Buffer.concat([result.bytes, BRACE]);
  closedResults.set(result, made);
  return made;
}
