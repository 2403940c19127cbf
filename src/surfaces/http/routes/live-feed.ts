// What happens on this server, to whoever watches: server-sent events in small batches. Bounded in every direction, and
// free of charge while nobody watches.
import type { ServerResponse } from 'node:http';

export interface LiveFeed {
  /** No further stream is opened. */
  readonly isFull: boolean;
  readonly size: number;
  /** Tells all streams; `makeData` is called only if there is one. Never throws, never waits. */
  emit(event: string, makeData: () => object): void;
  /** From now on this answer is a stream. */
  open(response: ServerResponse): void;
  close(): void;
}

export interface FeedLimits {
  readonly streams: number;
  /** Events wait so long for others. */
  readonly batchMs: number;
  /** Further ones of the same batch are counted instead of sent. */
  readonly batchEvents: number;
  /** A stream with more than this unread is ended. */
  readonly unreadBytes: number;
  /** Between two signs of life. */
  readonly beatMs: number;
}

const LIMITS: FeedLimits = {
  streams: 100,
  batchMs: 200,
  batchEvents: 200,
  unreadBytes: 256 * 1024,
  beatMs: 15_000,
};

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Proxies that collect answers would keep events back.
  'X-Accel-Buffering': 'no',
} as const;

/** A page that loses its stream asks again after this long. */
const HELLO = 'retry: 3000\n\n';
const SIGN_OF_LIFE = ':\n\n';

/** `watch` is called when the first stream opens and answers how to end it, which is done after the last. */
export function createLiveFeed(watch: () => () => void, given: Partial<FeedLimits> = {}): LiveFeed {
  const limits = { ...LIMITS, ...given };
  const streams = new Set<ServerResponse>();
  const tell = (text: string) => writeAll(streams, text, limits.unreadBytes);
  const batch = createBatch(limits, tell);
  let stop: (() => void) | undefined;
  let isClosed = false;
  const leave = (response: ServerResponse) => {
    if (!streams.delete(response) || streams.size > 0) return;
    stop?.();
    stop = undefined;
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
    open: (response) => {
      response.writeHead(200, STREAM_HEADERS);
      if (isClosed) return void response.end();
      response.write(HELLO);
      response.once('close', () => leave(response));
      streams.add(response);
      stop ??= begin(watch, () => tell(SIGN_OF_LIFE), limits.beatMs);
    },
    close: () => {
      isClosed = true;
      for (const response of streams) response.end();
    },
  };
}

/** Answers how to end it. */
function begin(watch: () => () => void, beat: () => void, beatMs: number): () => void {
  const unwatch = watch();
  const beating = setInterval(beat, beatMs).unref();
  return () => {
    clearInterval(beating);
    unwatch();
  };
}

/** Collects for a moment: a thousand events are one write to each stream. */
function createBatch({ batchMs, batchEvents }: FeedLimits, flush: (text: string) => void) {
  let waiting: string[] = [];
  let skipped = 0;
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
    skipped = 0;
  };
  const send = () => {
    const told = skipped === 0 ? '' : eventText('skipped', { count: skipped });
    const text = waiting.join('') + told;
    clear();
    flush(text);
  };
  return {
    clear,
    add: (event: string, makeData: () => object) => {
      if (waiting.length < batchEvents) waiting.push(eventText(event, makeData()));
      else skipped += 1;
      timer ??= setTimeout(send, batchMs).unref();
    },
  };
}

/** JSON has no line breaks of its own. */
const eventText = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function writeAll(streams: Iterable<ServerResponse>, text: string, unreadBytes: number): void {
  const bytes = Buffer.from(text);
  for (const response of streams) {
    // Whoever does not read has to come again: nothing is kept for them.
    if (response.writableLength > unreadBytes) response.destroy();
    else if (!response.writableEnded) response.write(bytes);
  }
}
