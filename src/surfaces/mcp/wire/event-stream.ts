// Server-sent events on one response: lines out, signs of life, and an end for a client that does not read.
import type { ServerResponse } from 'node:http';
import type { Line } from './json-rpc.ts';

/** Above this the client is behind: what can be left out is, what can wait is held. */
const MAX_QUEUED_BYTES = 256 * 1024;
/** Proxies and clients give up on connections that stay silent for half a minute or more. */
const KEEP_ALIVE_MS = 15_000;
/** So many signs of life without one byte taken: the client is not reading any more. */
const UNREAD_BEATS = 4;

/** How long an answer may wait without one byte of it being taken. */
export const UNREAD_MS = UNREAD_BEATS * KEEP_ALIVE_MS;

const HEAD = ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store', 'X-Accel-Buffering', 'no'];
const COMMENT = ':\n\n';

export interface EventStreamOptions {
  readonly keepAliveMs?: number;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #beat: NodeJS.Timeout;
  /** What has to be said once the client has read on, once for each key. */
  readonly #held = new Map<string, Line>();
  #unwritten = 0;

  constructor(response: ServerResponse, { keepAliveMs = KEEP_ALIVE_MS }: EventStreamOptions = {}) {
    this.#response = response;
    response.writeHead(200, HEAD);
    // The client learns at once that its request was taken.
    response.flushHeaders();
    this.#beat = setInterval(this.#onBeat, keepAliveMs).unref();
    // The socket's own clock knows of progress within one long write, which the signs of life do not.
    response.setTimeout(keepAliveMs * UNREAD_BEATS, () => response.destroy());
    response.once('close', () => clearInterval(this.#beat));
  }

  get congested(): boolean {
    return this.#response.writableLength > MAX_QUEUED_BYTES;
  }

  send(line: Line): void {
    if (typeof line === 'string') this.#write(`event: message\ndata: ${line}\n\n`);
    else for (const piece of [`event: message\ndata: ${line.start}`, line.rest, '\n\n']) this.#write(piece);
  }

  /** Sent now, or when the client has read on: then the last line under each key. */
  announce(key: string, line: Line): void {
    if (this.congested) this.#held.set(key, line);
    else this.send(line);
  }

  /** After this nothing more is sent. A client that reads no further is still dropped in time. */
  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  #write(text: string | Buffer): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#unwritten += 1;
    this.#response.write(text, this.#onWritten);
  }

  readonly #onWritten = (): void => {
    this.#unwritten -= 1;
    if (this.#held.size === 0 || this.congested) return;
    const lines = [...this.#held.values()];
    this.#held.clear();
    for (const line of lines) this.send(line);
  };

  readonly #onBeat = (): void => {
    if (this.#unwritten === 0) this.#write(COMMENT);
  };
}
