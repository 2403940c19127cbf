// 2026-07-28 over HTTP: every POST is a request of its own, checked against its headers; a closed response cancels it.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller } from '../../../identity/caller.ts';
import type { ClientInfo } from '../../../identity/client-info.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok, type Result } from '../../../values/result.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import { EventStream, type EventStreamOptions } from '../../streams/event-stream.ts';
import type { EraRules } from './era-rules.ts';
import {
  eventOf,
  HttpRequester,
  NOT_ACCEPTABLE,
  type RpcRefusal,
  replyRefusal,
  TOO_MANY_STREAMS,
} from './http-answer.ts';
import { type AnswerForm, answerForm, routingHeaderProblem, versionHeaderProblem } from './http-headers.ts';
import { internalError, methodNotFound, type Request, type RequestId, rpcCode } from './json-rpc.ts';
import type { MethodTable, NoteHandshake, RpcError, ServerEvent, TaskAsker, WireLog } from './method.ts';
import { MODERN_VERSION, modernEra } from './modern-era.ts';
import { progressToken, type RoutedRequest, RunningRequests } from './running-requests.ts';
import { eventKey } from './server-event.ts';
import { parseTaskIds, Subscriptions } from './subscriptions.ts';

/** One open subscriptions/listen. Its id is its client's alone: other clients may use the same. */
interface Listener {
  /** As they are now: their rights may change. */
  caller: Caller;
  readonly subscriptions: Subscriptions;
  readonly stream: EventStream;
  stopTasks: () => void;
}

export interface ModernHttpOptions {
  readonly log: WireLog;
  readonly streams: EventStreamOptions;
  readonly onHandshake: NoteHandshake;
}

export class ModernHttp {
  readonly #table: MethodTable;
  readonly #rules: EraRules;
  readonly #requests: RunningRequests;
  readonly #log: WireLog;
  readonly #streams: EventStreamOptions;
  readonly #onHandshake: NoteHandshake;
  readonly #listeners = new Set<Listener>();

  constructor(table: MethodTable, { log, streams, onHandshake }: ModernHttpOptions) {
    this.#table = table;
    this.#rules = modernEra(table);
    this.#requests = new RunningRequests(log);
    this.#log = log;
    this.#streams = streams;
    this.#onHandshake = onHandshake;
  }

  /** Answers the request, now or later, unless it gives back why not. */
  receive(admitted: AdmittedRequest, request: Request): RpcRefusal | undefined {
    const { headers } = admitted.request;
    const form = answerForm(headers);
    if (form === undefined) return NOT_ACCEPTABLE;
    const routed = this.#route(headers, request);
    if (!routed.ok) return routed.failure;
    if ('listener' in routed.value) return this.#listen(admitted, request, form, routed.value.listener);
    this.#run(admitted, routed.value, form);
    return undefined;
  }

