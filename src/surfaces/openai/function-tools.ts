// Skills as OpenAI-style function tools, as a program offers them to a model (T11).
import type { Repertoire } from '../../repertoire/repertoire.ts';
import type { FunctionTools } from './function-tool.ts';
import { createServedFunctions } from './served-functions.ts';

export type {
  DispatchContext,
  FunctionToolDefinition,
  FunctionTools,
  ToolCall,
  ToolMessage,
} from './function-tool.ts';

/**
 * Where faults are reported.
 *
 * @example
 * const options: FunctionToolsOptions = { onError: (error) => console.error(error) };
 * const tools = createFunctionTools(repertoire, options);
 */
export interface FunctionToolsOptions {
  /** Called with a fault of ours; the model learns only that there was one (T9). */
  readonly onError?: (error: unknown) => void;
}

/**
 * Skills as OpenAI-style function tools: `list_skills`, `get_skill`, and one function for each typed skill of the
 * repertoire. Whatever the model sends is answered; nothing throws.
 *
 * @example
 * const tools = createFunctionTools(createRepertoire(catalog, { runtime }));
 * const call = { id: 'call_1', type: 'function', function: { name: 'greet', arguments: '{"name":"Ada"}' } };
 * const [message] = await tools.dispatchAll([call]);
 */
export function createFunctionTools(
  repertoire: Repertoire,
  { onError = () => undefined }: FunctionToolsOptions = {},
): FunctionTools {
  return createServedFunctions(repertoire, { onError, runs: undefined });
}
