// What every request goes through before its route, as a list of steps. Whatever gets through is an `AdmittedRequest`.
// Steps answer at once where they can: there is a promise only for a body, for a lookup and for a session that is new to us.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { within } from '../../../async/within.ts';
import type { Authenticate, Authentication } from '../../../identity/authentication.ts';
import { type Caller, userCaller } from '../../../identity/caller.ts';
import { fail } from '../../../values/result.ts';
import { ROOM_RETRY_SECONDS } from '../../streams/unread-answers.ts';
import type { AdmittedRequest, CallerLimits } from '../message/admitted-request.ts';
import { sessionTokenIn } from '../message/dashboard-session.ts';
import type { FindClientAddress } from './client-address.ts';
import { type FoundCredentials, type ReadCredentials, sessionCredentials } from './credentials.ts';
import type { GuardedResponse } from './guarded-response.ts';
import type { HostCheck } from './host-header.ts';
import type { FindPublicRoute } from './public-routes.ts';
import type { RateLimit } from './rate-limit.ts';
import { hasBody, MCP_PATH, type ReceivedRequest, toReceived } from './received-request.ts';
import * as refusals from './refusals.ts';
import { type BodyBudget, type BodyProblem, readBody } from './request-body.ts';
import { headersRefusal, isCrossSite, isNavigation, senderRefusal, shapeRefusal } from './request-rules.ts';

/** Where an admitted request ends up. */
export interface Endpoint {
  readonly handle: (admitted: AdmittedRequest) => void | Promise<void>;
}

export interface GuardParts {
  readonly findClientAddress: FindClientAddress;
  readonly hosts: HostCheck;
  readonly readCredentials: ReadCredentials;
  readonly authenticate: Authenticate;
  readonly rate: RateLimit;
  readonly limits: CallerLimits;
  /** They leave more of their answers unread than is theirs. */
  readonly hasUnread: (caller: Caller) => boolean;
  readonly bodies: BodyBudget;
  readonly findPublicRoute: FindPublicRoute;
  readonly mcp: Endpoint;
  readonly api: Endpoint;
  readonly maxBodyBytes: number;
  /** How long looking up a caller may take. */
  readonly lookupMs: number;
  /** The caller on this connection is known. False: they have too many connections. */
  readonly onProven: (socket: Socket, caller: Caller) => boolean;
  /** Someone unknown was refused on it. True: that happened so often that it ends with this. */
  readonly isWornOut: (socket: Socket) => boolean;
  readonly onRefused: (received: ReceivedRequest, refusal: refusals.Refusal) => void;
  /** Something of ours threw. */
  readonly onFault: (received: ReceivedRequest, fault: unknown) => void;
}

export type Guard = (request: IncomingMessage, response: GuardedResponse, awaitsContinue: boolean) => void;

export function createGuard(parts: GuardParts): Guard {
  return (request, response, awaitsContinue) => {
    const received = toReceived(request, response, awaitsContinue, parts.findClientAddress);
    response.correlationId = received.correlationId;
    goThrough({ received, credentials: undefined, caller: UNKNOWN_CALLER, body: undefined }, parts);
  };
}

/** A request on its way, and what the steps have found out about it. */
interface GuardedRequest {
  readonly received: ReceivedRequest;
  credentials: FoundCredentials | undefined;
  caller: Caller;
  /** Absent: it has not been read. */
  body: string | undefined;
}

/** Before a credential was checked, and where none is needed: may do nothing of their own. */
const UNKNOWN_CALLER: Caller = userCaller('');

/** What a step decided. `taken`: it is being answered; no further step sees it. */
type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly refusal: refusals.Refusal };

const PASS: Verdict = { kind: 'pass' };
const TAKEN: Verdict = { kind: 'taken' };
const refuse = (refusal: refusals.Refusal): Verdict => ({ kind: 'refused', refusal });
const refuseIf = (refusal: refusals.Refusal | undefined): Verdict => (refusal === undefined ? PASS : refuse(refusal));

type Step = (guarded: GuardedRequest, parts: GuardParts) => Verdict | Promise<Verdict>;

const STEPS: readonly Step[] = [
  checkHeaders,
  checkSender,
  checkShape,
  checkSite,
  answerWithoutCaller,
  readSessionToken,
  readCredentials,
  identify,
  limitConnections,
  limitRequests,
  takeBody,
  limitUnread,
  deliver,
];

