// `/ready` and `/api/openapi.json`: the server about itself (H2). The guard answers `/health` itself: public-routes.ts.
import type { Repertoire } from '../../../repertoire/repertoire.ts';

import { openApiDocument } from '../contract/openapi.ts';
import { json } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import { shareBriefly } from './share-briefly.ts';

export function serviceHandlers(
  readiness: () => Promise<Readiness>,
  version: string,
): Pick<Handlers, 'getReadiness' | 'getOpenApi'> {
  let description: ReturnType<typeof json> | undefined;
  return {
    getReadiness: async () => {
      const state = await readiness();
      return json(state, state.status === 'ready' ? 200 : 503);
    },
    getOpenApi: () => {
      // Made for the first request: it costs some milliseconds that most servers never need.
      description ??= json(openApiDocument(version));
      return description;
    },
  };
}

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
  /** Called with a fault of ours. */
  readonly onError: (error: unknown) => void;
}

/** It is asked for often and without a credential: the store is looked at once a second at most. */
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
