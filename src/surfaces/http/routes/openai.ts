// `/api/openai`: skills as OpenAI-style function tools (H2, T11).
import { createBoundedMap } from '../../../async/bounded-map.ts';
import { rightsKey } from '../../../identity/caller.ts';
import { maySeePaths } from '../../../operations/access.ts';
import type { FunctionTools, ToolCall } from '../../openai/function-tools.ts';
import { invalid, json, type Reply } from '../message/reply.ts';
import { type Handlers, parseBody, whileClientWaits } from './handler.ts';

/** Callers of the same roles get the same: few installations have more kinds of agents. */
const MOST_KEPT = 32;

export function openAiHandlers(tools: FunctionTools): Pick<Handlers, 'listFunctionTools' | 'dispatchToolCall'> {
  const kept = createBoundedMap<string, Reply>({ most: MOST_KEPT });
  return {
    listFunctionTools: ({ admitted: { caller } }) => {
      const key = rightsKey(caller);
      const reply = kept.get(key) ?? json({ tools: tools.definitionsFor(caller) });
      kept.set(key, reply);
      return reply;
    },
    dispatchToolCall: async ({ admitted }) => {
      const body = parseBody(admitted.body);
      if (!body.ok) return invalid(body.failure);
      const { caller, correlationId } = admitted;
      const remote = !maySeePaths(admitted);
      return whileClientWaits(admitted.response, async (signal) =>
        // The dispatcher checks every field itself: it tells the model what is wrong with a call.
        json(
          await tools.dispatch(body.value as ToolCall, {
            caller,
            correlationId,
            signal,
            remote,
            span: admitted.trace?.span,
          }),
        ),
      );
    },
  };
}
