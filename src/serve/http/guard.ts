// The way of every request to its route: Host and Origin, shape, who sent it, how often, the body. Whoever comes through
// is an `Exchange`. Everything happens at once where it can: no promise unless the caller has to be looked up.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { correlationIdOf } from '../../execution/call-ids.ts';
import { failureOf } from '../../execution/failure.ts';
import type { Authenticate, Authentication } from '../../identity/authentication.ts';
import { type Caller, userCaller } from '../../identity/caller.ts';
import { fail } from '../../result.ts';
import type { HostCheck } from './allowed-hosts.ts';
import { authenticationRefusal, tooOften } from './authentication-refusal.ts';
import { credentialsOf, isRemote } from './credentials.ts';
import type { Exchange } from './exchange.ts';
import type { PublicRoute } from './public-routes.ts';
import type { RateLimit } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { hasBody, MCP_PATH, type Refusal, refuse, type Visit } from './refusal.ts';
import { doorRefusal, NO_SUCH_RESOURCE, NOT_UTF8, shapeRefusal, tooLarge, wrongMethod } from './request-rules.ts';
import type { GuardedResponse } from './security-headers.ts';

/** Where an exchange ends up. */
export interface Endpoint {
  readonly handle: (exchange: Exchange) => void | Promise<void>;
}

export interface GuardParts {
  readonly hosts: HostCheck;
  readonly authenticate: Authenticate;
  readonly limit: RateLimit;
  readonly publicRoutes: ReadonlyMap<string, PublicRoute>;
  readonly mcp: Endpoint;
  readonly api: Endpoint;
  readonly maxBodyBytes: number;
  /** How long somebody may be looked up. */
  readonly lookupMs: number;
  /** Whoever sent this is known. */
  readonly onProven: (socket: Socket) => void;
  readonly onRefused: (visit: Visit, refusal: Refusal) => void;
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
function admit(parts: GuardParts, visit: Visit): Refusal | undefined {
  const { request, path } = visit;
  const refusal = doorRefusal(request, parts.hosts) ?? shapeRefusal(request, path, parts.maxBodyBytes);
  if (refusal !== undefined) return refusal;
  const route = parts.publicRoutes.get(path);
  if (route === undefined && path !== READY) return identify(parts, visit);
  if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod(request.method ?? '', 'GET, HEAD');
  if (route === undefined) deliver(parts, visit, NOBODY, '');
  else route(visit);
  return undefined;
}

function identify(parts: GuardParts, visit: Visit): Refusal | undefined {
  // Clients look for descriptions of an authorization server here; that there is none is no secret.
  if (visit.path.startsWith('/.well-known/')) return NO_SUCH_RESOURCE;
  const credentials = credentialsOf(visit.request);
  const isMalformed = credentials === 'malformed';
  const token = isMalformed ? undefined : credentials.token;
  if (isMalformed || token !== undefined) {
    const wait = parts.limit.guessWait(visit, token);
    if (wait !== undefined) return tooOften(wait);
  }
  const found = isMalformed ? fail('bad' as const) : parts.authenticate(credentials);
  if (!(found instanceof Promise)) return conclude(parts, visit, token, found);
  withDeadline(found, parts.lookupMs)
    .then((known) => settle(parts, visit, conclude(parts, visit, token, known)))
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

function conclude(
  parts: GuardParts,
  visit: Visit,
  token: string | undefined,
  found: Authentication,
): Refusal | undefined {
  const { request } = visit;
  if (!found.ok) {
    if (found.failure === 'bad') parts.limit.noteBad(visit, token);
    return authenticationRefusal(found.failure, request, visit.path);
  }
  if (token !== undefined) parts.limit.noteGood(token);
  parts.onProven(request.socket);
  const wait = parts.limit.take(found.value);
  if (wait !== undefined) return tooOften(wait);
  if (hasBody(request)) receive(parts, visit, found.value);
  else deliver(parts, visit, found.value, '');
  return undefined;
}

function receive(parts: GuardParts, visit: Visit, caller: Caller): void {
  if (visit.awaitsContinue) visit.response.writeContinue();
  readBody(
    visit.request,
    parts.maxBodyBytes,
    (body) => deliver(parts, visit, caller, body),
    (problem) => settle(parts, visit, problem === 'not-utf8' ? NOT_UTF8 : tooLarge(parts.maxBodyBytes)),
  );
}

function deliver(parts: GuardParts, visit: Visit, caller: Caller, body: string): void {
  const { request, response, path, remote, correlationId } = visit;
  const endpoint = path === MCP_PATH ? parts.mcp : parts.api;
  try {
    const going = endpoint.handle({ request, response, path, caller, remote, correlationId, body });
    if (going !== undefined) going.catch((fault: unknown) => answerFault(parts, visit, fault));
  } catch (fault) {
    answerFault(parts, visit, fault);
  }
}

function settle(parts: GuardParts, visit: Visit, refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  parts.onRefused(visit, refusal);
  refuse(visit, refusal);
}

const FAULT: Refusal = { code: 'INTERNAL_ERROR', status: 500, message: failureOf('INTERNAL_ERROR', {}).message };

function answerFault(parts: GuardParts, visit: Visit, fault: unknown): void {
  parts.onFault(visit, fault);
  if (!visit.response.writableEnded) refuse(visit, FAULT);
}
