// How long a database has said nothing although it is asked. All that wait for it wait together, not one after the other: a
// request that asks it several things has its answer when the time of the first is over (F1, N7). One that is only slow says
// something now and then, if only to a question that is easy to answer: it is waited for as long as each operation may take. Only time
// in which this process ran counts: it hears nothing while it is halted or busy.
import { createAwakeClock } from '../async/awake-clock.ts';
import { patiently } from '../async/patiently.ts';

export interface Silence {
  /** A question is under way, until `over`. */
  readonly asked: () => void;
  readonly over: () => void;
  /** It said something, to whatever question. */
  readonly heard: () => void;
  /** 0: nothing is owed. */
  readonly ms: () => number;
  /** Rejects with `late` when the time is over, or sooner when the database has been silent for too long. */
  readonly wait: <T>(work: Promise<T>, limitMs: number, late: () => Error) => Promise<T>;
  /** It has been silent for too long: there is no use in asking. */
  readonly isTooLong: () => boolean;
  readonly close: () => void;
}

export interface SilenceOptions {
  readonly mostMs: number;
  /** Something easy, on a connection of its own: whether it said anything, be it a refusal. Never rejects. */
  readonly probe: () => Promise<boolean>;
  readonly monotonicMs: () => number;
}

export function createSilence({ mostMs, probe, monotonicMs }: SilenceOptions): Silence {
  /** After so long a slow statement is told from a database that hangs. */
  const probeMs = mostMs / 4;
  const awakeMs = createAwakeClock(monotonicMs);
  let pending = 0;
  let sinceMs: number | undefined;
  let beat: NodeJS.Timeout | undefined;
  let isProbing = false;
  let isClosed = false;
  const ms = (): number => (sinceMs === undefined ? 0 : awakeMs() - sinceMs);
  const leftMs = (): number => mostMs - ms();
  const heard = (): void => {
    sinceMs = pending === 0 ? undefined : awakeMs();
  };
  const stop = (): void => {
    clearInterval(beat);
    beat = undefined;
  };
  /** Again and again until something is heard, also when no one asks meanwhile: the next one is not refused for nothing. */
  const look = async (): Promise<void> => {
    if (sinceMs === undefined) stop();
    if (isProbing || ms() < probeMs) return;
    isProbing = true;
    if (await probe()) heard();
    isProbing = false;
  };
  return {
    asked: () => {
      pending += 1;
      sinceMs ??= awakeMs();
      if (!isClosed) beat ??= setInterval(() => void look(), probeMs / 4).unref();
    },
    over: () => {
      pending -= 1;
      if (pending === 0 && ms() < probeMs) sinceMs = undefined;
    },
    heard,
    ms,
    wait: (work, limitMs, late) => {
      const endMs = awakeMs() + limitMs;
      return patiently(work, () => Math.min(endMs - awakeMs(), leftMs()), late);
    },
    isTooLong: () => leftMs() <= 0,
    close: () => {
      isClosed = true;
      stop();
    },
  };
}
