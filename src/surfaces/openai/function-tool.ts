// One function that a model may call, and how it is answered.
import type { JsonObject } from '../../values/json-object.ts';
import type { Result } from '../../values/result.ts';
import type { DispatchContext, FunctionToolDefinition } from './function-tools.ts';

export interface FunctionTool {
  readonly definition: FunctionToolDefinition;
  /** What to send, for the messages about wrong arguments. */
  readonly example: string;
  /** The only fields that it takes; `undefined`: it looks itself. */
  readonly fields: readonly string[] | undefined;
  call(input: JsonObject, context: DispatchContext): Answer | Promise<Answer>;
}

type Answer = Result<JsonObject, string>;
