// The answer to one POST: one JSON object, or a stream of events when something is to be told before it.
import type { ServerResponse } from 'node:http';
import type { Caller } from '../../../identity/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';
import { replyEmpty, replyLine } from './http-answer.ts';
import type { AnswerForm } from './http-headers.ts';
import type { Line } from './json-rpc.ts';
import type { Waiter } from './waiter.ts';

export class PostAnswer implements Waiter {
  readonly caller: Caller;
  readonly correlationId: string;
  readonly remote: boolean;
  readonly #response: ServerResponse;
  readonly #form: AnswerForm;
  readonly #options: EventStreamOptions;
  #stream: EventStream | undefined;
  #given = false;

  constructor({ caller, remote, correlationId, response }: Exchange, form: AnswerForm, options: EventStreamOptions) {
    this.caller = caller;
    this.correlationId = correlationId;
    this.remote = remote;
    this.#response = response;
    this.#form = form;
    this.#options = options;
  }

  get given(): boolean {
    return this.#given;
  }

  /** Opens the stream before there is anything to tell, so that a long call shows signs of life. */
  openStream(): EventStream | undefined {
    if (this.#form === 'json' || this.#response.destroyed) return undefined;
    this.#stream ??= new EventStream(this.#response, this.#options);
    return this.#stream;
  }

  notify(line: string): void {
    const stream = this.openStream();
    if (stream !== undefined && !stream.congested) stream.send(line);
  }

  answer(line: Line | undefined): void {
    this.#given = true;
    const stream = this.#form === 'stream' && line !== undefined ? this.openStream() : this.#stream;
    if (stream === undefined) this.#answerAlone(line);
    else {
      if (line !== undefined) stream.send(line);
      stream.end();
    }
  }

  #answerAlone(line: Line | undefined): void {
    // Nobody waits for what was cancelled, but the HTTP request must end.
    if (line === undefined) replyEmpty(this.#response, 202);
    else replyLine(this.#response, 200, line);
  }
}
