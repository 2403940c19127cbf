// One session of a 2025-era client over HTTP: its handshake, its running requests and its one stream.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Caller, ownerKey } from '../../../identity/caller.ts';
import { digestOf } from '../../../identity/token.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
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
  type RequestId,
  rpcCode,
} from './json-rpc.ts';
import { type EarlierHandshake, type LegacyEra, legacyEra } from './legacy-era.ts';
import type { MethodTable, OpenTo, RpcError, ServerEvent, WireLog } from './method.ts';
import { type Requester, type RoutedRequest, RunningRequests } from './running-requests.ts';
import { eventKey, eventMethod, eventParams } from './server-event.ts';
import { noteMessage } from './traced.ts';

/** A request goes on when its connection breaks, so connections alone do not bound them. */
const MAX_RUNNING = 256;

export interface SessionOptions {
  readonly caller: Caller;
  readonly log: WireLog;
  readonly streams: EventStreamOptions;
  /** Absent where sessions live in one process. */
  readonly elsewhere?: OtherReplicas | undefined;
  /** Opened by another replica; absent: a new one. */
  readonly earlier?: (EarlierHandshake & { readonly id: string }) | undefined;
}

/** What a session tells the replicas that may serve it, too. None of them rejects. */
export interface OtherReplicas {
  cancel(session: McpSession, requestId: RequestId): void;
  subscribe(session: McpSession, uri: string, isWanted: boolean): Promise<void>;
  streamOpened(session: McpSession): void;
  streamClosed(session: McpSession): void;
}

export class McpSession {
  /** 256 bits: knowing one session's id says nothing of another's. */
  readonly id: string;
  readonly owner: string;
  readonly rules: LegacyEra;
  readonly requests: RunningRequests;
  readonly #options: SessionOptions;
  readonly #table: MethodTable;
  /** What changed while there was no stream, each change once. */
  readonly #missed = new Map<string, EventPieces>();
  #stream: EventStream | undefined;
  #digest: string | undefined;
  #caller: Caller;

  constructor(table: MethodTable, options: SessionOptions) {
    const { earlier, elsewhere } = options;
    this.#options = options;
    this.#table = table;
    this.#caller = options.caller;
    this.id = earlier?.id ?? randomBytes(32).toString('base64url');
    this.owner = ownerKey(options.caller);
    const onSubscription = elsewhere && ((uri: string, isWanted: boolean) => elsewhere.subscribe(this, uri, isWanted));
    this.rules = legacyEra(table, { earlier, onSubscription });
    this.requests = new RunningRequests(options.log);
  }

  /** What the id is known by where others may read: who has it cannot use the session. */
  get digest(): string {
    this.#digest ??= digestOf(this.id);
    return this.#digest;
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
    else if (message.kind === 'notification') this.#receiveNotification(message, requester);
    else if (message.kind === 'invalid') requester.answer(errorLine(message.id, message.error));
  };

  announce(event: ServerEvent, openTo: OpenTo = 'all'): void {
    const view = openTo === 'all' ? undefined : this.#table.viewName?.(this.#caller);
    if (view !== undefined && !openTo.includes(view)) return;
    if (!this.rules.announces(event) || this.#table.concerns?.(event, this.#caller) === false) return;
    const message = eventOf(notificationLine(eventMethod(event), eventParams(event)));
    if (this.#stream === undefined) this.#missed.set(eventKey(event), message);
    else this.#stream.announce(eventKey(event), message);
  }

  /** The same caller with other rights: shown other tools (X10), perhaps other skills (N4). */
  changeRights(caller: Caller): void {
    const isSameView = this.#table.isSameView?.(this.#caller, caller) ?? true;
    this.#caller = caller;
    this.announce({ kind: 'tools' });
    if (isSameView) return;
    this.announce({ kind: 'prompts' });
    this.announce({ kind: 'resources' });
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
      this.#options.elsewhere?.streamClosed(this);
    });
    for (const [key, message] of this.#missed) stream.announce(key, message);
    this.#missed.clear();
    this.#options.elsewhere?.streamOpened(this);
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
    else {
      noteMessage(requester, request, { version: this.rules.version, error: routed.failure });
      requester.answer(errorLine(request.id, routed.failure));
    }
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

  #receiveNotification(notification: Notification, requester: Requester): void {
    const { method, params } = notification;
    noteMessage(requester, notification, this.rules);
    if (method === 'notifications/initialized') this.rules.initialized();
    if (method !== 'notifications/cancelled' || !isRequestId(params.requestId)) return;
    if (this.requests.has(params.requestId)) this.requests.cancel(params.requestId);
    else this.#options.elsewhere?.cancel(this, params.requestId);
  }
}