function goThrough(guarded: GuardedRequest, parts: GuardParts, from = 0): void {
  const fault = (error: unknown) => answerFault(guarded.received, parts, error);
  try {
    for (let at = from; at < STEPS.length; at += 1) {
      const verdict = STEPS[at]?.(guarded, parts) ?? PASS;
      if (verdict instanceof Promise) {
        const goOn = (later: Verdict) => applyVerdict(later, guarded, parts) && goThrough(guarded, parts, at + 1);
        return void verdict.then(goOn).catch(fault);
      }
      if (!applyVerdict(verdict, guarded, parts)) return;
    }
  } catch (error) {
    fault(error);
  }
}

/** Answers a request that was refused. True: it goes on to the next step. */
function applyVerdict(verdict: Verdict, guarded: GuardedRequest, { onRefused, isWornOut }: GuardParts): boolean {
  if (verdict.kind === 'refused') {
    const { received, caller } = guarded;
    const isOfUnknown = caller === UNKNOWN_CALLER;
    onRefused(received, verdict.refusal);
    const isLast = isOfUnknown && isWornOut(received.request.socket);
    refusals.sendRefusal(received, verdict.refusal, { isOfUnknown, isLast });
  }
  return verdict.kind === 'pass';
}

function answerFault(received: ReceivedRequest, { onFault }: GuardParts, fault: unknown): void {
  onFault(received, fault);
  if (received.response.writableEnded) return;
  refusals.sendRefusal(received, refusals.FAULT, { isOfUnknown: false, isLast: false });
}

/** How many there are: whether all of them are here. */
function checkHeaders({ received: { request } }: GuardedRequest): Verdict {
  return refuseIf(headersRefusal(request));
}

/** Host and Origin: whether it was meant for us, and not sent by a page of another origin (H4). */
function checkSender({ received: { request } }: GuardedRequest, { hosts }: GuardParts): Verdict {
  return refuseIf(senderRefusal(request, hosts));
}

/** Target, method, and kind and size of the body. */
function checkShape({ received: { request, path } }: GuardedRequest, { maxBodyBytes }: GuardParts): Verdict {
  return refuseIf(shapeRefusal(request, path, maxBodyBytes));
}

/** A link may lead to a page; a page of another site may neither ask nor embed. */
function checkSite({ received: { request, path } }: GuardedRequest, { findPublicRoute }: GuardParts): Verdict {
  if (!isCrossSite(request)) return PASS;
  const isLink = isNavigation(request) && findPublicRoute(path, request) !== undefined;
  return isLink ? PASS : refuse(refusals.CROSS_SITE);
}

const SESSION_PATH = '/api/session';
/** Answered by the API, without a credential. */
const READY = '/ready';
/** Clients look here for an authorization server and for files; that there is none is no secret. */
const OPEN_FOLDERS = /^\/(?:\.well-known|assets)\//;

/** What is answered without asking for a credential. */
function answerWithoutCaller(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  const { received } = guarded;
  const { request, path } = received;
  // Closing a session needs no credential: the one that came may be over (H5).
  if (path === SESSION_PATH) return request.method === 'POST' ? PASS : deliver(guarded, parts);
  const route = parts.findPublicRoute(path, request);
  if (route === undefined && path !== READY) return OPEN_FOLDERS.test(path) ? refuse(refusals.NOTHING_HERE) : PASS;
  const { method = '' } = request;
  if (method === 'GET' || method === 'HEAD') {
    if (route === undefined) return deliver(guarded, parts);
    route(received);
    return TAKEN;
  }
  const isMcp = path === '/' && method === 'POST';
  return refuse(isMcp ? refusals.MCP_IS_ELSEWHERE : refusals.wrongMethod(method, 'GET, HEAD'));
}

/** A token has at most 4 KB, and its sender is not known yet. */
const MAX_SESSION_BYTES = 8_192;

/** Opening a session: the token is in the body, the one credential that comes neither in a header nor in a cookie (H5). */
function readSessionToken(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  return guarded.received.path === SESSION_PATH ? takeSessionToken(guarded, parts) : PASS;
}

