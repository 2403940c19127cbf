// `/api/openai`: skills as OpenAI-style function tools (H2, T11).
import { maySeePaths } from '../../../operations/access.ts';
import type { FunctionTools, ToolCall } from '../../openai/function-tools.ts';
import { invalid, json } from '../message/reply.ts';
import { type Handlers, parseBody, whileClientWaits } from './handler.ts';

export function openAiHandlers(tools: FunctionTools): Pick<Handlers, 'listFunctionTools' | 'dispatchToolCall'> {
  const definitions = json({ tools: tools.definitions });
  return {
    listFunctionTools: () => definitions,
    dispatchToolCall: async ({ admitted }) => {
      const body = parseBody(admitted.body);
      if (!body.ok) return invalid(body.failure);
      const { caller, correlationId } = admitted;
      const remote = !maySeePaths(admitted);
      return whileClientWaits(admitted.response, async (signal) =>
        // The dispatcher checks every field itself: it tells the model what is wrong with a call.
        json(await tools.dispatch(body.value as ToolCall, { caller, correlationId, signal, remote })),
      );
    },
  };
}
