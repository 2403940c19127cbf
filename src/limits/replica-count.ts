// How many others count together with this process. One that joins says so first, and goes by what all know only when every
// other has heard of it.

export interface ReplicaCountOptions {
  /** Tells the others that we are here. How many there are; undefined: no one can be told now. */
  readonly signOn: () => Promise<number | undefined>;
  readonly monotonicMs: () => number;
  readonly onFault: (error: unknown) => void;
  /**
   * Others call us at any time: we say that we are here from the start to the end, so that the first request need not wait for it.
   * Else only while there is something to count: each that says so costs a connection, and takes its part of what all may count untold.
   */
  readonly isServer: boolean;
}

export interface ReplicaCount {
  /** Of a server; the others begin with what they count. */
  readonly start: () => void;
  /** There is something to count. A promise only while the others are not known. */
  readonly ready: () => void | Promise<void>;
  /** Beside us. Undefined: not known. */
  readonly others: (nowMs: number) => number | undefined;
  /** Every other knows of us. */
  readonly isSettled: (nowMs: number) => boolean;
  readonly stop: () => void;
}

const RENEW_MS = 2_000;
/** What is known of the others is older than that: one may have come. Less than the 10 s after which they forget us. */
const STALE_MS = 8_000;
/** By then every other has asked again, or knows that what it knows is old. */
const SETTLE_MS = 9_000;
/** With nothing to count for so long, one that no one calls is silent. */
const IDLE_MS = 60_000;

export function createReplicaCount({ signOn, monotonicMs, onFault, isServer }: ReplicaCountOptions): ReplicaCount {
  let found: { readonly others: number; readonly atMs: number; readonly sinceMs: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let countedMs = Number.NEGATIVE_INFINITY;
  const isFresh = (nowMs: number): boolean => found !== undefined && nowMs - found.atMs <= STALE_MS;
  const renew = async (): Promise<void> => {
    const atMs = monotonicMs();
    try {
      const others = await signOn();
      if (others === undefined) return;
      const nowMs = monotonicMs();
      found = { others, atMs, sinceMs: found !== undefined && isFresh(nowMs) ? found.sinceMs : nowMs };
    } catch (error) {
      onFault(error);
    }
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    if (isServer || monotonicMs() - countedMs <= IDLE_MS) void renew();
    else stop();
  };
  const start = (): void => {
    timer ??= setInterval(look, RENEW_MS).unref();
  };
  return {
    start: () => {
      if (isServer) start();
    },
    ready: () => {
      countedMs = monotonicMs();
      start();
      return isFresh(countedMs) ? undefined : renew();
    },
    others: (nowMs) => (isFresh(nowMs) ? found?.others : undefined),
    isSettled: (nowMs) => found !== undefined && isFresh(nowMs) && nowMs - found.sinceMs >= SETTLE_MS,
    stop,
  };
}
