// A request's body, whole and as text: counted while it comes, known to be UTF-8. Bodies that never end cannot fill the memory.
import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createQuota } from '../../../async/quota.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import { hasTooManyValues } from '../../../values/json-values.ts';
import { fail, ok, type Result } from '../../../values/result.ts';

const MEGABYTE = 1_048_576;

/** The largest SKILL.md, and more than any call needs. */
export const MAX_BODY_BYTES = MEGABYTE;

/** Chunks of 64 bytes and more: each costs as much as a hundred bytes do, however short it is. */
export const MAX_BODY_PIECES = 16_384;

/** Bytes of unfinished bodies that are held in memory. */
export interface BodyLimits {
  readonly inAll: number;
  /** Of an agent or a user; for the operator there is only the limit of all. */
  readonly perCaller: number;
}

export const BODY_LIMITS: BodyLimits = { inAll: 64 * MEGABYTE, perCaller: 16 * MEGABYTE };

export interface BodyBudget {
  /** False: it does not fit, and nothing was taken. */
  readonly take: (caller: Caller, bytes: number) => boolean;
  readonly give: (caller: Caller, bytes: number) => void;
}

export function createBodyBudget({ inAll, perCaller }: BodyLimits): BodyBudget {
  const quota = createQuota({ inAll });
  const mostOf = (caller: Caller) => (caller.kind === 'operator' ? inAll : perCaller);
  // More than one body only as long as as much is left for others: a few who fill their shares do not take all of it.
  const most = (caller: Caller) => Math.min(mostOf(caller), Math.max(MAX_BODY_BYTES, inAll - quota.all()));
  return {
    take: (caller, bytes) => quota.take({ key: callerKey(caller), most: most(caller) }, bytes),
    give: (caller, bytes) => quota.give(callerKey(caller), bytes),
  };
}

/** The first three may be known before the body has ended: the rest is thrown away as it comes. */
export type BodyProblem = 'too-large' | 'too-many-pieces' | 'no-room' | 'not-utf8' | 'too-many-values';

export interface BodyRules {
  readonly maxBytes: number;
  /** The usual number when absent. */
  readonly maxPieces?: number | undefined;
  readonly budget: BodyBudget;
  /** On whose account it is held. */
  readonly caller: Caller;
}

/** Never settles when the client goes away in the middle. */
export function readBody(request: IncomingMessage, rules: BodyRules): Promise<Result<string, BodyProblem>> {
  return new Promise((resolve) => {
    let first: Buffer | undefined;
    let growing: GrowingBody | undefined;
    let isOver = false;
    let pieces = 0;
    const giveUp = (problem: BodyProblem) => {
      isOver = true;
      first = undefined;
      growing?.drop();
      resolve(fail(problem));
    };
    request.on('data', (chunk: Buffer) => {
      if (isOver) return;
      pieces += 1;
      if (pieces > (rules.maxPieces ?? MAX_BODY_PIECES)) giveUp('too-many-pieces');
      else if ((growing?.length ?? first?.length ?? 0) + chunk.length > rules.maxBytes) giveUp('too-large');
      // Almost every body is one piece, which needs no account: how many pieces wait is bounded by the connections.
      else if (first === undefined) first = chunk;
      else {
        growing ??= new GrowingBody(request, rules, first);
        if (!growing.add(chunk)) giveUp('no-room');
      }
    });
    request.on('end', () => {
      if (isOver) return;
      const whole = growing?.take() ?? first;
      resolve(whole === undefined ? ok('') : textOf(whole));
    });
  });
}

/** Bodies are JSON: one that would take long to parse is refused before. */
function textOf(whole: Buffer): Result<string, BodyProblem> {
  if (!isUtf8(whole)) return fail('not-utf8');
  const text = whole.toString();
  return hasTooManyValues(text) ? fail('too-many-values') : ok(text);
}

/** A body in many pieces, copied together as they come: a thousand pieces of one byte cost no more than one of a thousand. */
class GrowingBody {
  readonly #rules: BodyRules;
  #bytes: Buffer;
  #length: number;
  #held = 0;

  constructor(request: IncomingMessage, rules: BodyRules, first: Buffer) {
    this.#rules = rules;
    this.#bytes = first;
    this.#length = first.length;
    // Also when the client goes away.
    request.once('close', () => this.drop());
  }

  get length(): number {
    return this.#length;
  }

  /** False: there is no room for it. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length && !this.#grow(length)) return false;
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    return true;
  }

  take(): Buffer {
    const whole = this.#bytes.subarray(0, this.#length);
    this.drop();
    return whole;
  }

  drop(): void {
    if (this.#held > 0) this.#rules.budget.give(this.#rules.caller, this.#held);
    this.#held = 0;
    this.#bytes = NOTHING;
    this.#length = 0;
  }

  #grow(length: number): boolean {
    const { budget, caller, maxBytes } = this.#rules;
    const size = Math.min(maxBytes, Math.max(2 * length, LEAST_BYTES));
    if (!budget.take(caller, size - this.#held)) return false;
    this.#held = size;
    const larger = Buffer.allocUnsafe(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    return true;
  }
}

const NOTHING = Buffer.alloc(0);
const LEAST_BYTES = 16_384;
