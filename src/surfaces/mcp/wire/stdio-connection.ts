// One client on this machine: its messages in, our lines out. Each request is served by the rules of the era it speaks.
import { fail, ok, type Result } from '../../../values/result.ts';
import type { EraRules } from './era-rules.ts';
import {
  errorLine,
  invalidRequest,
  isRequestId,
  type Line,
  type Message,
  methodNotFound,
  type Notification,
  notificationLine,
  parseMessage,
  type Request,
  rpcCode,
} from './json-rpc.ts';
import { batchProblem, type LegacyEra, legacyEra, receiveBatch } from './legacy-era.ts';
import type { MethodTable, ReserveRoom, RpcError, ServerEvent, WireLog } from './method.ts';
import { claimsModern, modernEra } from './modern-era.ts';
import { type Requester, type RoutedRequest, RunningRequests } from './running-requests.ts';
import { eventKey, eventMethod, eventParams } from './server-event.ts';
import { Subscriptions } from './subscriptions.ts';

const MAX_RUNNING = 16_384;

export interface ConnectionOptions {
  readonly send: (line: Line) => void;
  /** True while the client leaves too much unread: what can wait or be left out does. */
  readonly congested: () => boolean;
  /** Room for a large answer: one is made at a time. */
  readonly reserve: ReserveRoom;
  readonly log: WireLog;
}

export class StdioConnection {
  readonly #options: ConnectionOptions;
  readonly #modern: EraRules;
  readonly #legacy: LegacyEra;
  readonly #requests: RunningRequests;
  readonly #subscriptions: Subscriptions;
  readonly #client: Requester;
  readonly #heldEvents = new Map<string, ServerEvent>();
  readonly #unsubscribe: () => void;

  constructor(table: MethodTable, options: ConnectionOptions) {
    const { log, send, congested, reserve } = options;
    this.#options = options;
    this.#client = {
      caller: undefined,
      correlationId: undefined,
      remote: false,
      reserve,
      // Progress is news of the moment: a client that does not read does not get it later either.
      notify: (line) => {
        if (!congested()) send(line);
      },
      answer: (line) => {
        if (line !== undefined) send(line);
      },
    };
    this.#modern = modernEra(table);
    this.#legacy = legacyEra(table);
    this.#requests = new RunningRequests(log);
    this.#subscriptions = new Subscriptions(table);
    this.#unsubscribe = table.subscribe((event) => this.#announce(event));
  }

  receive(text: string): void {
    const message = parseMessage(text);
    if (message.kind === 'batch') this.#receiveBatch(message.items);
    else this.#receiveMessage(message, this.#client);
  }

  /** Answers input that is no message at all. */
  refuse(error: RpcError): void {
    this.#options.send(errorLine(null, error));
  }

  /** The client has read on: it is notified of what changed meanwhile. */
  relieved(): void {
    const events = [...this.#heldEvents.values()];
    this.#heldEvents.clear();
    for (const event of events) this.#announce(event);
  }

  /** Resolves when every request that waits for an answer has got it. */
  idle(): Promise<void> {
    return this.#requests.idle();
  }

  /** Asks every running method to stop; what it answers is still sent. */
  abort(): void {
    this.#requests.abort();
  }

  /** Ends the subscriptions and gives up on what still runs: nothing is sent after this. */
  close(): void {
    this.#unsubscribe();
    for (const line of this.#subscriptions.close()) this.#options.send(line);
    this.#requests.cancelAll();
  }

  readonly #receiveMessage = (message: Message, requester: Requester): void => {
    if (message.kind === 'request') this.#receiveRequest(message, requester);
    else if (message.kind === 'notification') this.#receiveNotification(message);
    else if (message.kind === 'invalid') requester.answer(errorLine(message.id, message.error));
  };

  #receiveRequest(request: Request, requester: Requester): void {
    const routed = this.#route(request);
    if (!routed.ok) requester.answer(errorLine(request.id, routed.failure));
    else if (routed.value === 'listen') this.#listen(request, requester);
    else this.#requests.run(routed.value, requester);
  }

  #route(request: Request): Result<RoutedRequest | 'listen', RpcError> {
    const { id, method, params } = request;
    if (this.#requests.has(id) || this.#subscriptions.has(id)) {
      return fail(invalidRequest('a request with this id is still running'));
    }
    const rules = claimsModern(params) ? this.#modern : this.#legacy;
    const client = rules.identify(request);
    if (!client.ok) return client;
    if (rules.era === 'modern' && method === 'subscriptions/listen') return ok('listen');
    const found = rules.find(method);
    if (found === undefined) return fail(methodNotFound(method));
    if (this.#requests.size >= MAX_RUNNING) {
      return fail({ code: rpcCode.internalError, message: `More than ${MAX_RUNNING} requests are running` });
    }
    return ok({ request, rules, method: found, client: client.value });
  }

  #listen({ id, params }: Request, requester: Requester): void {
    const opened = this.#subscriptions.open(id, params);
    if (!opened.ok) requester.answer(errorLine(id, opened.failure));
    else for (const line of opened.value) this.#options.send(line);
  }

  #receiveNotification({ method, params }: Notification): void {
    if (method === 'notifications/initialized') this.#legacy.initialized();
    if (method !== 'notifications/cancelled' || !isRequestId(params.requestId)) return;
    if (!this.#subscriptions.cancel(params.requestId)) this.#requests.cancel(params.requestId);
  }

  /** One line in, one line out: the answers of a batch leave together when the last one is there. */
  #receiveBatch(items: readonly unknown[]): void {
    const problem = this.#legacy.allowsBatches ? batchProblem(items) : 'a message must be an object';
    if (problem !== undefined) this.refuse(invalidRequest(problem));
    else receiveBatch(items, this.#client, this.#receiveMessage);
  }

  #announce(event: ServerEvent): void {
    const { send, congested } = this.#options;
    if (congested()) {
      this.#heldEvents.set(eventKey(event), event);
      return;
    }
    if (this.#legacy.announces(event)) send(notificationLine(eventMethod(event), eventParams(event)));
    for (const line of this.#subscriptions.linesFor(event)) send(line);
  }
}
