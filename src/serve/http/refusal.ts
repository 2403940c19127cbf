// Why a request is turned away before any route sees it, as a value; and how that is said, at /mcp and elsewhere (H3).
import type { IncomingMessage } from 'node:http';
import type { FailureCode } from '../../execution/failure.ts';
import { replyFailure, replyRpcFailure } from './failure-reply.ts';
import type { GuardedResponse } from './security-headers.ts';

export interface Refusal {
  readonly code: FailureCode;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request on its way through the guard. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: GuardedResponse;
  /** Without the query, not decoded. */
  readonly path: string;
  /** The other end of the connection. */
  readonly address: string;
  readonly remote: boolean;
  readonly correlationId: string;
  /** The client sends its body only after a word from us (`Expect: 100-continue`). */
  readonly awaitsContinue: boolean;
}

export const MCP_PATH = '/mcp';

export function refuse(visit: Visit, { code, status, message, headers = {} }: Refusal): void {
  const { request, response } = visit;
  const reply = visit.path === MCP_PATH ? replyRpcFailure : replyFailure;
  // Where the body ends is not known for sure: nothing behind it may be taken for a request.
  response.isFarewell = leavesBody(visit);
  reply(visit, code, message, { status, headers, unread: response.isFarewell ? request : undefined });
}

/** A short body that is on its way is let through, so that the connection can be used again; others are not waited for. */
function leavesBody({ request, awaitsContinue }: Visit): boolean {
  if (request.complete || !hasBody(request)) return false;
  return awaitsContinue || !(Number(request.headers['content-length']) <= SHORT_BODY);
}

const SHORT_BODY = 65_536;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
