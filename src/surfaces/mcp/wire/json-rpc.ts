// JSON-RPC 2.0 as values: one text in, one message out; answers and notifications as one line each. Pure, no I/O.
import { withoutCredentials } from '../../../text/credentials.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail } from '../../../values/result.ts';
import { type AnyResult, LargeResult, PreparedResult, type RpcError } from './method.ts';

export type RequestId = string | number;

export interface Request {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

export interface Notification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

/** `nothing`: a blank line or a response, which a server that asks nothing has no use for. */
export type Message =
  | Request
  | Notification
  | { readonly kind: 'nothing' }
  | { readonly kind: 'batch'; readonly items: readonly unknown[] }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly error: RpcError };

export const rpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedVersion: -32022,
  headerMismatch: -32020,
  missingCapability: -32021,
  /** Of our own: the request is fine, but not here or not now. */
  refused: -32000,
  /** What clients know as "start a new session". */
  noSuchSession: -32001,
} as const;

/** What a client may know of a fault of ours: that it happened (T9). */
export const internalError: RpcError = { code: rpcCode.internalError, message: 'Internal error' };

/** One line of input as a message. Never throws. */
export function parseMessage(text: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // A SyntaxError, or a RangeError for a text too deep to parse. Its message may quote the input: not repeated.
    if (text.trim() === '') return nothing;
    const message = error instanceof SyntaxError ? 'Parse error: not valid JSON' : 'Parse error: too large or too deep';
    return { kind: 'invalid', id: null, error: { code: rpcCode.parseError, message } };
  }
  return Array.isArray(value) ? { kind: 'batch', items: value } : readMessage(value);
}

/** One parsed value as a message; inside a batch an array is no message. */
export function readMessage(value: unknown): Message {
  if (!isRecord(value)) return invalid(null, 'a message must be an object');
  const id = isRequestId(value.id) ? value.id : null;
  if (value.jsonrpc !== '2.0') return invalid(id, 'jsonrpc must be "2.0"');
  if (value.method === undefined && ('result' in value || 'error' in value)) return nothing;
  const { method, params = {} } = value;
  if (value.id !== undefined && id === null) return invalid(null, 'id must be a string or an integer');
  if (typeof method !== 'string') return invalid(id, 'method must be a string');
  if (!isRecord(params)) return invalid(id, 'params must be an object');
  return id === null ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
}

/** One message as it leaves, without the line break. */
export type Line = string | PreparedLine | LargeLine;

export function resultLine(id: RequestId, result: JsonObject): string;
export function resultLine(id: RequestId, result: AnyResult): Line;
export function resultLine(id: RequestId, result: AnyResult): Line {
  if (result instanceof PreparedResult) return new PreparedLine(startOf(id), result);
  if (result instanceof LargeResult) return new LargeLine(startOf(id), result);
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

const startOf = (id: RequestId): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

export function errorLine(id: RequestId | null, error: RpcError): string {
  const { code, message, data } = error;
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  });
}

export function notificationLine(method: string, params?: JsonObject): string {
  return JSON.stringify(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params });
}

/**
 * An answer whose result was prepared: its beginning is new, the rest is sent as it lies there. Copying it would cost more
 * than all else we do for it.
 */
class PreparedLine {
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

/** An answer that is made while it is sent, piece by piece. */
export class LargeLine {
  readonly #start: string;
  readonly #result: LargeResult;

  constructor(start: string, result: LargeResult) {
    this.#start = start;
    this.#result = result;
  }

  *pieces(): Generator<string> {
    yield this.#start;
    yield* this.#result.pieces();
    yield '}';
  }

  /** For a batch, whose answers are one text. */
  toString(): string {
    return [...this.pieces()].join('');
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

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** A client's own words inside our message: enough to recognise them, never eight megabytes, and no credential (T9). */
export function quote(text: string): string {
  const shown = withoutCredentials(text.slice(0, 1_000));
  return shown.length > 100 ? `${shown.slice(0, 100)}…` : shown;
}

export function methodNotFound(method: string): RpcError {
  return { code: rpcCode.methodNotFound, message: `Method not found: ${quote(method)}` };
}

export function invalidRequest(reason: string): RpcError {
  return { code: rpcCode.invalidRequest, message: `Invalid Request: ${reason}` };
}

/** The parameters are refused: the message says what is wrong with them. */
export function invalidParams(message: string, data?: unknown): { readonly ok: false; readonly failure: RpcError } {
  const error: RpcError = { code: rpcCode.invalidParams, message };
  return fail(data === undefined ? error : { ...error, data });
}

const nothing: Message = { kind: 'nothing' };

function invalid(id: RequestId | null, reason: string): Message {
  return { kind: 'invalid', id, error: invalidRequest(reason) };
}
