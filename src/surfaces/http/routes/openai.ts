// `/api/openai`: skills as OpenAI-style function tools (H2, T11).
import { maySeePaths } from '../../answers/hide-paths.ts';
import type { FunctionTools, ToolCall } from '../../openai/function-tools.ts';
import type { Handlers } from '../contract.ts';
import { json } from '../reply.ts';
import { parseBody } from './body.ts';
import { watchLeaving } from './leaving.ts';

export function openAiHandlers(tools: FunctionTools): Pick<Handlers, 'listFunctionTools' | 'dispatchToolCall'> {
  const definitions = json({ tools: tools.definitions });
  return {
    listFunctionTools: () => definitions,
    dispatchToolCall: async ({ exchange }) => {
      const body = parseBody(exchange.body);
      if (!body.ok) return body.failure;
      const leaving = watchLeaving(exchange.response);
      try {
        const { caller, correlationId } = exchange;
        const remote = !maySeePaths(exchange);
        // The dispatcher looks at every field itself: what is wrong with a call is told to the model.
        return json(
          await tools.dispatch(body.value as ToolCall, { caller, correlationId, signal: leaving.signal, remote }),
        );
      } finally {
        leaving.end();
      }
    },
  };
}
