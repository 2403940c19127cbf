// The methods tools/list and tools/call over a list of tools.
import { type Caller, mayInvoke } from '../../../identity/caller.ts';
import type { ClientInfo } from '../../../identity/client-info.ts';
import { echoText } from '../../../text/list-text.ts';
import { isRecord } from '../../../values/is-record.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { fail, ok } from '../../../values/result.ts';
import { invalidParams } from '../wire/json-rpc.ts';
import type { Method, MethodResult } from '../wire/method.ts';
import { type Tool, type ToolAnswer, ToolRefusal } from './tool.ts';

export interface ToolList {
  /** Who asks where a request does not say. */
  readonly caller: Caller;
  /** How a tool looks at the moment. */
  readonly show?: ((tool: Tool) => Tool) | undefined;
}

export const listTools = (tools: readonly Tool[], { caller: usual, show = (tool) => tool }: ToolList): Method => {
  return (params, { client, caller = usual }) => {
    // All tools fit on one page, so there is no cursor that could be right.
    if (params.cursor !== undefined) return invalidParams('Invalid cursor');
    const shown = tools.filter((tool) => isShown(tool, caller));
    return ok({ tools: shown.map((tool) => publish(show(tool), client)) });
  };
};

/** A tool that the caller may not use is not offered; called all the same, it says why not (X10). */
export const isShown = ({ access, isFor }: Pick<Tool, 'access' | 'isFor'>, caller: Caller): boolean =>
  (access === undefined || mayInvoke(caller, access)) && (isFor === undefined || isFor(caller));

export const callTool = (tools: readonly Tool[]): Method => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return (params, context) => {
    const { name, arguments: input = {} } = params;
    if (typeof name !== 'string') return invalidParams('Invalid params: name must be a string');
    const tool = byName.get(name);
    if (tool === undefined) return invalidParams(`Unknown tool: ${JSON.stringify(echoText(name, 100))}`);
    if (!isRecord(input)) return invalidParams('Invalid params: arguments must be an object');
    const result = tool.call(input, context, isRecord(params._meta) ? params._meta : {});
    return result instanceof Promise ? result.then(resultOf) : resultOf(result);
  };
};

const resultOf = (answer: ToolAnswer): MethodResult =>
  answer instanceof ToolRefusal ? fail(answer.error) : ok(answer);

function publish(tool: Tool, client: ClientInfo): JsonObject {
  const { name, title, inputSchema, outputSchema, annotations, _meta } = tool;
  const description = tool.describe(client);
  const published = { name, title, description, inputSchema, annotations: { title, ...annotations } };
  return { ...published, ...(outputSchema && { outputSchema }), ...(_meta && { _meta }) };
}
