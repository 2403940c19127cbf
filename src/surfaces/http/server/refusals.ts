// Why a request is turned away before any route sees it, as a value; and how that is said, at /mcp and elsewhere (H3).
import type { FailureCode } from '../../../skills/define/failure.ts';
import { replyFailure, replyRpcFailure } from '../message/failure-reply.ts';
import { hasBody, MCP_PATH, type ReceivedRequest } from './received-request.ts';

export interface GuardRefusal {
  readonly code: FailureCode;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendRefusal(received: ReceivedRequest, { code, status, message, headers = {} }: GuardRefusal): void {
  const { request, response } = received;
  const reply = received.path === MCP_PATH ? replyRpcFailure : replyFailure;
  // Where the body ends is not known for sure: nothing behind it may be taken for a request.
  response.isFarewell = leavesBody(received);
  reply(received, code, message, { status, headers, unread: response.isFarewell ? request : undefined });
}

/** A short body that is on its way is let through, so that the connection can be used again; others are not waited for. */
function leavesBody({ request, awaitsContinue }: ReceivedRequest): boolean {
  if (request.complete || !hasBody(request)) return false;
  return awaitsContinue || !(Number(request.headers['content-length']) <= SHORT_BODY);
}

const SHORT_BODY = 65_536;
