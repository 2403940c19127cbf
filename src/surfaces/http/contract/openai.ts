// Skills as OpenAI-style function tools over the API (H2, T11).
import { z } from 'zod';
import { jsonAnswer, operation } from './operation.ts';
import { NO_QUERY } from './parameters.ts';

const tag = 'function tools';

export const functionTool = z
  .strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()).describe('JSON Schema'),
      strict: z.boolean(),
    }),
  })
  .describe('For the `tools` of a request to a model');

export const functionToolList = z.strictObject({ tools: z.array(functionTool) });

/** For readers: the dispatcher tells a model what is wrong with its call, whatever it sends. */
export const toolCall = z
  .object({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string().describe('JSON, as the model wrote it') }),
  })
  .describe("One of the `tool_calls` of a model's answer");

export const toolMessage = z
  .strictObject({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    name: z.string(),
    content: z.string().describe('JSON: the answer, or { "error": … }'),
  })
  .describe('For the `messages` of the next request');

export const openAiOperations = {
  listFunctionTools: operation({
    method: 'GET',
    path: '/api/openai/tools',
    tag,
    summary: 'Definitions of the functions that a model may call',
    query: NO_QUERY,
    answers: { 200: jsonAnswer('The definitions', functionToolList) },
    failures: [400],
  }),
  dispatchToolCall: operation({
    method: 'POST',
    path: '/api/openai/dispatch',
    tag,
    summary: 'Answer one tool call of a model',
    query: NO_QUERY,
    body: { description: 'The tool call as the model made it', schema: toolCall },
    answers: { 200: jsonAnswer('The message with the answer, or with what was wrong', toolMessage) },
    failures: [400, 413, 415],
  }),
};
