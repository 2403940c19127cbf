// The HTTP server of `repertoire serve`: node:http with its limits, the guard before every route, and a clean stop (F10, F11).
import { createServer, IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { keptPromise } from '../../../async/kept-promise.ts';
import { monotonicMs } from '../../../async/monotonic-clock.ts';
import type { Authenticate, SignIn } from '../../../identity/authentication.ts';
import type { DashboardSessions } from '../../../identity/dashboard-sessions.ts';
import type { RateWindow } from '../../../limits/rate-window.ts';
import { describeError } from '../../../skills/record/describe-error.ts';
import type { RuntimeLog } from '../../../skills/record/runtime-log.ts';
import { withoutCredentials } from '../../../text/credentials.ts';
import type { IpRange } from '../../../values/ip-address.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { ANSWER_LIMITS, type AnswerLimits, createAnswerBudget } from './answer-budget.ts';
import { createCallerLimits, STREAM_LIMITS, type StreamLimits } from './caller-limits.ts';
import { createFindClientAddress } from './client-address.ts';
import { answerClientError, refuseConnect } from './client-error.ts';
import { type Connections, createConnections } from './connections.ts';
import { createCredentialWatch } from './credential-watch.ts';
import { createCredentialsReader } from './credentials.ts';
import { createGuard, type Guard } from './guard.ts';
import type { ApiEndpoint, Endpoint, ObserveRequest } from './guard-step.ts';
import { GuardedResponse } from './guarded-response.ts';
import { createHostCheck } from './host-header.ts';
import { createLargeBodies } from './large-bodies.ts';
import { type ListenWords, listen, stopServer, urlOf } from './listen.ts';
import type { OAuthDoor } from './oauth-door.ts';
import { createPublicRoutes, type WebFiles } from './public-routes.ts';
import { createRateLimit } from './rate-limit.ts';
import { createRefusalLog, type RefusalLog } from './refusal-log.ts';
import { BODY_LIMITS, type BodyLimits, createBodyBudget, MAX_BODY_BYTES } from './request-body.ts';
import { HEADERS_PARSED } from './request-rules.ts';

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** For the sentence that says why it cannot listen. */
  readonly listenWords?: ListenWords | undefined;
  /** Names, beside those of this machine, that a Host header may hold. */
  readonly allowHosts: readonly string[];
  /** Where the proxies are whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly IpRange[];
  readonly authenticate: Authenticate;
  /** With email and password; without it no session is opened so. */
  readonly signIn?: SignIn;
  /** Tells that credentials have changed, here or elsewhere: what is held open by one that is good no longer ends at once. */
  readonly onNews?: (listener: () => void) => void;
  readonly sessions: Pick<DashboardSessions, 'unseal'>;
  /** Absent: no client is let in by OAuth. */
  readonly oauth?: OAuthDoor | undefined;
  readonly mcp: Endpoint & { readonly close: () => Promise<void> };
  readonly api: ApiEndpoint & { readonly close?: () => void };
  /** Of one agent or user; the operator has no limit (H5). */
  readonly requestsPerMinute: number | undefined;
  /** Where requests and bad credentials are counted. */
  readonly window: RateWindow;
  /** Anybody may read the index of shared skills (S6). */
  readonly hasPublicIndex?: boolean;
  readonly log: RuntimeLog;
  /** Of the dashboard, by their path in an address; none where it was not built. */
  readonly webFiles?: WebFiles;
  /** After every request: its status, 499 where the client left before there was one. */
  readonly onRequest?: (status: number) => void;
  /** For telemetry: sees every request when it has come. */
  readonly observe?: ObserveRequest | undefined;
  /** Only tests change these. */
  readonly limits?: Partial<ServerLimits>;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  readonly connections: () => number;
  /** Running requests may end; everything is closed after 8 s at the latest. */
  readonly close: () => Promise<void>;
}

interface ServerLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** One caller may hold half of them. */
  readonly connections: number;
  readonly unproven: number;
  readonly streams: StreamLimits;
  readonly bodies: BodyLimits;
  readonly answers: AnswerLimits;
  /** How often the credentials of open streams and sessions are looked at again. */
  readonly recheckMs: number;
  /** An answer of which nothing is taken for this long ends its connection. */
  readonly stallMs: number;
  /** What needs the database says so within 2 s (H6). */
  readonly lookupMs: number;
  /** How long running requests may go on after `close`. */
  readonly graceMs: number;
}

const LIMITS: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 30_000,
  headerBytes: 16_384,
  bodyBytes: MAX_BODY_BYTES,
  // Half of it, which one caller may hold, is more than the 500 at once that all get an answer (F10).
  connections: 1_200,
  unproven: 500,
  streams: STREAM_LIMITS,
  bodies: BODY_LIMITS,
  answers: ANSWER_LIMITS,
  // A revoked token is refused everywhere within ten seconds. A look may get an answer that is a second old.
  recheckMs: 5_000,
  // The system takes megabytes for a slow reader, and room for more is seen only when a third of them are gone: at 25 KB a
  // second that is up to a minute. What a connection holds meanwhile is its caller's own share.
  stallMs: 60_000,
  // After the store has said that it is away (1.7 s at most): then what is remembered of a caller counts. Before two seconds (H6).
  lookupMs: 1_800,
  graceMs: 5_000,
};

/** Within the time after which an answer that nobody takes is dropped: it is late by a quarter of it at most. */
const SWEEPS = 4;

