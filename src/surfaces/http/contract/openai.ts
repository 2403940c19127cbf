// Skills as OpenAI-style function tools over the API (H2, T11).
import { exactly, flag, list, object, record, text } from '../../../operations/shape.ts';
import { jsonAnswer, route } from './route.ts';

const functionTool = record({
  type: exactly('function'),
  function: record({ name: text(), description: text(), parameters: object.about('JSON Schema'), strict: flag }),
})
  .about('For the `tools` of a request to a model')
  .named('FunctionTool');

const functionToolList = record({ tools: list(functionTool) }).named('FunctionToolList');

/** For readers: the dispatcher tells a model what is wrong with its call, whatever it sends. */
const toolCall = record({
  id: text(),
  type: exactly('function'),
  function: record({ name: text(), arguments: text().about('JSON, as the model wrote it') }),
})
  .about("One of the `tool_calls` of a model's answer")
  .named('ToolCall');

const toolMessage = record({
  role: exactly('tool'),
  tool_call_id: text(),
  name: text(),
  content: text().about('JSON: the answer, or { "error": … }'),
})
  .about('For the `messages` of the next request')
  .named('ToolMessage');

const tag = 'function tools';

export const openAiRoutes = {
  listFunctionTools: route({
    method: 'GET',
    path: '/api/openai/tools',
    tag,
    summary: 'Definitions of the functions that a model may call',
    answers: { 200: jsonAnswer('The definitions', functionToolList) },
  }),
  dispatchToolCall: route({
    method: 'POST',
    path: '/api/openai/dispatch',
    tag,
    summary: 'Answer one tool call of a model',
    body: { description: 'The tool call as the model made it', shape: toolCall },
    answers: { 200: jsonAnswer('The message with the answer, or with what was wrong', toolMessage) },
    failures: [400, 413, 415],
  }),
};
