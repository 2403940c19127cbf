// What a store rejects with when it cannot be used now: everyone who asks one tells it from a fault of ours.

/**
 * The store cannot be reached, is full, or took too long. Its message is a sentence without a path, an address or SQL.
 *
 * @example
 * const begin = () => Promise.reject(new StoreUnavailable('the store is being moved'));
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
