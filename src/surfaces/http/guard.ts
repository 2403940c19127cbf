// The way of every request to its route: Host and Origin, shape, who sent it, how often, the body. Whoever comes through
// is an `Exchange`. Everything happens at once where it can: no promise unless the caller has to be looked up.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Authenticate, Authentication, Credentials } from '../../identity/authentication.ts';
import { type Caller, userCaller } from '../../identity/caller.ts';
import { failureOf } from '../../skills/define/failure.ts';
import { correlationIdOf } from '../../skills/record/invocation-ids.ts';
import { fail } from '../../values/result.ts';
import type { Allowance } from './allowance.ts';
import type { HostCheck } from './allowed-hosts.ts';
import { authenticationRefusal, TOO_MANY_CONNECTIONS, tooOften } from './authentication-refusal.ts';
import type { BodyBudget } from './body-budget.ts';
import { isRemote, type ReadCredentials, sessionCredentials } from './credentials.ts';
import type { Exchange } from './exchange.ts';
import { type GuardRefusal, sendRefusal } from './guard-refusal.ts';
import type { FindPublicRoute } from './public-routes.ts';
import type { RateLimit } from './rate-limit.ts';
import { type BodyProblem, type BodyRules, readBody } from './read-body.ts';
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
import type { GuardedResponse } from './security-headers.ts';
import { MAX_SESSION_BYTES, SESSION_PATH, sessionTokenIn } from './session-token.ts';
import { hasBody, MCP_PATH, type Visit } from './visit.ts';

/** Where an exchange ends up. */
export interface Endpoint {
  readonly handle: (exchange: Exchange) => void | Promise<void>;
}

export interface GuardParts {
  readonly hosts: HostCheck;
  readonly readCredentials: ReadCredentials;
  readonly authenticate: Authenticate;
  readonly limit: RateLimit;
  readonly allowance: Allowance;
  readonly bodies: BodyBudget;
  readonly findPublicRoute: FindPublicRoute;
  readonly mcp: Endpoint;
  readonly api: Endpoint;
  readonly maxBodyBytes: number;
  /** How long somebody may be looked up. */
  readonly lookupMs: number;
  /** Whoever sent this is known. False: they have too many connections. */
  readonly onProven: (socket: Socket, caller: Caller) => boolean;
  readonly onRefused: (visit: Visit, refusal: GuardRefusal) => void;
  /** Something of ours threw. */
  readonly onFault: (visit: Visit, fault: unknown) => void;
}

export type Guard = (request: IncomingMessage, response: GuardedResponse, awaitsContinue: boolean) => void;

export function createGuard(parts: GuardParts): Guard {
  return (request, response, awaitsContinue) => {
    const visit = visitOf(request, response, awaitsContinue);
    response.correlationId = visit.correlationId;
    try {
      settle(parts, visit, admit(parts, visit));
    } catch (fault) {
      answerFault(parts, visit, fault);
    }
  };
}

