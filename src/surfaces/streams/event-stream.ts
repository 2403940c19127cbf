// Server-sent events on one response: events out, signs of life, and an end for a client that does not read.
import type { ServerResponse } from 'node:http';
import { sendPieces } from './send-pieces.ts';

export interface EventStreamOptions {
  /** How often a quiet stream shows that it is alive. Proxies and clients give up on those that stay silent. */
  readonly keepAliveMs?: number;
  /** Above this the client is behind. */
  readonly unreadBytes?: number;
}

/** Whole events as they leave, in pieces: what was encoded before is not copied. */
export type EventPieces = readonly (string | Buffer)[];

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Proxies that collect answers would hold events back.
  'X-Accel-Buffering': 'no',
} as const;

const KEEP_ALIVE_MS = 15_000;
const UNREAD_BYTES = 256 * 1024;
/** So many signs of life without one byte taken: the client is not reading any more. */
const UNREAD_BEATS = 4;

const SIGN_OF_LIFE = [':\n\n'];

export class EventStream {
  readonly #response: ServerResponse;
  readonly #unreadBytes: number;
  /** What is sent once the client has read on, once for each key. */
  readonly #held = new Map<string, EventPieces>();
  #unwritten = 0;

  constructor(response: ServerResponse, options: EventStreamOptions = {}) {
    const { keepAliveMs = KEEP_ALIVE_MS, unreadBytes = UNREAD_BYTES } = options;
    this.#response = response;
    this.#unreadBytes = unreadBytes;
    response.writeHead(200, EVENT_STREAM_HEADERS);
    // The client learns at once that its request was taken.
    response.flushHeaders();
    const beat = setInterval(this.#onBeat, keepAliveMs).unref();
    // The socket's own clock knows of progress within one long write, which the signs of life do not.
    response.setTimeout(keepAliveMs * UNREAD_BEATS, () => response.destroy());
    response.once('close', () => clearInterval(beat));
  }

  /** The client is behind: what can be left out should be, what can wait should be announced. */
  get congested(): boolean {
    return this.#response.writableLength > this.#unreadBytes;
  }

  send(event: EventPieces): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    for (const piece of event) {
      this.#unwritten += 1;
      this.#response.write(piece, this.#onWritten);
    }
  }

  /** One event that is made while it is sent, and the end of the stream behind it. */
  sendLast(pieces: Iterator<string | Buffer>, onFault: (fault: unknown) => void): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    // No sign of life may fall into the middle of it.
    this.#unwritten += 1;
    sendPieces(this.#response, pieces, { done: () => this.end(), onFault });
  }

  /** Sent now, or when the client has read on: then the last event under each key. */
  announce(key: string, event: EventPieces): void {
    if (this.congested) this.#held.set(key, event);
    else this.send(event);
  }

  /** After this nothing more is sent. A client that reads no further is still dropped in time. */
  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  readonly #onWritten = (): void => {
    this.#unwritten -= 1;
    if (this.#held.size === 0 || this.congested) return;
    const events = [...this.#held.values()];
    this.#held.clear();
    for (const event of events) this.send(event);
  };

  readonly #onBeat = (): void => {
    if (this.#unwritten === 0) this.send(SIGN_OF_LIFE);
  };
}
