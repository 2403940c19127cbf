// `/ready` and `/api/openapi.json`: the server about itself (H2). `/health` is answered before any route: public-routes.ts.
import type { Handlers } from '../contract.ts';
import { openApiDocument } from '../openapi.ts';
import type { Readiness } from '../ready.ts';
import { json } from '../reply.ts';

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