  announce(event: ServerEvent): void {
    for (const listener of this.#listeners) this.#announceTo(listener, event);
  }

  idle(): Promise<void> {
    return this.#requests.idle();
  }

  abort(): void {
    this.#requests.abort();
  }

  /** Each subscription gets its result, as the protocol wants it from a server that stops. */
  endSubscriptions(): void {
    for (const listener of this.#listeners) endListener(listener);
    this.#listeners.clear();
  }

  dismiss(error: RpcError): void {
    this.#requests.dismissAll(error);
  }

  #route(
    headers: IncomingHttpHeaders,
    request: Request,
  ): Result<RoutedRequest | { readonly listener: ClientInfo }, RpcRefusal> {
    const wrongVersion = versionHeaderProblem(headers, request);
    if (wrongVersion !== undefined) return fail(badRequest(wrongVersion));
    const client = this.#rules.identify(request);
    if (!client.ok) return fail(badRequest(client.failure));
    const misrouted = routingHeaderProblem(headers, request);
    if (misrouted !== undefined) return fail(badRequest(misrouted));
    if (request.method === 'subscriptions/listen') return ok({ listener: client.value });
    const method = this.#rules.find(request.method);
    if (method === undefined) return fail({ status: 404, error: methodNotFound(request.method) });
    return ok({ request, rules: this.#rules, method, client: client.value });
  }

  #run(admitted: AdmittedRequest, routed: RoutedRequest, form: AnswerForm): void {
    // The era has no handshake; this is what a client asks first.
    if (routed.request.method === 'server/discover') this.#onHandshake(admitted.caller, routed.client);
    const requester = new HttpRequester(admitted, form, this.#streams);
    this.#requests.run(routed, requester, requester);
    // Most methods answer at once: nothing below is needed for them.
    if (requester.answered) return;
    admitted.response.once('close', () => this.#requests.cancel(requester));
    if (progressToken(routed.request.params) === undefined || requester.openStream() === undefined) return;
    // A stream like others: it ends with the credential that opened it (N3).
    const end = () => this.#requests.cancel(requester, CREDENTIAL_ENDED);
    admitted.response.once('close', admitted.limits.watch(admitted, end));
  }

  #listen(admitted: AdmittedRequest, request: Request, form: AnswerForm, client: ClientInfo): RpcRefusal | undefined {
    if (form === 'json') return NOT_ACCEPTABLE;
    const asker: TaskAsker = { era: 'modern', client, caller: admitted.caller };
    const taskIds = parseTaskIds(request.params, asker);
    if (!taskIds.ok) return badRequest(taskIds.failure);
    const feed = this.#table.modern?.tasks;
    if (taskIds.value === undefined || feed === undefined) return this.#open(admitted, request, []);
    void this.#openWithTasks(admitted, request, asker, feed.accept(taskIds.value, asker));
    return undefined;
  }

  /** Which tasks may be listened to is known a moment later. */
  async #openWithTasks(
    admitted: AdmittedRequest,
    request: Request,
    asker: TaskAsker,
    accepting: Promise<readonly string[]>,
  ): Promise<void> {
    let refusal: RpcRefusal | undefined;
    try {
      refusal = this.#open(admitted, request, await accepting, asker);
    } catch (error) {
      this.#log({ level: 'error', message: 'Method failed', method: request.method, error });
      refusal = { status: 500, error: internalError };
    }
    if (refusal !== undefined) replyRefusal(admitted.response, request.id, refusal);
  }

  #open(
    admitted: AdmittedRequest,
    { id, params }: Request,
    taskIds: readonly string[],
    asker?: TaskAsker,
  ): RpcRefusal | undefined {
    const { response } = admitted;
    const subscriptions = new Subscriptions(this.#table);
    const opened = subscriptions.open(id, params, taskIds);
    if (!opened.ok) return badRequest(opened.failure);
    const mayOpen = admitted.limits.openStream(
      admitted,
      () => endListener(listener),
      (caller) => this.#changeRights(listener, caller),
    );
    if (!mayOpen) return TOO_MANY_STREAMS;
    const stream = new EventStream(response, this.#streams);
    const listener: Listener = { caller: admitted.caller, subscriptions, stream, stopTasks: () => undefined };
    const operation = admitted.trace?.begin({ method: 'subscriptions/listen', params, id });
    response.once('close', () => operation?.end({ version: MODERN_VERSION }));
    for (const line of opened.value) stream.send(eventOf(line));
    if (!subscriptions.has(id)) {
      stream.end();
      return undefined;
    }
    this.#keep(listener, response);
    if (asker !== undefined && taskIds.length > 0) this.#watchTasks(listener, id, taskIds, asker);
    return undefined;
  }

  #watchTasks(listener: Listener, id: RequestId, taskIds: readonly string[], asker: TaskAsker): void {
    const { subscriptions, stream } = listener;
    const tell = (taskId: string, task: JsonObject) => {
      const line = subscriptions.taskLine(id, task);
      if (line !== undefined) stream.announce(`task ${taskId}`, eventOf(line));
    };
    listener.stopTasks = this.#table.modern?.tasks?.watch(taskIds, asker, tell) ?? listener.stopTasks;
  }

  /** Who may invoke other skills than before is shown other tools (X10), perhaps other documents (N4). */
  #changeRights(listener: Listener, caller: Caller): void {
    const isSameView = this.#table.isSameView?.(listener.caller, caller) ?? true;
    listener.caller = caller;
    this.#announceTo(listener, { kind: 'tools' });
    if (isSameView) return;
    this.#announceTo(listener, { kind: 'prompts' });
    this.#announceTo(listener, { kind: 'resources' });
  }

  #announceTo({ caller, subscriptions, stream }: Listener, event: ServerEvent): void {
    if (this.#table.concerns?.(event, caller) === false) return;
    for (const line of subscriptions.linesFor(event)) stream.announce(eventKey(event), eventOf(line));
  }

  #keep(listener: Listener, response: ServerResponse): void {
    this.#listeners.add(listener);
    response.once('close', () => {
      this.#listeners.delete(listener);
      listener.stopTasks();
    });
  }
}

const CREDENTIAL_ENDED: RpcError = { code: rpcCode.refused, message: 'The credential is not valid any more' };

const badRequest = (error: RpcError): RpcRefusal => ({ status: 400, error });

/** Each subscription gets its result. */
function endListener({ subscriptions, stream, stopTasks }: Listener): void {
  stopTasks();
  for (const line of subscriptions.close()) stream.send(eventOf(line));
  stream.end();
}
