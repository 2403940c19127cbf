// The way of every request to its route: Host and Origin, shape, who sent it, how often, the body. Whoever comes through
// is an `AdmittedRequest`. Everything happens at once where it can: no promise unless the caller has to be looked up.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Authenticate, Authentication, Credentials } from '../../../identity/authentication.ts';
import { type Caller, userCaller } from '../../../identity/caller.ts';
import { failureOf } from '../../../skills/define/failure.ts';
import { correlationIdOf } from '../../../skills/record/invocation-ids.ts';
import { fail } from '../../../values/result.ts';
import type { AdmittedRequest, CallerLimits } from '../message/admitted-request.ts';
import { MAX_SESSION_BYTES, SESSION_PATH, sessionTokenIn } from '../message/session-token.ts';
import { authenticationRefusal, TOO_MANY_CONNECTIONS, tooOften } from './authentication-refusal.ts';
import type { BodyBudget } from './body-budget.ts';
import { isRemote, type ReadCredentials, sessionCredentials } from './credentials.ts';
import type { GuardedResponse } from './guarded-response.ts';
import type { HostCheck } from './host-header.ts';
import type { FindPublicRoute } from './public-routes.ts';
import type { RateLimit } from './rate-limit.ts';
import { hasBody, MCP_PATH, type ReceivedRequest } from './received-request.ts';
import { type GuardRefusal, sendRefusal } from './refusals.ts';
import { type BodyProblem, type BodyRules, readBody } from './request-body.ts';
import {
  CROSS_SITE,
  doorRefusal,
  isCrossSite,
  isNavigation,
  MCP_IS_ELSEWHERE,
  NO_ROOM,
  NO_SUCH_RESOURCE,
  NOT_UTF8,
  shapeRefusal,
  tooLarge,
  wrongMethod,
} from './request-rules.ts';

/** Where an admitted ends up. */
export interface Endpoint {
  readonly handle: (admitted: AdmittedRequest) => void | Promise<void>;
}

export interface GuardParts {
  readonly hosts: HostCheck;
  readonly readCredentials: ReadCredentials;
  readonly authenticate: Authenticate;
  readonly limit: RateLimit;
  readonly limits: CallerLimits;
  readonly bodies: BodyBudget;
  readonly findPublicRoute: FindPublicRoute;
  readonly mcp: Endpoint;
  readonly api: Endpoint;
  readonly maxBodyBytes: number;
  /** How long somebody may be looked up. */
  readonly lookupMs: number;
  /** Whoever sent this is known. False: they have too many connections. */
  readonly onProven: (socket: Socket, caller: Caller) => boolean;
  readonly onRefused: (received: ReceivedRequest, refusal: GuardRefusal) => void;
  /** Something of ours threw. */
  readonly onFault: (received: ReceivedRequest, fault: unknown) => void;
}

export type Guard = (request: IncomingMessage, response: GuardedResponse, awaitsContinue: boolean) => void;

export function createGuard(parts: GuardParts): Guard {
  return (request, response, awaitsContinue) => {
    const received = receivedFrom(request, response, awaitsContinue);
    response.correlationId = received.correlationId;
    try {
      settle(parts, received, admit(parts, received));
    } catch (fault) {
      answerFault(parts, received, fault);
    }
  };
}

function receivedFrom(request: IncomingMessage, response: GuardedResponse, awaitsContinue: boolean): ReceivedRequest {
  const { url = '' } = request;
  const query = url.indexOf('?');
  return {
    request,
    response,
    path: query === -1 ? url : url.slice(0, query),
    address: request.socket.remoteAddress ?? '',
    remote: isRemote(request),
    correlationId: correlationIdOf(request.headers['x-correlation-id']).id,
    awaitsContinue,
  };
}

/** Answered by the API, whoever asks. */
const READY = '/ready';

/** Nobody we know: may do nothing of their own. */
const NOBODY: Caller = userCaller('');

/** Each step answers why the request goes no further, or takes it on. */
function admit(parts: GuardParts, received: ReceivedRequest): GuardRefusal | undefined {
  const { request, path } = received;
  const refusal = doorRefusal(request, parts.hosts) ?? shapeRefusal(request, path, parts.maxBodyBytes);
  if (refusal !== undefined) return refusal;
  const route = parts.findPublicRoute(path, request);
  // A link may lead to a page; a page of another site may neither ask nor embed.
  if (isCrossSite(request) && !(route !== undefined && isNavigation(request))) return CROSS_SITE;
  if (path === SESSION_PATH) return admitToSession(parts, received);
  if (route === undefined && path !== READY) {
    // Clients look here for descriptions of an authorization server, and for files; that there is none is no secret.
    return NOBODYS.test(path)
      ? NO_SUCH_RESOURCE
      : identify(parts, received, parts.readCredentials(request, received.remote), undefined);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return path === '/' && request.method === 'POST'
      ? MCP_IS_ELSEWHERE
      : wrongMethod(request.method ?? '', 'GET, HEAD');
  }
  if (route === undefined) deliver(parts, received, NOBODY, '');
  else route(received);
  return undefined;
}

