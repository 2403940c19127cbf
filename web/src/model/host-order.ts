// Which hosts a page offers at first: those on this machine, or else the best known ones. Pure.
import type { Host } from './shapes.ts';

export interface OfferedHosts {
  readonly first: readonly Host[];
  /** Shown on request. */
  readonly further: readonly Host[];
  /** Whether the first ones were found on this machine. */
  readonly areFound: boolean;
}

/** Where none was found, or none can be: the server tells the best known ones first. */
const BEST_KNOWN = 5;

/** What stands for every host that the server does not know. */
export const OTHER = 'other';

/** `chosen` is among the first, and so is the one that stands for all others, at their end. */
export function orderHosts(hosts: readonly Host[], chosen: string | undefined): OfferedHosts {
  const named = hosts.filter(({ id }) => id !== OTHER);
  const found = named.filter(({ is_found }) => is_found === true);
  const offered = found.length > 0 ? found : named.slice(0, BEST_KNOWN);
  const isFirst = (host: Host) => offered.includes(host) || host.id === chosen || host.id === OTHER;
  return {
    first: hosts.filter(isFirst),
    further: hosts.filter((host) => !isFirst(host)),
    areFound: found.length > 0,
  };
}
