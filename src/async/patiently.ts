// Waits for a promise as long as someone else says that time is left: there may be more by the time it is up.
import { LONGEST_TURN_MS } from './awake-clock.ts';

/** Rejects with `late` when nothing is left. `leftMs` is asked often enough for an awake clock. */
export function patiently<T>(work: Promise<T>, leftMs: () => number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
      clearTimeout(timer);
    };
    const wait = (): void => {
      timer = setTimeout(onTime, Math.min(leftMs(), LONGEST_TURN_MS / 2));
    };
    // After what has come in: a process that was busy for long reads what is there before it gives up.
    const onTime = (): void => {
      if (leftMs() > 0) wait();
      else setImmediate(look);
    };
    const look = (): void => {
      if (isSettled) return;
      if (leftMs() > 0) {
        wait();
        return;
      }
      settle();
      reject(late());
    };
    wait();
    work.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}
