// `/ready` and `/api/openapi.json`: the server about itself (H2). `/health` is answered before any route: public-routes.ts.

import { openApiDocument } from '../contract/openapi.ts';
import { json } from '../message/reply.ts';
import type { Handlers } from './handler.ts';
import type { Readiness } from './readiness.ts';

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
      // Made for the first who asks: it costs some milliseconds that most servers never need.
      description ??= json(openApiDocument(version));
      return description;
    },
  };
}
