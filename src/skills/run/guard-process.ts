// Keeps the process alive when a skill's forgotten background work fails: other skills go on (F14).
import { traceOf } from '../record/describe-error.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';

export interface ProcessGuard {
  /** Faults since it was installed. */
  readonly faults: number;
  readonly remove: () => void;
}

/** To be installed once, after the start, when there are typed skills: before it a fault of ours should end the process. */
export function guardProcess(log: RuntimeLog): ProcessGuard {
  let faults = 0;
  const note = (what: string) => (error: unknown) => {
    faults++;
    // Where, not what: the words may hold secrets that we have no list of.
    log({ level: 'error', message: what, faults, trace: traceOf(error) });
  };
  const onRejection = note('An unhandled rejection, probably from the background work of a skill');
  const onException = note('An uncaught error, probably from the background work of a skill');
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return {
    get faults() {
      return faults;
    },
    remove: () => {
      process.off('unhandledRejection', onRejection);
      process.off('uncaughtException', onException);
    },
  };
}
