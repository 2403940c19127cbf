// The sessions of 2025-era clients over HTTP: each with its handshake, running requests and one stream; all within limits.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { monotonicMs } from '../../../async/monotonic-clock.ts';
import { type Caller, callerKey, rightsKey } from '../../../identity/caller.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import { type EventPieces, EventStream, type EventStreamOptions } from '../../streams/event-stream.ts';
import { eventOf } from './http-answer.ts';
import {
  errorLine,
  invalidRequest,
  isRequestId,
  type Message,
  methodNotFound,
  type Notification,
  notificationLine,
  type Request,
  rpcCode,
} from './json-rpc.ts';
import { type LegacyEra, legacyEra } from './legacy-era.ts';
import type { MethodTable, RpcError, ServerEvent, WireLog } from './method.ts';
import { type Requester, type RoutedRequest, RunningRequests } from './running-requests.ts';
import { eventKey, eventMethod, eventParams } from './server-event.ts';

export interface SessionLimits {
  readonly inAll: number;
  readonly perCaller: number;
  /** How long a session is kept for a client that says nothing. */
  readonly idleMs: number;
}

export const SESSION_LIMITS: SessionLimits = { inAll: 1_000, perCaller: 100, idleMs: 30 * 60_000 };

/** How often we look for the idle ones. */
const SWEEPS_PER_LIFE = 30;

interface Kept {
  readonly session: McpSession;
  usedAt: number;
  /** What its last request came with: the session ends with that credential, unless a newer one was used. */
  credential: string | undefined;
  /** What its caller may invoke: the list of tools that it knows is for that. */
  rights: string;
  stopWatching: () => void;
}

export class McpSessions {
  readonly #limits: SessionLimits;
  readonly #byId = new Map<string, Kept>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), limits.idleMs / SWEEPS_PER_LIFE).unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  *[Symbol.iterator](): Generator<McpSession> {
    for (const { session } of this.#byId.values()) yield session;
  }

  /** Another caller's session does not exist. */
  find(id: string, admitted: AdmittedRequest): McpSession | undefined {
    const kept = this.#byId.get(id);
    if (kept === undefined || kept.session.owner !== callerKey(admitted.caller)) return undefined;
    kept.usedAt = monotonicMs();
    noteRights(kept, admitted.caller);
    if (kept.credential !== credentialIn(admitted)) this.#watch(kept, admitted);
    return kept.session;
  }

  /** Whether one more fits, after the longest idle one went if it had to. */
  makeRoom(caller: Caller): boolean {
    const owner = callerKey(caller);
    const all = [...this.#byId.values()];
    const own = all.filter(({ session }) => session.owner === owner);
    if (own.length >= this.#limits.perCaller) return this.#dropIdlest(own);
    return all.length < this.#limits.inAll || this.#dropIdlest(all);
  }

  add(session: McpSession, admitted: AdmittedRequest): void {
    const kept: Kept = {
      session,
      usedAt: monotonicMs(),
      credential: undefined,
      rights: rightsKey(admitted.caller),
      stopWatching: () => undefined,
    };
    this.#byId.set(session.id, kept);
    this.#watch(kept, admitted);
  }

  end(session: McpSession, error: RpcError = SESSION_ENDED): void {
    this.#byId.get(session.id)?.stopWatching();
    this.#byId.delete(session.id);
    session.end(error);
  }

  close(error: RpcError): void {
    clearInterval(this.#sweeper);
    for (const session of this) this.end(session, error);
  }

  #watch(kept: Kept, admitted: AdmittedRequest): void {
    kept.stopWatching();
    kept.credential = credentialIn(admitted);
    kept.stopWatching = admitted.limits.watch(
      admitted,
      () => this.end(kept.session),
      (caller) => noteRights(kept, caller),
    );
  }

  #dropIdlest(among: readonly Kept[]): boolean {
    let idlest: Kept | undefined;
    for (const kept of among) {
      if (!kept.session.busy && (idlest === undefined || kept.usedAt < idlest.usedAt)) idlest = kept;
    }
    if (idlest !== undefined) this.end(idlest.session);
    return idlest !== undefined;
  }

  #sweep(): void {
    const now = monotonicMs();
    for (const kept of this.#byId.values()) {
      if (kept.session.busy) kept.usedAt = now;
      else if (now - kept.usedAt > this.#limits.idleMs) this.end(kept.session);
    }
  }
}

/** Who may invoke other skills than before is shown other tools (X10). */
function noteRights(kept: Kept, caller: Caller): void {
  const rights = rightsKey(caller);
  if (rights === kept.rights) return;
  kept.rights = rights;
  kept.session.announce({ kind: 'tools' });
}

const credentialIn = ({ request: { headers } }: AdmittedRequest): string | undefined =>
  headers.authorization ?? headers.cookie;

const SESSION_ENDED: RpcError = { code: rpcCode.refused, message: 'The session has ended' };

/** A request goes on when its connection breaks, so connections alone do not bound them. */
const MAX_RUNNING = 256;

export interface SessionOptions {
  readonly caller: Caller;
  readonly log: WireLog;
  readonly streams: EventStreamOptions;
}

export class McpSession {
  /** 256 bits: knowing one session's id says nothing of another's. */
  readonly id = randomBytes(32).toString('base64url');
  readonly owner: string;
  readonly rules: LegacyEra;
  readonly requests: RunningRequests;
  readonly #options: SessionOptions;
  /** What changed while there was no stream, each change once. */
  readonly #missed = new Map<string, EventPieces>();
  #stream: EventStream | undefined;

