// One client on this machine: its messages in, our lines out. Each request is served by the rules of the era it speaks.

import type { ClientInfo } from '../../../identity/client-info.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import type { EraRules } from './era-rules.ts';
import {
  errorLine,
  internalError,
  invalidRequest,
  isRequestId,
  type Line,
  type Message,
  methodNotFound,
  type Notification,
  notificationLine,
  parseMessage,
  type Request,
  type RequestId,
  rpcCode,
} from './json-rpc.ts';
import { batchProblem, type LegacyEra, legacyEra, receiveBatch } from './legacy-era.ts';
import type { MethodTable, ReserveRoom, RpcError, ServerEvent, TaskAsker, WireLog } from './method.ts';
import { claimsModern, modernEra } from './modern-era.ts';
import { type Requester, type RoutedRequest, RunningRequests } from './running-requests.ts';
import { eventKey, eventMethod, eventParams } from './server-event.ts';
import { parseTaskIds, Subscriptions } from './subscriptions.ts';

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
  readonly #table: MethodTable;
  readonly #modern: EraRules;
  readonly #legacy: LegacyEra;
  readonly #requests: RunningRequests;
  readonly #subscriptions: Subscriptions;
  readonly #client: Requester;
  readonly #heldEvents = new Map<string, ServerEvent>();
  /** The last line of each task that a client did not read on for. */
  readonly #heldTasks = new Map<string, string>();
  readonly #taskWatches = new Map<RequestId, () => void>();
  readonly #unsubscribe: () => void;

  constructor(table: MethodTable, options: ConnectionOptions) {
    const { log, send, congested, reserve } = options;
    this.#options = options;
    this.#table = table;
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
    this.#unsubscribe = table.subscribe((event) => {
      if (table.concerns?.(event, undefined) !== false) this.#announce(event);
    });
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
    for (const line of this.#heldTasks.values()) this.#options.send(line);
    this.#heldTasks.clear();
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
    for (const id of [...this.#taskWatches.keys()]) this.#stopTasks(id);
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
    else if ('listener' in routed.value) this.#listen(request, requester, routed.value.listener);
    else this.#requests.run(routed.value, requester);
  }

  #route(request: Request): Result<RoutedRequest | { readonly listener: ClientInfo }, RpcError> {
    const { id, method, params } = request;
    if (this.#requests.has(id) || this.#subscriptions.has(id)) {
      return fail(invalidRequest('a request with this id is still running'));
    }
    const rules = claimsModern(params) ? this.#modern : this.#legacy;
    const client = rules.identify(request);
    if (!client.ok) return client;
    if (rules.era === 'modern' && method === 'subscriptions/listen') return ok({ listener: client.value });
    const found = rules.find(method);
    if (found === undefined) return fail(methodNotFound(method));
    if (this.#requests.size >= MAX_RUNNING) {
      return fail({ code: rpcCode.internalError, message: `More than ${MAX_RUNNING} requests are running` });
    }
    return ok({ request, rules, method: found, client: client.value });
  }

  #listen(request: Request, requester: Requester, client: ClientInfo): void {
    const asker: TaskAsker = { era: 'modern', client };
    const taskIds = parseTaskIds(request.params, asker);
    const feed = this.#table.modern?.tasks;
    if (!taskIds.ok) requester.answer(errorLine(request.id, taskIds.failure));
    else if (taskIds.value === undefined || feed === undefined) this.#open(request, requester, []);
    else void this.#openWithTasks(request, requester, asker, feed.accept(taskIds.value, asker));
  }

  #open({ id, params }: Request, requester: Requester, taskIds: readonly string[]): void {
    const opened = this.#subscriptions.open(id, params, taskIds);
    if (!opened.ok) requester.answer(errorLine(id, opened.failure));
    else for (const line of opened.value) this.#options.send(line);
  }

  async #openWithTasks(
    request: Request,
    requester: Requester,
    asker: TaskAsker,
    accepting: Promise<readonly string[]>,
  ): Promise<void> {
    const { id, method } = request;
    try {
      const taskIds = await accepting;
      this.#open(request, requester, taskIds);
      if (taskIds.length > 0 && this.#subscriptions.has(id)) this.#watchTasks(id, taskIds, asker);
    } catch (error) {
      this.#options.log({ level: 'error', message: 'Method failed', method, error });
      requester.answer(errorLine(id, internalError));
    }
  }

  #watchTasks(id: RequestId, taskIds: readonly string[], asker: TaskAsker): void {
    const tell = (taskId: string, task: JsonObject) => {
      const line = this.#subscriptions.taskLine(id, task);
      if (line === undefined) this.#stopTasks(id);
      else if (this.#options.congested()) this.#heldTasks.set(`${JSON.stringify(id)} ${taskId}`, line);
      else this.#options.send(line);
    };
    const stop = this.#table.modern?.tasks?.watch(taskIds, asker, tell);
    if (stop !== undefined) this.#taskWatches.set(id, stop);
  }

  #stopTasks(id: RequestId): void {
    this.#taskWatches.get(id)?.();
    this.#taskWatches.delete(id);
  }

  #receiveNotification({ method, params }: Notification): void {
    if (method === 'notifications/initialized') this.#legacy.initialized();
    if (method !== 'notifications/cancelled' || !isRequestId(params.requestId)) return;
    this.#stopTasks(params.requestId);
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
