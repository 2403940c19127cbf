// Ends the wait for something that takes too long. An ordinary timer: the process stays until it has fired.
import { StoreUnavailable } from '../skills/record/invocation-log.ts';

export const tooSlow = () =>
  new StoreUnavailable(
    'Cannot use the database: it takes too long to answer; look whether it is overloaded or stopped',
  );

/** What `work` comes to after the limit is ignored, also its rejection. `late`: what to say then. */
export function withTimeLimit<T>(
  work: Promise<T>,
  limitMs: number,
  late: () => StoreUnavailable = tooSlow,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
