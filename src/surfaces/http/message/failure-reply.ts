// A failure as an HTTP answer: the status by its code and the one error body of the API (H3), or JSON-RPC's at /mcp, or OAuth's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAILURE_MODES, type FailureCode, type FailureParameters, failureOf } from '../../../skills/define/failure.ts';

export const HTTP_STATUS = {
  VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  UNAUTHORIZED: 403,
  RATE_EXCEEDED: 429,
  TIMEOUT: 504,
  PERSISTENCE_ERROR: 503,
  EXTERNAL_SERVICE_ERROR: 502,
  INTERNAL_ERROR: 500,
} as const satisfies Record<FailureCode, number>;

/** What is answered to: an `AdmittedRequest`, or a request that never became one. */
export interface ReplyTo {
  readonly response: ServerResponse;
  readonly correlationId: string;
}

export interface ReplyExtra {
  /** Where the code alone does not decide: 401, 405, 413, 415 … (H3). */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request, when its body is not worth reading: the client sees the answer, then the connection ends. */
  readonly unread?: IncomingMessage | undefined;
  /** Who sent it is not known: no work is done for what still comes of it. */
  readonly isOfUnknown?: boolean;
}

/** Parameters of the code's template, or the whole message. */
export type Said<C extends FailureCode> = FailureParameters[C] | string;

/** Answers with the error body of the API (H3). */
export function replyFailure<C extends FailureCode>(to: ReplyTo, code: C, said: Said<C>, extra: ReplyExtra = {}): void {
  send(to.response, code, failureBody(code, messageOf(code, said), to.correlationId), said, extra);
}

/** The same for a client of /mcp: an error without an id, because the message was not looked at. */
export function replyRpcFailure<C extends FailureCode>(
  to: ReplyTo,
  code: C,
  said: Said<C>,
  extra: ReplyExtra = {},
): void {
  const error = { code: RPC_CODE[code], message: messageOf(code, said), data: { correlation_id: to.correlationId } };
  send(to.response, code, { jsonrpc: '2.0', id: null, error }, said, extra);
}

/** The same for a client of the authorization server, which reads `error` (RFC 6749, 5.2). The fields of H3 stand beside it. */
export function replyOAuthFailure<C extends FailureCode>(
  to: ReplyTo,
  code: C,
  said: Said<C>,
  extra: ReplyExtra = {},
): void {
  const message = messageOf(code, said);
  const body = {
    error: OAUTH_ERROR[code],
    error_description: message,
    ...failureBody(code, message, to.correlationId),
  };
  send(to.response, code, body, said, extra);
}

const OAUTH_ERROR = {
  VALIDATION_ERROR: 'invalid_request',
  NOT_FOUND: 'invalid_request',
  UNAUTHORIZED: 'access_denied',
  RATE_EXCEEDED: 'temporarily_unavailable',
  TIMEOUT: 'temporarily_unavailable',
  PERSISTENCE_ERROR: 'temporarily_unavailable',
  EXTERNAL_SERVICE_ERROR: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
} as const satisfies Record<FailureCode, string>;

/** -32600: the request cannot be used as it is. -32000: it could, but not by this caller or not now. */
const RPC_CODE = {
  VALIDATION_ERROR: -32600,
  NOT_FOUND: -32600,
  UNAUTHORIZED: -32000,
  RATE_EXCEEDED: -32000,
  TIMEOUT: -32000,
  PERSISTENCE_ERROR: -32000,
  EXTERNAL_SERVICE_ERROR: -32000,
  INTERNAL_ERROR: -32603,
} as const satisfies Record<FailureCode, number>;

/** The keys of H3, in its order. */
export function failureBody(code: FailureCode, message: string, correlationId: string) {
  const { severity, suggestedAction } = FAILURE_MODES[code];
  return {
    success: false,
    failure_code: code,
    failure_message: message,
    severity,
    suggested_action: suggestedAction,
    correlation_id: correlationId,
  } as const;
}

function messageOf<C extends FailureCode>(code: C, said: Said<C>): string {
  if (typeof said === 'string') return said;
  return failureOf(code, said as FailureParameters[C] & Readonly<Record<string, unknown>>).message;
}

function send(response: ServerResponse, code: FailureCode, body: object, said: unknown, extra: ReplyExtra): void {
  // Half of another answer is sent already: closing the connection is the only way left to say that it failed.
  if (response.headersSent) return void response.destroy();
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(extra.status ?? HTTP_STATUS[code], {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    ...retryAfter(said),
    ...extra.headers,
    ...(extra.unread === undefined ? undefined : { Connection: 'close' }),
  });
  if (extra.unread === undefined) return void response.end(bytes);
  response.write(bytes);
  discardBody(extra.unread, extra.isOfUnknown === true, () => response.end());
}

function retryAfter(said: unknown): Readonly<Record<string, string>> {
  if (typeof said !== 'object' || said === null || !('retry_after' in said)) return {};
  return { 'Retry-After': String(said.retry_after) };
}

/** After this long, or so many bytes, a client that goes on sending what was refused is cut off. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 8 * 1_048_576;
/** Chunks of one byte cost a thousand times what their bytes do. */
const LINGER_PIECES = 16_384;

/**
 * Throws away what still comes of a refused body, and then calls `done`: a connection that is closed on a sender at
 * once is reset, and the answer that explains why is lost with it.
 */
function discardBody(request: IncomingMessage, isOfUnknown: boolean, done: () => void): void {
  let bytes = 0;
  let pieces = 0;
  let finished = false;
  const finish = () => {
    if (finished) return;
    finished = true;
    clearTimeout(timer);
    done();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.on('end', finish);
  request.on('close', finish);
  // Its chunks are not even parsed: the system holds what it can, and the answer is there to be read.
  if (isOfUnknown && request.headers['transfer-encoding'] !== undefined) return void request.pause();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    pieces += 1;
    if (pieces > LINGER_PIECES) request.pause();
    if (bytes > LINGER_BYTES) finish();
  });
}
