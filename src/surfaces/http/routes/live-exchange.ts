// Live events of all replicas: each tells the others what happens on it, as long as a feed is open on one of them (N3). Bounded,
// in small batches; without another replica nothing is sent, and without an open feed hardly anything.
import type { Bus } from '../../../async/bus.ts';
import { monotonicMs as clockMs } from '../../../async/monotonic-clock.ts';
import type { Peers } from '../../../async/peers.ts';

/** `makeData` is called only if it is wanted. */
export type Emit = (event: string, makeData: () => object) => void;

export interface ExchangeParts {
  readonly bus: Bus;
  readonly peers: Peers;
  /** What happens here; answers how to stop. */
  readonly subscribe: (emit: Emit) => () => void;
  /** What happened elsewhere. */
  readonly show: Emit;
  /** So many more happened elsewhere; 0: nothing is known of them. */
  readonly skip: (count: number) => void;
  readonly limits?: Partial<ExchangeLimits> | undefined;
  readonly monotonicMs?: () => number;
}

export interface LiveExchange {
  /** A feed is open here. Answers how to stop. */
  readonly attend: () => () => void;
  readonly close: () => void;
}

export interface ExchangeLimits {
  /** A replica with an open feed says so this often … */
  readonly interestMs: number;
  /** … and is believed for this long. */
  readonly believedMs: number;
  readonly batchMs: number;
  readonly batchEvents: number;
  /** What happened just before a feed was heard of is told as well: the word takes a moment. */
  readonly recentMs: number;
}

const LIMITS: ExchangeLimits = {
  interestMs: 8_000,
  believedMs: 25_000,
  batchMs: 200,
  batchEvents: 200,
  recentMs: 1_000,
};

const INTEREST = 'live.interest';
const EVENTS = 'live.events';

interface Happening {
  readonly event: string;
  readonly makeData: () => object;
  readonly at: number;
}

export function createLiveExchange(parts: ExchangeParts): LiveExchange {
  const { bus, peers, subscribe, monotonicMs = clockMs } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const outgoing = createOutgoing(bus, limits, monotonicMs);
  let stopLocal: (() => void) | undefined;
  let attending = 0;
  const say = () => {
    if (attending > 0) bus.publish(INTEREST, {}, 'passing');
  };
  const stops = [
    bus.subscribe(INTEREST, (_body, isOwn) => {
      if (!isOwn) outgoing.want();
    }),
    bus.subscribe(EVENTS, (body, isOwn) => {
      if (!isOwn && attending > 0) showAll(body, parts);
    }),
    bus.onGap(() => {
      if (attending > 0) parts.skip(0);
    }),
  ];
  const begin = () => {
    stopLocal ??= subscribe(outgoing.add);
    say();
  };
  peers.onFirst(begin);
  peers.onNewcomer(say);
  if (peers.has()) begin();
  return {
    attend: () => {
      attending += 1;
      if (peers.has()) say();
      const timer = setInterval(() => peers.has() && say(), limits.interestMs).unref();
      return () => {
        attending -= 1;
        clearInterval(timer);
      };
    },
    close: () => {
      outgoing.close();
      stopLocal?.();
      for (const stop of stops) stop();
    },
  };
}

/** What happens here, on its way to the others while they want it. */
function createOutgoing(
  bus: Bus,
  { believedMs, batchMs, batchEvents, recentMs }: ExchangeLimits,
  monotonicMs: () => number,
) {
  let wantedUntil = Number.NEGATIVE_INFINITY;
  let waiting: Happening[] = [];
  let skipped = 0;
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
    skipped = 0;
  };
  const flush = () => {
    const body = { events: waiting.map(({ event, makeData }) => [event, makeData()]), skipped };
    clear();
    bus.publish(EVENTS, body, 'passing');
  };
  const isWanted = () => monotonicMs() < wantedUntil;
  const flushSoon = () => {
    timer ??= setTimeout(flush, batchMs).unref();
  };
  return {
    add: (event: string, makeData: () => object) => {
      const at = monotonicMs();
      if (!isWanted()) {
        // Only what is recent is kept; it stands in the order of time.
        const from = waiting.findIndex((each) => each.at > at - recentMs);
        waiting = [...(from < 0 ? [] : waiting.slice(from)), { event, makeData, at }].slice(-batchEvents);
        return;
      }
      if (waiting.length < batchEvents) waiting.push({ event, makeData, at });
      else skipped += 1;
      flushSoon();
    },
    want: () => {
      const at = monotonicMs();
      if (!isWanted()) waiting = waiting.filter((each) => each.at > at - recentMs);
      wantedUntil = at + believedMs;
      if (waiting.length > 0) flushSoon();
    },
    close: clear,
  };
}

/** Another version may have written it. */
function showAll(body: Readonly<Record<string, unknown>>, { show, skip }: Pick<ExchangeParts, 'show' | 'skip'>): void {
  const { events, skipped } = body;
  for (const each of Array.isArray(events) ? events : []) {
    const [event, data] = Array.isArray(each) ? each : [];
    if (isEventName(event) && typeof data === 'object' && data !== null) show(event, () => data);
  }
  if (typeof skipped === 'number' && skipped > 0) skip(skipped);
}

/** It becomes a line of the stream. */
const isEventName = (value: unknown): value is string => typeof value === 'string' && /^[a-z]{1,32}$/.test(value);
