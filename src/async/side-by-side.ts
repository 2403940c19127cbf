// Work side by side, a few at a time.

/**
 * Begun in their order, at most `atOnce` at a time; the results stand in the same order. Work that rejects ends all of it.
 *
 * @example
 * const sizes = await sideBySide(paths, 8, async (path) => (await stat(path)).size);
 */
export async function sideBySide<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    // Each takes the next one from the one queue.
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