  constructor(table: MethodTable, options: SessionOptions) {
    this.#options = options;
    this.owner = callerKey(options.caller);
    this.rules = legacyEra(table);
    this.requests = new RunningRequests(options.log);
  }

  /** A request runs, or the client listens. */
  get busy(): boolean {
    return this.#stream !== undefined || this.requests.size > 0;
  }

  /** Why this request cannot run beside those that do. */
  refusalOf({ id }: Request): RpcError | undefined {
    if (this.requests.has(id)) return invalidRequest('a request with this id is still running');
    if (this.requests.size < MAX_RUNNING) return undefined;
    return { code: rpcCode.refused, message: `More than ${MAX_RUNNING} requests are running in this session` };
  }

  /** A notification has no answer, nor has a response: we ask nothing. */
  readonly receive = (message: Message, requester: Requester): void => {
    if (message.kind === 'request') this.#receiveRequest(message, requester);
    else if (message.kind === 'notification') this.#receiveNotification(message);
    else if (message.kind === 'invalid') requester.answer(errorLine(message.id, message.error));
  };

  announce(event: ServerEvent): void {
    if (!this.rules.announces(event)) return;
    const message = eventOf(notificationLine(eventMethod(event), eventParams(event)));
    if (this.#stream === undefined) this.#missed.set(eventKey(event), message);
    else this.#stream.announce(eventKey(event), message);
  }

  /** Each message goes to one stream only. */
  get listens(): boolean {
    return this.#stream !== undefined;
  }

  openStream(response: ServerResponse): void {
    const stream = new EventStream(response, this.#options.streams);
    this.#stream = stream;
    response.once('close', () => {
      this.#stream = undefined;
    });
    for (const [key, message] of this.#missed) stream.announce(key, message);
    this.#missed.clear();
  }

  endStream(): void {
    this.#stream?.end();
  }

  /** Each request that still runs is answered with the error. */
  end(error: RpcError): void {
    this.requests.dismissAll(error);
    this.#stream?.end();
  }

  #receiveRequest(request: Request, requester: Requester): void {
    const routed = this.#route(request);
    if (routed.ok) this.requests.run(routed.value, requester);
    else requester.answer(errorLine(request.id, routed.failure));
  }

  #route(request: Request): Result<RoutedRequest, RpcError> {
    const refusal = this.refusalOf(request);
    if (refusal !== undefined) return fail(refusal);
    const { rules } = this;
    const client = rules.identify(request);
    if (!client.ok) return client;
    const method = rules.find(request.method);
    if (method === undefined) return fail(methodNotFound(request.method));
    return ok({ request, rules, method, client: client.value });
  }

  #receiveNotification({ method, params }: Notification): void {
    if (method === 'notifications/initialized') this.rules.initialized();
    if (method === 'notifications/cancelled' && isRequestId(params.requestId)) this.requests.cancel(params.requestId);
  }
}
