// How many others count together with this process. One that joins says so first, and goes by what all know only when every
// other has heard of it.

export interface ReplicaCountOptions {
  /** Tells the others that we are here. How many there are; undefined: no one can be told now. */
  readonly signOn: () => Promise<number | undefined>;
  readonly monotonicMs: () => number;
  readonly onFault: (error: unknown) => void;
}

export interface ReplicaCount {
  /** We are at work: to be told again and again while that lasts. A promise only before the others are known. */
  readonly touch: () => void | Promise<void>;
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
/** A process with nothing to count is silent from then on. */
const IDLE_MS = 60_000;

export function createReplicaCount({ signOn, monotonicMs, onFault }: ReplicaCountOptions): ReplicaCount {
  let found: { readonly others: number; readonly atMs: number; readonly sinceMs: number } | undefined;
  let touchedMs = 0;
  let timer: NodeJS.Timeout | undefined;
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
    if (monotonicMs() - touchedMs > IDLE_MS) stop();
    else void renew();
  };
  return {
    touch: () => {
      touchedMs = monotonicMs();
      timer ??= setInterval(look, RENEW_MS).unref();
      return isFresh(touchedMs) ? undefined : renew();
    },
    others: (nowMs) => (isFresh(nowMs) ? found?.others : undefined),
    isSettled: (nowMs) => found !== undefined && isFresh(nowMs) && nowMs - found.sinceMs >= SETTLE_MS,
    stop,
  };
}
