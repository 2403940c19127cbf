// One function that a model may call, and how it is answered.
import type { Access, Caller } from '../../identity/caller.ts';
import type { JsonObject } from '../../values/json-object.ts';
import type { Result } from '../../values/result.ts';

/**
 * A function as a request to a model describes it.
 *
 * @example
 * const names = createFunctionTools(repertoire).definitions.map((tool: FunctionToolDefinition) => tool.function.name);
 */
export interface FunctionToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** A JSON Schema. */
    readonly parameters: Readonly<Record<string, unknown>>;
    /** Whether strict mode accepts the schema; always for the functions over documents. */
    readonly strict: boolean;
  };
}

/**
 * Who lets the model call. Without one it is the local operator.
 *
 * @example
 * const context: DispatchContext = { caller: agentCaller('TaskAgent'), signal: AbortSignal.timeout(10_000) };
 * const messages = await createFunctionTools(repertoire).dispatchAll([], context);
 */
export interface DispatchContext {
  readonly caller?: Caller | undefined;
  /** 8-4-4-4-12 hexadecimal digits; made when left out. */
  readonly correlationId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The model's messages go beyond this machine: no path of it is in them. */
  readonly remote?: boolean;
}

export interface FunctionTool {
  readonly definition: FunctionToolDefinition;
  /** Only callers who may invoke it are offered it (X10); everyone, where it is left out. */
  readonly access?: Access;
  /** What to send, for the messages about wrong arguments. */
  readonly example: string;
  /** The only fields that it takes; `undefined`: it looks itself. */
  readonly fields: readonly string[] | undefined;
  /** The failure is a sentence for the model. */
  call(input: JsonObject, context: DispatchContext): FunctionResult | Promise<FunctionResult>;
}

type FunctionResult = Result<JsonObject, string>;

/** Strict mode wants every property required. */
export function strictDefinition(name: string, description: string, properties: JsonObject): FunctionToolDefinition {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { type: 'function', function: { name, description, parameters, strict: true } };
}
