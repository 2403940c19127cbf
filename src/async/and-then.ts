// Goes on with a value that is there at once or comes later: without a promise where none is needed.

/**
 * @example
 * const verdict = andThen(limit.take(caller), (wait) => (wait === undefined ? PASS : refuse(wait)));
 */
export const andThen = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
