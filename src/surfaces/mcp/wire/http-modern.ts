// 2026-07-28 over HTTP: every POST is a request of its own, checked against its headers; a closed response cancels it.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { fail, ok, type Result } from '../../../values/result.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import { EventStream, type EventStreamOptions } from '../../streams/event-stream.ts';
import type { EraRules } from './era-rules.ts';
import { eventOf, HttpRequester, NOT_ACCEPTABLE, type RpcRefusal, TOO_MANY_STREAMS } from './http-answer.ts';
import { type AnswerForm, answerForm, routingHeaderProblem, versionHeaderProblem } from './http-headers.ts';
import { methodNotFound, type Request } from './json-rpc.ts';
import type { MethodTable, NoteHandshake, RpcError, ServerEvent, WireLog } from './method.ts';
import { modernEra } from './modern-era.ts';
import { progressToken, type RoutedRequest, RunningRequests } from './running-requests.ts';
import { eventKey } from './server-event.ts';
import { Subscriptions } from './subscriptions.ts';

/** One open subscriptions/listen. Its id is its client's alone: other clients may use the same. */
interface Listener {
  readonly subscriptions: Subscriptions;
  readonly stream: EventStream;
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
  readonly #streams: EventStreamOptions;
  readonly #onHandshake: NoteHandshake;
  readonly #listeners = new Set<Listener>();

  constructor(table: MethodTable, { log, streams, onHandshake }: ModernHttpOptions) {
    this.#table = table;
    this.#rules = modernEra(table);
    this.#requests = new RunningRequests(log);
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
    if (routed.value === 'listen') return this.#listen(admitted, request, form);
    this.#run(admitted, routed.value, form);
    return undefined;
  }

  announce(event: ServerEvent): void {
    for (const listener of this.#listeners) announceTo(listener, event);
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

  #route(headers: IncomingHttpHeaders, request: Request): Result<RoutedRequest | 'listen', RpcRefusal> {
    const wrongVersion = versionHeaderProblem(headers, request);
    if (wrongVersion !== undefined) return fail(badRequest(wrongVersion));
    const client = this.#rules.identify(request);
    if (!client.ok) return fail(badRequest(client.failure));
    const misrouted = routingHeaderProblem(headers, request);
    if (misrouted !== undefined) return fail(badRequest(misrouted));
    if (request.method === 'subscriptions/listen') return ok('listen');
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
    if (progressToken(routed.request.params) !== undefined) requester.openStream();
  }

  #listen(admitted: AdmittedRequest, { id, params }: Request, form: AnswerForm): RpcRefusal | undefined {
    if (form === 'json') return NOT_ACCEPTABLE;
    const { response } = admitted;
    const subscriptions = new Subscriptions(this.#table);
    const opened = subscriptions.open(id, params);
    if (!opened.ok) return badRequest(opened.failure);
    const mayOpen = admitted.limits.openStream(
      admitted,
      () => endListener(listener),
      // Who may invoke other skills than before is shown other tools (X10).
      () => announceTo(listener, { kind: 'tools' }),
    );
    if (!mayOpen) return TOO_MANY_STREAMS;
    const stream = new EventStream(response, this.#streams);
    const listener: Listener = { subscriptions, stream };
    for (const line of opened.value) stream.send(eventOf(line));
    if (subscriptions.has(id)) this.#keep(listener, response);
    else stream.end();
    return undefined;
  }

  #keep(listener: Listener, response: ServerResponse): void {
    this.#listeners.add(listener);
    response.once('close', () => this.#listeners.delete(listener));
  }
}

const badRequest = (error: RpcError): RpcRefusal => ({ status: 400, error });

function announceTo({ subscriptions, stream }: Listener, event: ServerEvent): void {
  for (const line of subscriptions.linesFor(event)) stream.announce(eventKey(event), eventOf(line));
}

/** Each subscription gets its result. */
function endListener({ subscriptions, stream }: Listener): void {
  for (const line of subscriptions.close()) stream.send(eventOf(line));
  stream.end();
}
