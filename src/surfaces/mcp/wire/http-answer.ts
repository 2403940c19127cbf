// The answers over HTTP that need no stream: one line of JSON with its length, a refusal, or nothing but a status.
import type { ServerResponse } from 'node:http';
import { UNREAD_MS } from './event-stream.ts';
import { errorLine, type Line, type RequestId, rpcCode } from './json-rpc.ts';
import type { RpcError } from './method.ts';

/** Why a request is not served, as HTTP and as JSON-RPC say it. */
export interface RpcRefusal {
  readonly status: number;
  readonly error: RpcError;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
}

export const NOT_ACCEPTABLE: RpcRefusal = {
  status: 406,
  error: { code: rpcCode.refused, message: 'Not acceptable: send "Accept: application/json, text/event-stream"' },
};

/** Of one caller, or of all together. */
export const TOO_MANY_STREAMS: RpcRefusal = {
  status: 429,
  error: { code: rpcCode.refused, message: 'Too many streams are open: close one first' },
  headers: ['Retry-After', '30'],
};

/** Head and body leave in one go. A client that has gone needs no answer. */
export function replyLine(response: ServerResponse, status: number, line: Line, headers: readonly string[] = []): void {
  if (response.destroyed || response.headersSent) return;
  const length = String(typeof line === 'string' ? Buffer.byteLength(line) : line.byteLength);
  // A flat list is the form that Node takes over without looking at each field.
  response.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', length, ...headers]);
  if (typeof line === 'string') response.end(line);
  else {
    response.cork();
    response.write(line.start);
    response.end(line.rest);
  }
  // What the system did not take at once waits for the client to read: not for ever (F10).
  if (response.writableLength > 0) response.setTimeout(UNREAD_MS, () => response.destroy());
}

export function replyRefusal(
  response: ServerResponse,
  id: RequestId | null,
  { status, error, headers }: RpcRefusal,
): void {
  replyLine(response, status, errorLine(id, error), headers);
}

/** 202 for what was taken without an answer, 204 for what was ended. */
export function replyEmpty(response: ServerResponse, status: 202 | 204): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, status === 204 ? [] : ['Content-Length', '0']);
  response.end();
}
