// Why a request is refused before any route sees it, as values; and how that is sent, at /mcp and elsewhere (H3).
import type { IncomingMessage } from 'node:http';
import type { AuthenticationFailure } from '../../../identity/authentication.ts';
import { type FailureCode, failureOf } from '../../../skills/define/failure.ts';
import { grouped } from '../../../text/counted.ts';
import { MAX_JSON_VALUES } from '../../../values/json-values.ts';
import { REASON_HEADER } from '../contract/failure.ts';
import { replyFailure, replyOAuthFailure, replyRpcFailure } from '../message/failure-reply.ts';
import { hasBody, MCP_PATH, type ReceivedRequest, SESSION_PATH } from './received-request.ts';
import { MAX_BODY_PIECES } from './request-body.ts';
import { challengeFor, type Protection, scopeChallenge } from './well-known.ts';

export interface Refusal {
  readonly code: FailureCode;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RefusedSender {
  readonly isOfUnknown: boolean;
  /** Nothing further is answered on this connection. */
  readonly isLast: boolean;
  /** It came to the authorization server, from a program that reads OAuth's words. */
  readonly isOfOAuth: boolean;
}

export function sendRefusal(received: ReceivedRequest, refusal: Refusal, sender: RefusedSender): void {
  const { code, status, message, headers = {} } = refusal;
  const { request, response } = received;
  const usual = received.path === MCP_PATH ? replyRpcFailure : replyFailure;
  const reply = sender.isOfOAuth ? replyOAuthFailure : usual;
  const isLast = sender.isLast || headers.Connection === 'close';
  // Where the body ends is not known for sure: nothing behind it may be taken for a request.
  const isUnread = leavesBody(received) || (isLast && !request.complete && hasBody(request));
  response.endsConnection = isLast || isUnread;
  reply(received, code, message, {
    status,
    headers: isLast ? { ...headers, Connection: 'close' } : headers,
    unread: isUnread ? request : undefined,
    isOfUnknown: sender.isOfUnknown,
  });
}

/** A short body that is on its way is read, so that the connection can be used again; others are not waited for. */
function leavesBody({ request, awaitsContinue }: ReceivedRequest): boolean {
  if (request.complete || !hasBody(request)) return false;
  return awaitsContinue || !(Number(request.headers['content-length']) <= SHORT_BODY);
}

const SHORT_BODY = 65_536;

const invalid = (status: number, details: string, headers: Readonly<Record<string, string>> = {}): Refusal => ({
  code: 'VALIDATION_ERROR',
  status,
  message: failureOf('VALIDATION_ERROR', { details }).message,
  headers,
});

const denied = (status: number, reason: string): Refusal => ({
  code: 'UNAUTHORIZED',
  status,
  message: failureOf('UNAUTHORIZED', { reason }).message,
});

export const FOREIGN_HOST = denied(403, 'this server does not go by that Host; allow the name with --allow-host');
export const FOREIGN_ORIGIN = denied(403, 'pages of another origin may not call this server');
export const CROSS_SITE = denied(403, 'pages of another site may not call this server');
export const TWO_CREDENTIALS = invalid(400, 'the request has two Authorization headers');
export const NO_HOST = invalid(400, 'the request names no Host');
export const UNKNOWN_EXPECTATION = invalid(417, 'what Expect asks for is not known; only 100-continue is');
export const TWO_HOSTS = invalid(400, 'the request names two Hosts');
export const tooManyHeaders = (most: number): Refusal => invalid(431, `the request has more than ${most} headers`);
export const NO_PATH = invalid(400, 'the target of the request is no path of this server');
export const NO_UPGRADE = invalid(400, 'this server does not change the protocol; ask without Upgrade');
export const NO_BODY_EXPECTED = invalid(400, 'only POST and PUT may have a body');
export const NOT_JSON = invalid(415, 'the body must be JSON; send Content-Type: application/json');
export const NOT_A_FORM = invalid(415, 'the body must be a form; send Content-Type: application/x-www-form-urlencoded');
export const NOT_UTF8 = invalid(400, 'the body is not UTF-8');
export const TOO_MANY_PIECES = invalid(
  400,
  `the body came in more than ${grouped(MAX_BODY_PIECES)} chunks; send it in larger ones, or with Content-Length`,
);
export const ENCODED = invalid(415, 'the body must be sent as it is, without compression');

export const tooLarge = (maxBytes: number): Refusal =>
  invalid(413, `the body is larger than ${grouped(maxBytes)} bytes`);

export const TOO_MANY_VALUES = invalid(
  400,
  `the body has more than ${grouped(MAX_JSON_VALUES)} JSON values (field names count, too); send fewer at once`,
);

export const wrongMethod = (method: string, allow: string): Refusal =>
  invalid(405, `${method} is not possible here; use ${allow}`, { Allow: allow });

/** For a client that sends MCP messages to the address of the server itself. */
export const MCP_IS_ELSEWHERE = invalid(405, 'POST is not possible here; the MCP endpoint is /mcp', {
  Allow: 'GET, HEAD',
});

export const NOTHING_HERE: Refusal = {
  code: 'NOT_FOUND',
  status: 404,
  message: failureOf('NOT_FOUND', { resource: 'there is nothing at this path' }).message,
};

/** One sentence for every kind of bad credential: it says nothing about those that exist. */
const BY_AUTHENTICATION = {
  missing: denied(401, 'a credential is needed; send Authorization: Bearer with a token'),
  bad: denied(401, 'the credential is not valid'),
  unavailable: { code: 'PERSISTENCE_ERROR', status: 503, message: failureOf('PERSISTENCE_ERROR', {}).message },
  'issuer-away': {
    code: 'EXTERNAL_SERVICE_ERROR',
    status: 502,
    message: failureOf('EXTERNAL_SERVICE_ERROR', {}).message,
  },
} as const satisfies Record<AuthenticationFailure, Refusal>;

/** In the word that OAuth has for it, too: people who sign in learn that nothing is wrong with what they typed (N7). */
const SIGN_IN_UNAVAILABLE: Refusal = {
  ...BY_AUTHENTICATION.unavailable,
  headers: { [REASON_HEADER]: 'temporarily_unavailable' },
};

export function notAuthenticated(
  failure: AuthenticationFailure,
  request: IncomingMessage,
  path: string,
  protection: Protection | undefined,
): Refusal {
  if (failure === 'unavailable' && path === SESSION_PATH) return SIGN_IN_UNAVAILABLE;
  const refusal = BY_AUTHENTICATION[failure];
  if (refusal.status !== 401) return refusal;
  return { ...refusal, headers: { 'WWW-Authenticate': challengeFor(request, path, failure === 'bad', protection) } };
}

/** The token of a client is good, but not for this (O5). */
export const insufficientScope = (
  request: IncomingMessage,
  path: string,
  scopes: readonly string[],
  protection: Protection | undefined,
): Refusal => ({
  ...denied(403, `the token of this client is not good for ${scopes.join(' ')}`),
  headers: { 'WWW-Authenticate': scopeChallenge(request, path, scopes, protection) },
});

/** The same whether there is such a user or not (N6). */
export const wrongPassword = (request: IncomingMessage): Refusal => ({
  ...denied(401, 'the email or the password is wrong'),
  headers: { 'WWW-Authenticate': challengeFor(request, SESSION_PATH, true, undefined) },
});

const rateExceeded = (status: number, message: string, headers: Readonly<Record<string, string>>): Refusal => ({
  code: 'RATE_EXCEEDED',
  status,
  message,
  headers,
});

export const tooOften = (seconds: number): Refusal =>
  rateExceeded(429, failureOf('RATE_EXCEEDED', { retry_after: seconds }).message, { 'Retry-After': String(seconds) });

/** Who brings bad credentials on and on has to connect anew for each: what they sent behind it is not looked at. */
export function tooManyGuesses(seconds: number): Refusal {
  const refusal = tooOften(seconds);
  return { ...refusal, headers: { ...refusal.headers, Connection: 'close' } };
}

/** Said on a connection that is closed with it. */
export const TOO_MANY_CONNECTIONS = rateExceeded(
  429,
  'Too many connections: this caller holds half of all there are; close some',
  { 'Retry-After': '1', Connection: 'close' },
);

const RETRY_SECONDS = 5;

/** Other clients send bodies that do not end. */
export const NO_ROOM = rateExceeded(
  503,
  `Too many unfinished bodies are waiting: try again in ${RETRY_SECONDS} seconds`,
  { 'Retry-After': String(RETRY_SECONDS) },
);

export const FAULT: Refusal = {
  code: 'INTERNAL_ERROR',
  status: 500,
  message: failureOf('INTERNAL_ERROR', {}).message,
};