const NOBODYS = /^\/(?:\.well-known|assets)\//;

/** Whoever opens a session sends the token in the body; whoever closes one need not be known any more (H5). */
function admitToSession(parts: GuardParts, received: ReceivedRequest): GuardRefusal | undefined {
  if (received.request.method !== 'POST') {
    deliver(parts, received, NOBODY, '');
    return undefined;
  }
  const rules = { maxBytes: MAX_SESSION_BYTES, budget: parts.bodies, caller: NOBODY };
  receive(parts, received, rules, (body) => {
    const token = sessionTokenIn(body);
    // What is wrong with it is the API's to say.
    if (token === undefined) deliver(parts, received, NOBODY, body);
    else settle(parts, received, identify(parts, received, sessionCredentials(token, received.remote), body));
  });
  return undefined;
}

/** `body`: if it was read already. */
function identify(
  parts: GuardParts,
  received: ReceivedRequest,
  credentials: Credentials | 'malformed',
  body: string | undefined,
): GuardRefusal | undefined {
  const isMalformed = credentials === 'malformed';
  const token = isMalformed ? undefined : credentials.token;
  if (isMalformed || token !== undefined) {
    const wait = parts.limit.guessWait(received, token);
    if (wait !== undefined) return tooOften(wait);
  }
  const found = isMalformed ? fail('bad' as const) : parts.authenticate(credentials);
  if (!(found instanceof Promise)) return conclude(parts, received, { token, body, found });
  withDeadline(found, parts.lookupMs)
    .then((known) => settle(parts, received, conclude(parts, received, { token, body, found: known })))
    .catch((fault: unknown) => answerFault(parts, received, fault));
  return undefined;
}

/** A database that hangs is one that is not there (H6). */
function withDeadline(found: Promise<Authentication>, milliseconds: number): Promise<Authentication> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(fail('unavailable')), milliseconds);
    found.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

interface Known {
  readonly token: string | undefined;
  readonly body: string | undefined;
  readonly found: Authentication;
}

function conclude(
  parts: GuardParts,
  received: ReceivedRequest,
  { token, body, found }: Known,
): GuardRefusal | undefined {
  const { request } = received;
  if (!found.ok) {
    if (found.failure === 'bad') parts.limit.noteBad(received, token);
    return authenticationRefusal(found.failure, request, received.path);
  }
  if (token !== undefined) parts.limit.noteGood(token);
  const caller = found.value;
  if (!parts.onProven(request.socket, caller)) return TOO_MANY_CONNECTIONS;
  const wait = parts.limit.take(caller);
  if (wait !== undefined) return tooOften(wait);
  if (body === undefined && hasBody(request)) {
    const rules = { maxBytes: parts.maxBodyBytes, budget: parts.bodies, caller };
    receive(parts, received, rules, (read) => deliver(parts, received, caller, read));
  } else deliver(parts, received, caller, body ?? '');
  return undefined;
}

function receive(parts: GuardParts, received: ReceivedRequest, rules: BodyRules, onBody: (body: string) => void): void {
  if (received.awaitsContinue) received.response.writeContinue();
  const taken = (body: string) => {
    try {
      onBody(body);
    } catch (fault) {
      answerFault(parts, received, fault);
    }
  };
  readBody(received.request, rules, taken, (problem) =>
    settle(parts, received, BODY_REFUSALS[problem](rules.maxBytes)),
  );
}

const BODY_REFUSALS = {
  'too-large': tooLarge,
  'no-room': () => NO_ROOM,
  'not-utf8': () => NOT_UTF8,
} as const satisfies Record<BodyProblem, (maxBytes: number) => GuardRefusal>;

function deliver(parts: GuardParts, received: ReceivedRequest, caller: Caller, body: string): void {
  const { request, response, path, remote, correlationId } = received;
  const endpoint = path === MCP_PATH ? parts.mcp : parts.api;
  try {
    const going = endpoint.handle({
      request,
      response,
      path,
      caller,
      remote,
      correlationId,
      body,
      limits: parts.limits,
    });
    if (going !== undefined) going.catch((fault: unknown) => answerFault(parts, received, fault));
  } catch (fault) {
    answerFault(parts, received, fault);
  }
}

function settle(parts: GuardParts, received: ReceivedRequest, refusal: GuardRefusal | undefined): void {
  if (refusal === undefined) return;
  parts.onRefused(received, refusal);
  sendRefusal(received, refusal);
}

const FAULT: GuardRefusal = { code: 'INTERNAL_ERROR', status: 500, message: failureOf('INTERNAL_ERROR', {}).message };

function answerFault(parts: GuardParts, received: ReceivedRequest, fault: unknown): void {
  parts.onFault(received, fault);
  if (!received.response.writableEnded) sendRefusal(received, FAULT);
}
