// What happens on this server, as server-sent events in small batches. Bounded in every direction, and free of charge while
// no stream is open.
import type { ServerResponse } from 'node:http';
import { EventStream, type EventStreamOptions } from '../../streams/event-stream.ts';

export interface LiveFeed {
  /** No further stream is opened. */
  readonly isFull: boolean;
  readonly size: number;
  /** Tells all streams; `makeData` is called only if there is one. Never throws, never waits. */
  emit(event: string, makeData: () => object): void;
  /** So many more happened that are not told one by one; 0: it is not known how many. */
  skip(count: number): void;
  /** From now on this answer is a stream. */
  open(response: ServerResponse): void;
  close(): void;
}

export interface FeedLimits extends EventStreamOptions {
  readonly streams: number;
  /** Events wait so long for others. */
  readonly batchMs: number;
  /** Further ones of the same batch are counted instead of sent. */
  readonly batchEvents: number;
}

const LIMITS: FeedLimits = {
  streams: 100,
  batchMs: 200,
  batchEvents: 200,
};

/** A page that loses its stream asks again after this long. */
const HELLO = 'retry: 3000\n\n';

/** `watch` is called when the first stream opens and returns how to stop, which is called after the last has closed. */
export function createLiveFeed(watch: () => () => void, given: Partial<FeedLimits> = {}): LiveFeed {
  const limits = { ...LIMITS, ...given };
  const streams = new Map<ServerResponse, EventStream>();
  const batch = createBatch(limits, (text) => sendAll(streams, text));
  let unwatch: (() => void) | undefined;
  let isClosed = false;
  const leave = (response: ServerResponse) => {
    if (!streams.delete(response) || streams.size > 0) return;
    unwatch?.();
    unwatch = undefined;
    batch.clear();
  };
  return {
    get isFull() {
      return streams.size >= limits.streams;
    },
    get size() {
      return streams.size;
    },
    emit: (event, makeData) => {
      if (streams.size > 0) batch.add(event, makeData);
    },
    skip: (count) => {
      if (streams.size > 0) batch.skip(count);
    },
    open: (response) => {
      const stream = new EventStream(response, limits);
      if (isClosed) return stream.end();
      stream.send([HELLO]);
      response.once('close', () => leave(response));
      streams.set(response, stream);
      unwatch ??= watch();
    },
    close: () => {
      isClosed = true;
      for (const stream of streams.values()) stream.end();
    },
  };
}

/** Collects for a moment: a thousand events are one write to each stream. */
function createBatch({ batchMs, batchEvents }: FeedLimits, flush: (text: string) => void) {
  let waiting: string[] = [];
  /** Undefined: none was. */
  let skipped: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
    skipped = undefined;
  };
  const send = () => {
    const told = skipped === undefined ? '' : eventText('skipped', { count: skipped });
    const text = waiting.join('') + told;
    clear();
    flush(text);
  };
  const skip = (count: number) => {
    skipped = (skipped ?? 0) + count;
    timer ??= setTimeout(send, batchMs).unref();
  };
  return {
    clear,
    skip,
    add: (event: string, makeData: () => object) => {
      if (waiting.length >= batchEvents) return skip(1);
      waiting.push(eventText(event, makeData()));
      timer ??= setTimeout(send, batchMs).unref();
    },
  };
}

/** JSON has no line breaks of its own. */
const eventText = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function sendAll(streams: ReadonlyMap<ServerResponse, EventStream>, text: string): void {
  const bytes = [Buffer.from(text)];
  for (const [response, stream] of streams) {
    // A client that does not read has to connect again: nothing is kept for it.
    if (stream.congested) response.destroy();
    else stream.send(bytes);
  }
}
