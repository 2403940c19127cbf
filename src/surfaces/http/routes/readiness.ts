// Whether everything can be answered now. Asked often and by anybody: the store is looked at once a second at most.

import { shareBriefly } from '../../../async/share-briefly.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';

export interface Readiness {
  readonly status: 'ready' | 'degraded';
  /** Sentences without a path, an address or SQL. */
  readonly reasons: readonly string[];
}

type Health = { readonly isReady: true } | { readonly isReady: false; readonly reason: string };

export interface ReadinessParts {
  readonly repertoire: Pick<Repertoire, 'isWhole'>;
  /** Absent with `--no-log`. */
  readonly health: (() => Promise<Health>) | undefined;
  readonly monotonicMs: () => number;
  /** Told of a fault of ours. */
  readonly onError: (error: unknown) => void;
}

const FRESH_MS = 1_000;

export function createReadiness({
  repertoire,
  health,
  monotonicMs,
  onError,
}: ReadinessParts): () => Promise<Readiness> {
  const storeReasons =
    health === undefined
      ? async () => []
      : shareBriefly(() => reasonsOf(health, onError), { monotonicMs, keepMs: () => FRESH_MS });
  return async () => {
    const catalogReasons = repertoire.isWhole ? [] : ['The folders are still being searched for skills'];
    const reasons = [...catalogReasons, ...(await storeReasons())];
    return { status: reasons.length === 0 ? 'ready' : 'degraded', reasons };
  };
}

async function reasonsOf(health: () => Promise<Health>, onError: (error: unknown) => void): Promise<readonly string[]> {
  try {
    const state = await health();
    return state.isReady ? [] : [state.reason];
  } catch (error) {
    onError(error);
    return ['The database cannot be looked at'];
  }
}