async function takeSessionToken(guarded: GuardedRequest, parts: GuardParts): Promise<Verdict> {
  const read = await readBodyOf(guarded, parts, MAX_SESSION_BYTES);
  if (read.kind !== 'pass') return read;
  const token = sessionTokenIn(guarded.body ?? '');
  // What is wrong with it is the API's to say.
  if (token === undefined) return deliver(guarded, parts);
  guarded.credentials = sessionCredentials(token, guarded.received.remote);
  return PASS;
}

function readCredentials(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  if (guarded.credentials !== undefined) return PASS;
  const { request, remote } = guarded.received;
  const keep = (found: FoundCredentials): Verdict => {
    guarded.credentials = found;
    return PASS;
  };
  const found = parts.readCredentials(request, remote);
  return found instanceof Promise ? found.then(keep) : keep(found);
}

const BAD: Authentication = fail('bad');
const UNAVAILABLE: Authentication = fail('unavailable');

function identify(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  const { credentials } = guarded;
  if (credentials === undefined || credentials === 'malformed') return admitCaller(guarded, parts, BAD);
  const found = parts.authenticate(credentials);
  if (!(found instanceof Promise)) return admitCaller(guarded, parts, found);
  // A database that hangs counts as one that is away (H6).
  return within(found, parts.lookupMs, () => UNAVAILABLE).then((known) => admitCaller(guarded, parts, known));
}

/**
 * Who brings a good credential is let in, whatever others at the same address tried: behind a proxy everyone has one address.
 * Only those wait that brought a bad one.
 */
function admitCaller(guarded: GuardedRequest, { rate }: GuardParts, found: Authentication): Verdict {
  if (found.ok) {
    guarded.caller = found.value;
    return PASS;
  }
  const { received } = guarded;
  const wait = found.failure === 'bad' ? rate.noteBad(received) : undefined;
  if (wait !== undefined) return refuse(refusals.tooManyGuesses(wait));
  return refuse(refusals.notAuthenticated(found.failure, received.request, received.path));
}

function limitConnections({ received, caller }: GuardedRequest, { onProven }: GuardParts): Verdict {
  return onProven(received.request.socket, caller) ? PASS : refuse(refusals.TOO_MANY_CONNECTIONS);
}

function limitRequests({ caller }: GuardedRequest, { rate }: GuardParts): Verdict {
  const wait = rate.take(caller);
  return wait === undefined ? PASS : refuse(refusals.tooOften(wait));
}

function takeBody(guarded: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  if (guarded.body !== undefined || !hasBody(guarded.received.request)) return PASS;
  return readBodyOf(guarded, parts, parts.maxBodyBytes);
}

/** Right before it is begun: what was admitted together and had to wait for its body is counted one after the other. */
function limitUnread({ caller }: GuardedRequest, { hasUnread }: GuardParts): Verdict {
  return hasUnread(caller) ? refuse(refusals.tooOften(ROOM_RETRY_SECONDS)) : PASS;
}

async function readBodyOf(guarded: GuardedRequest, { bodies }: GuardParts, maxBytes: number): Promise<Verdict> {
  const { request, response, awaitsContinue } = guarded.received;
  if (awaitsContinue) response.writeContinue();
  const read = await readBody(request, { maxBytes, budget: bodies, caller: guarded.caller });
  if (!read.ok) return refuse(BODY_REFUSALS[read.failure](maxBytes));
  guarded.body = read.value;
  return PASS;
}

const BODY_REFUSALS = {
  'too-large': refusals.tooLarge,
  'too-many-pieces': () => refusals.TOO_MANY_PIECES,
  'no-room': () => refusals.NO_ROOM,
  'not-utf8': () => refusals.NOT_UTF8,
  'too-many-values': () => refusals.TOO_MANY_VALUES,
} as const satisfies Record<BodyProblem, (maxBytes: number) => refusals.Refusal>;

function deliver({ received, caller, body = '' }: GuardedRequest, parts: GuardParts): Verdict | Promise<Verdict> {
  const { request, response, path, remote, correlationId } = received;
  const endpoint = path === MCP_PATH ? parts.mcp : parts.api;
  const { limits } = parts;
  const onFault = (fault: unknown) => parts.onFault(received, fault);
  const going = endpoint.handle({ request, response, path, caller, remote, correlationId, body, limits, onFault });
  return going === undefined ? TAKEN : going.then(() => TAKEN);
}
