// A promise made at the first use and kept, unless it fails: the next use then tries again.

export interface KeptPromise<T> {
  /** Shared by all callers. */
  readonly get: () => Promise<T>;
  /** What is kept now; never starts the work. */
  readonly find: () => Promise<T> | undefined;
  /** The next `get` makes a new one. */
  readonly forget: () => void;
}

/**
 * @example
 * const key = keptPromise(() => loadSigningKey());
 * const signed = sign(await key.get(), claims);
 */
export function keptPromise<T>(make: () => Promise<T>): KeptPromise<T> {
  let kept: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const made = make().catch((error: unknown) => {
      // Unless it was forgotten meanwhile: then another one is kept.
      if (kept === made) kept = undefined;
      throw error;
    });
    return made;
  };
  return {
    get: () => {
      kept ??= start();
      return kept;
    },
    find: () => kept,
    forget: () => {
      kept = undefined;
    },
  };
}