/** Closes `api` and `mcp` when it is closed, and when it cannot listen. */
export async function startHttpServer(options: HttpServerOptions): Promise<Result<HttpServer, string>> {
  const limits = { ...LIMITS, ...options.limits };
  const connections = createConnections({ ...limits, monotonicMs });
  const server = createNodeServer(options, limits, connections);
  const opened = await listen(server, options);
  if (!opened.ok) {
    await closeEndpoints(options);
    return opened;
  }
  const sweeping = setInterval(connections.sweep, limits.stallMs / SWEEPS).unref();
  const url = urlOf(options.host, opened.value);
  options.log({ level: 'info', message: 'The HTTP server listens', url });
  const stop = keptPromise(async () => {
    await stopServer({
      server,
      connections,
      closeStreams: () => closeEndpoints(options),
      graceMs: limits.graceMs,
    });
    clearInterval(sweeping);
    options.log({ level: 'info', message: 'The HTTP server has stopped', url });
  });
  return ok({ url, port: opened.value, connections: () => connections.size, close: stop.get });
}

function closeEndpoints({ api, mcp }: Pick<HttpServerOptions, 'api' | 'mcp'>): Promise<void> {
  api.close?.();
  return mcp.close();
}

/** Time limits are looked at this often; Node's own rhythm is half a minute. */
const CHECK_MS = 1_000;

function createNodeServer(options: HttpServerOptions, limits: ServerLimits, connections: Connections) {
  const server = createServer({
    IncomingMessage,
    ServerResponse: GuardedResponse,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
    maxHeaderSize: limits.headerBytes,
    // Whatever NODE_OPTIONS says: where one header ends is not a matter of taste.
    insecureHTTPParser: false,
    // The guard refuses it with a sentence; Node would with none.
    requireHostHeader: false,
  });
  server.maxHeadersCount = HEADERS_PARSED;
  server.maxConnections = limits.connections;
  attach(server, options, limits, connections);
  return server;
}

type GuardedServer = Server<typeof IncomingMessage, typeof GuardedResponse>;

function attach(server: GuardedServer, options: HttpServerOptions, limits: ServerLimits, connections: Connections) {
  const refusals = createRefusalLog(options.log, monotonicMs);
  const guard = createServerGuard(options, limits, connections, refusals);
  const measure = options.onRequest === undefined ? undefined : measuring(options.onRequest);
  const isLast = () => !server.listening;
  const receive: Guard = (request, response, awaitsContinue) => {
    connections.inTurn(request.socket, response, () => {
      response.isLast = isLast;
      measure?.(response);
      guard(request, response, awaitsContinue);
    });
  };
  server.on('request', (request, response) => receive(request, response, false));
  server.on('checkContinue', (request, response) => receive(request, response, true));
  // What it expects is refused by the guard; its body is not waited for.
  server.on('checkExpectation', (request, response) => receive(request, response, true));
  attachToConnections(server, connections, refusals);
}

/** What happens to connections before, between and without requests. */
function attachToConnections(server: GuardedServer, connections: Connections, refusals: RefusalLog) {
  server.on('connection', connections.add);
  server.on('connect', (_request, socket) => refuseConnect(socket));
  server.on('clientError', (error, socket) => {
    // A server without TLS has no other kind.
    const plain = socket as Socket;
    answerClientError(error, plain, connections.findAnswer(plain));
  });
  server.on('drop', () => {
    refusals.noteConnection('Refused a connection: there are too many');
    server.closeIdleConnections();
  });
}

function createServerGuard(
  options: HttpServerOptions,
  limits: ServerLimits,
  connections: Connections,
  refusals: RefusalLog,
): Guard {
  const rate = createRateLimit(options);
  const readCredentials = createCredentialsReader(options.sessions.unseal);
  const answers = createAnswerBudget({
    ...limits.answers,
    monotonicMs,
    onDropped: () =>
      refusals.noteConnection('Closed a connection whose client leaves much unread: others need the room'),
  });
  return createGuard({
    findClientAddress: createFindClientAddress(options.trustedProxies),
    hosts: createHostCheck(options),
    readCredentials,
    authenticate: options.authenticate,
    signIn: options.signIn ?? (async () => fail('wrong')),
    rate,
    limits: createCallerLimits({
      rate,
      streams: limits.streams,
      watch: createCredentialWatch(readCredentials, options.authenticate, limits.recheckMs, options.onNews),
      answers,
    }),
    hasUnread: answers.isOver,
    bodies: createBodyBudget(limits.bodies),
    largeBodies: createLargeBodies(),
    findPublicRoute: createPublicRoutes(options.webFiles ?? new Map(), options.oauth?.protection),
    oauth: options.oauth,
    mcp: options.mcp,
    api: options.api,
    hasPublicIndex: options.hasPublicIndex === true,
    maxBodyBytes: limits.bodyBytes,
    lookupMs: limits.lookupMs,
    onProven: connections.prove,
    isWornOut: connections.noteRefused,
    onRefused: refusals.note,
    observe: options.observe,
    onFault: ({ correlationId, path }, fault) =>
      options.log({
        level: 'error',
        message: 'A request failed by a fault of ours',
        path: withoutCredentials(path),
        correlation_id: correlationId,
        error: describeError(fault),
      }),
  });
}

/** One listener for all answers: it finds what it needs on the answer itself. */
function measuring(onRequest: (status: number) => void): (response: GuardedResponse) => void {
  function noteEnd(this: GuardedResponse): void {
    onRequest(this.headersSent ? this.statusCode : LEFT);
  }
  return (response) => void response.on('close', noteEnd);
}

/** As other servers write it: the client closed its request. */
const LEFT = 499;
