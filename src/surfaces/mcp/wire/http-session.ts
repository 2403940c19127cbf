// One session of a 2025-era client over HTTP: its handshake, its running calls, and the one stream it listens on.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';
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
import { type LegacySession, legacySession } from './legacy-era.ts';
import type { MethodTable, RpcError, ServerEvent } from './method.ts';
import { type Routed, RunningCalls } from './running-requests.ts';
import { eventKey, eventMethod, eventParams } from './server-event.ts';
import type { Waiter } from './waiter.ts';
import type { WireLog } from './wire-log.ts';

/** A call goes on when its connection breaks, so connections alone do not bound them. */
const MAX_RUNNING = 256;

export interface SessionOptions {
  readonly caller: Caller;
  readonly log: WireLog;
  readonly streams: EventStreamOptions;
}

export class HttpSession {
  /** 256 bits: knowing one session's id says nothing of another's. */
  readonly id = randomBytes(32).toString('base64url');
  readonly owner: string;
  readonly rules: LegacySession;
  readonly calls: RunningCalls;
  readonly #options: SessionOptions;
  /** What changed while nobody listened, each change once. */
  readonly #missed = new Map<string, string>();
  #stream: EventStream | undefined;

  constructor(table: MethodTable, options: SessionOptions) {
    this.#options = options;
    this.owner = callerKey(options.caller);
    this.rules = legacySession(table);
    this.calls = new RunningCalls(options.log);
  }

  /** Somebody waits for a call or listens. */
  get busy(): boolean {
    return this.#stream !== undefined || this.calls.size > 0;
  }

  /** Why this request cannot run beside those that do. */
  refusalOf({ id }: Request): RpcError | undefined {
    if (this.calls.has(id)) return invalidRequest('a request with this id is still running');
    if (this.calls.size < MAX_RUNNING) return undefined;
    return { code: rpcCode.refused, message: `More than ${MAX_RUNNING} requests are running in this session` };
  }

  /** A notification has no answer, nor has a response: we ask nothing. */
  readonly receive = (message: Message, waiter: Waiter): void => {
    if (message.kind === 'request') this.#receiveRequest(message, waiter);
    else if (message.kind === 'notification') this.#receiveNotification(message);
    else if (message.kind === 'invalid') waiter.answer(errorLine(message.id, message.error));
  };

  announce(event: ServerEvent): void {
    if (!this.rules.hears(event)) return;
    const line = notificationLine(eventMethod(event), eventParams(event));
    if (this.#stream === undefined) this.#missed.set(eventKey(event), line);
    else this.#stream.announce(eventKey(event), line);
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
    for (const [key, line] of this.#missed) stream.announce(key, line);
    this.#missed.clear();
  }

  endStream(): void {
    this.#stream?.end();
  }

  /** Whoever waits hears why. */
  end(error: RpcError): void {
    this.calls.dismissAll(error);
    this.#stream?.end();
  }

  #receiveRequest(request: Request, waiter: Waiter): void {
    const routed = this.#route(request);
    if (routed.ok) this.calls.run(routed.value, waiter);
    else waiter.answer(errorLine(request.id, routed.failure));
  }

  #route(request: Request): Result<Routed, RpcError> {
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
    if (method === 'notifications/cancelled' && isRequestId(params.requestId)) this.calls.cancel(params.requestId);
  }
}