function visitOf(request: IncomingMessage, response: GuardedResponse, awaitsContinue: boolean): Visit {
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
function admit(parts: GuardParts, visit: Visit): GuardRefusal | undefined {
  const { request, path } = visit;
  const refusal = doorRefusal(request, parts.hosts) ?? shapeRefusal(request, path, parts.maxBodyBytes);
  if (refusal !== undefined) return refusal;
  const route = parts.findPublicRoute(path, request);
  // A link may lead to a page; a page of another site may neither ask nor embed.
  if (isCrossSite(request) && !(route !== undefined && isNavigation(request))) return CROSS_SITE;
  if (path === SESSION_PATH) return admitToSession(parts, visit);
  if (route === undefined && path !== READY) {
    // Clients look here for descriptions of an authorization server, and for files; that there is none is no secret.
    return NOBODYS.test(path)
      ? NO_SUCH_RESOURCE
      : identify(parts, visit, parts.readCredentials(request, visit.remote), undefined);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return path === '/' && request.method === 'POST'
      ? MCP_IS_ELSEWHERE
      : wrongMethod(request.method ?? '', 'GET, HEAD');
  }
  if (route === undefined) deliver(parts, visit, NOBODY, '');
  else route(visit);
  return undefined;
}

const NOBODYS = /^\/(?:\.well-known|assets)\//;

/** Whoever opens a session sends the token in the body; whoever closes one need not be known any more (H5). */
function admitToSession(parts: GuardParts, visit: Visit): GuardRefusal | undefined {
  if (visit.request.method !== 'POST') {
    deliver(parts, visit, NOBODY, '');
    return undefined;
  }
  const rules = { maxBytes: MAX_SESSION_BYTES, budget: parts.bodies, caller: NOBODY };
  receive(parts, visit, rules, (body) => {
    const token = sessionTokenIn(body);
    // What is wrong with it is the API's to say.
    if (token === undefined) deliver(parts, visit, NOBODY, body);
    else settle(parts, visit, identify(parts, visit, sessionCredentials(token, visit.remote), body));
  });
  return undefined;
}

/** `body`: if it was read already. */
function identify(
  parts: GuardParts,
  visit: Visit,
  credentials: Credentials | 'malformed',
  body: string | undefined,
): GuardRefusal | undefined {
  const isMalformed = credentials === 'malformed';
  const token = isMalformed ? undefined : credentials.token;
  if (isMalformed || token !== undefined) {
    const wait = parts.limit.guessWait(visit, token);
    if (wait !== undefined) return tooOften(wait);
  }
  const found = isMalformed ? fail('bad' as const) : parts.authenticate(credentials);
  if (!(found instanceof Promise)) return conclude(parts, visit, { token, body, found });
  withDeadline(found, parts.lookupMs)
    .then((known) => settle(parts, visit, conclude(parts, visit, { token, body, found: known })))
    .catch((fault: unknown) => answerFault(parts, visit, fault));
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

function conclude(parts: GuardParts, visit: Visit, { token, body, found }: Known): GuardRefusal | undefined {
  const { request } = visit;
  if (!found.ok) {
    if (found.failure === 'bad') parts.limit.noteBad(visit, token);
    return authenticationRefusal(found.failure, request, visit.path);
  }
  if (token !== undefined) parts.limit.noteGood(token);
  const caller = found.value;
  if (!parts.onProven(request.socket, caller)) return TOO_MANY_CONNECTIONS;
  const wait = parts.limit.take(caller);
  if (wait !== undefined) return tooOften(wait);
  if (body === undefined && hasBody(request)) {
    const rules = { maxBytes: parts.maxBodyBytes, budget: parts.bodies, caller };
    receive(parts, visit, rules, (read) => deliver(parts, visit, caller, read));
  } else deliver(parts, visit, caller, body ?? '');
  return undefined;
}

function receive(parts: GuardParts, visit: Visit, rules: BodyRules, onBody: (body: string) => void): void {
  if (visit.awaitsContinue) visit.response.writeContinue();
  const taken = (body: string) => {
    try {
      onBody(body);
    } catch (fault) {
      answerFault(parts, visit, fault);
    }
  };
  readBody(visit.request, rules, taken, (problem) => settle(parts, visit, BODY_REFUSALS[problem](rules.maxBytes)));
}

const BODY_REFUSALS = {
  'too-large': tooLarge,
  'no-room': () => NO_ROOM,
  'not-utf8': () => NOT_UTF8,
} as const satisfies Record<BodyProblem, (maxBytes: number) => GuardRefusal>;

function deliver(parts: GuardParts, visit: Visit, caller: Caller, body: string): void {
  const { request, response, path, remote, correlationId } = visit;
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
      allowance: parts.allowance,
    });
    if (going !== undefined) going.catch((fault: unknown) => answerFault(parts, visit, fault));
  } catch (fault) {
    answerFault(parts, visit, fault);
  }
}

function settle(parts: GuardParts, visit: Visit, refusal: GuardRefusal | undefined): void {
  if (refusal === undefined) return;
  parts.onRefused(visit, refusal);
  sendRefusal(visit, refusal);
}

const FAULT: GuardRefusal = { code: 'INTERNAL_ERROR', status: 500, message: failureOf('INTERNAL_ERROR', {}).message };

function answerFault(parts: GuardParts, visit: Visit, fault: unknown): void {
  parts.onFault(visit, fault);
  if (!visit.response.writableEnded) sendRefusal(visit, FAULT);
}
