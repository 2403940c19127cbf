// How a request over HTTP is answered: one line of JSON, a stream of events when notifications come before it, or a refusal.
import type { ServerResponse } from 'node:http';
import type { Caller } from '../../../identity/caller.ts';
import type { RequestTrace } from '../../../values/trace.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import { type EventPieces, EventStream, type EventStreamOptions } from '../../streams/event-stream.ts';
import { sendPieces } from '../../streams/send-pieces.ts';
import { ROOM_RETRY_SECONDS, SMALL_ANSWER_BYTES } from '../../streams/unread-answers.ts';
import type { AnswerForm } from './http-headers.ts';
import { errorLine, LargeLine, type Line, type RequestId, rpcCode } from './json-rpc.ts';
import type { RpcError } from './method.ts';
import type { Requester } from './running-requests.ts';

/** The client behind one POST. */
export class HttpRequester implements Requester {
  readonly caller: Caller;
  readonly correlationId: string;
  readonly remote: boolean;
  readonly trace: RequestTrace | undefined;
  readonly sessionId: string | undefined;
  readonly #admitted: AdmittedRequest;
  readonly #response: ServerResponse;
  readonly #form: AnswerForm;
  readonly #options: EventStreamOptions;
  #stream: EventStream | undefined;
  #answered = false;
  #lacksRoom = false;

  constructor(admitted: AdmittedRequest, form: AnswerForm, options: EventStreamOptions, sessionId?: string) {
    const { caller, remote, correlationId, response, trace } = admitted;
    this.#admitted = admitted;
    this.caller = caller;
    this.correlationId = correlationId;
    this.remote = remote;
    this.trace = trace;
    this.sessionId = sessionId;
    this.#response = response;
    this.#form = form;
    this.#options = options;
  }

  get answered(): boolean {
    return this.#answered;
  }

  /** The room is given back when the answer closes. */
  readonly reserve = async (bytes: number): Promise<(() => void) | undefined> => {
    this.#lacksRoom = !(await this.#admitted.limits.answers.reserve(this.#admitted, bytes));
    return this.#lacksRoom ? undefined : () => undefined;
  };

  /** Opens the stream before there is anything to tell, so that a long call shows signs of life. */
  openStream(): EventStream | undefined {
    if (this.#form === 'json' || this.#response.destroyed) return undefined;
    this.#stream ??= new EventStream(this.#response, this.#options);
    return this.#stream;
  }

  notify(line: string): void {
    const stream = this.openStream();
    if (stream !== undefined && !stream.congested) stream.send(eventOf(line));
  }

  answer(line: Line | undefined, error?: RpcError): void {
    this.#answered = true;
    const stream = this.#form === 'stream' && line !== undefined ? this.openStream() : this.#stream;
    if (stream === undefined) this.#answerAlone(line, error);
    else if (line instanceof LargeLine) stream.sendLast(eventPieces(line), this.#admitted.onFault);
    else {
      if (line !== undefined) stream.send(eventOf(line));
      stream.end();
    }
    this.#countUnread(line);
  }

  #answerAlone(line: Line | undefined, error: RpcError | undefined): void {
    // What was cancelled has no answer, but the HTTP request must end.
    if (line === undefined) replyEmpty(this.#response, 202);
    else if (line instanceof LargeLine) replyLarge(this.#admitted, line);
    // A batch is answered as a whole: what did not fit is said in its place.
    else if (this.#lacksRoom && !String(line).startsWith('['))
      replyLine(this.#response, 429, line, ['Retry-After', String(ROOM_RETRY_SECONDS)]);
    else replyLine(this.#response, error?.code === rpcCode.missingCapability ? 400 : 200, line);
  }

  /** What the system did not take at once counts for what this caller asks next; of a large one, room was taken before. */
  #countUnread(line: Line | undefined): void {
    const { writableLength } = this.#response;
    if (writableLength <= SMALL_ANSWER_BYTES || line instanceof LargeLine) return;
    this.#admitted.limits.answers.count(this.#admitted, writableLength);
  }
}

function* eventPieces(line: LargeLine): Generator<string> {
  yield 'event: message\ndata: ';
  yield* line.pieces();
  yield '\n\n';
}

/** A message as an event of a stream. */
export const eventOf = (line: Exclude<Line, LargeLine>): EventPieces =>
  typeof line === 'string'
    ? [`event: message\ndata: ${line}\n\n`]
    : [`event: message\ndata: ${line.start}`, line.rest, '\n\n'];

/** Why a request is not served, as HTTP and as JSON-RPC say it. */
export interface RpcRefusal {
  readonly status: number;
  readonly error: RpcError;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
}

export const NOT_ACCEPTABLE: RpcRefusal = {
  status: 406,
  error: { code: rpcCode.refused, message: 'Not acceptable: send "Accept: application/json, text/event-stream"' },
};

/** Of one caller, or of all together. */
export const TOO_MANY_STREAMS: RpcRefusal = {
  status: 429,
  error: { code: rpcCode.refused, message: 'Too many streams are open: close one first' },
  headers: ['Retry-After', '30'],
};

export function replyRefusal(
  response: ServerResponse,
  id: RequestId | null,
  { status, error, headers }: RpcRefusal,
): void {
  replyLine(response, status, errorLine(id, error), headers);
}

/** Made while it is sent, so that its length is not known before. */
function replyLarge({ response, onFault }: AdmittedRequest, line: LargeLine): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(200, ['Content-Type', 'application/json']);
  sendPieces(response, line.pieces(), { done: () => response.end(), onFault });
}

type WholeLine = Exclude<Line, LargeLine>;

/** Head and body leave in one go. A client that has gone needs no answer; one that does not read is the server's to drop (F10). */
function replyLine(response: ServerResponse, status: number, line: WholeLine, headers: readonly string[] = []): void {
  if (response.destroyed || response.headersSent) return;
  const length = String(typeof line === 'string' ? Buffer.byteLength(line) : line.byteLength);
  // A flat list is the form that Node takes over without looking at each field.
  response.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', length, ...headers]);
  if (typeof line === 'string') response.end(line);
  else {
    response.cork();
    response.write(line.start);
    response.end(line.rest);
  }
}

/** 202 for what was taken without an answer, 204 for what was ended. */
export function replyEmpty(response: ServerResponse, status: 202 | 204): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, status === 204 ? [] : ['Content-Length', '0']);
  response.end();
}
