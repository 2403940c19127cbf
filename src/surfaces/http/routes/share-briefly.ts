// One look at something slow for all who ask at the same time, kept for a moment after it has ended.

export interface SharingOptions {
  readonly monotonicMs: () => number;
  /** How long what took so long is kept. */
  readonly keepMs: (tookMs: number) => number;
}

/** A failure is kept as long as an answer. */
export function shareBriefly<T>(look: () => Promise<T>, { monotonicMs, keepMs }: SharingOptions): () => Promise<T> {
  let latest: Promise<T> | undefined;
  /** While it is under way: for ever. */
  let freshUntil = 0;
  return () => {
    const now = monotonicMs();
    if (latest !== undefined && now < freshUntil) return latest;
    freshUntil = Number.POSITIVE_INFINITY;
    latest = look().finally(() => {
      const ended = monotonicMs();
      freshUntil = ended + keepMs(ended - now);
    });
    return latest;
  };
}
