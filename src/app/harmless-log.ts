// The log that a program hands over to an entry of the package, made harmless.
import type { RuntimeEvent, RuntimeLog } from '../skills/record/runtime-log.ts';

/** A fault of the program's own log, thrown or rejected, must neither stop what runs nor leave a port open. */
export function harmlessLog(log: ((event: RuntimeEvent) => unknown) | undefined): RuntimeLog {
  if (log === undefined) return () => undefined;
  return (event) => {
    new Promise((resolve) => resolve(log(event))).catch(() => undefined);
  };
}
