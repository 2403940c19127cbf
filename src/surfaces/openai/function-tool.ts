// One function that a model may call, and how it is answered.
import type { Caller } from '../../identity/caller.ts';
import type { JsonObject } from '../../values/json-object.ts';
import type { Result } from '../../values/result.ts';
import type { Span } from '../../values/trace.ts';

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
  /** The work that the call is part of, where traces are kept. */
  readonly span?: Span | undefined;
  /** The model's messages go beyond this machine: no path of it is in them. */
  readonly remote?: boolean;
}

export interface FunctionTool {
  readonly definition: FunctionToolDefinition;
  /** Only these callers are offered it (X10); all, where it is left out. */
  readonly isFor?: (caller: Caller) => boolean;
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

/**
 * One of the `tool_calls` of an answer, as the provider sends it. Calls of another type are answered with an error.
 *
 * @example
 * const call: ToolCall = { id: 'call_1', type: 'function', function: { name: 'list_skills', arguments: '{}' } };
 * const message = await createFunctionTools(repertoire).dispatch(call);
 */
export interface ToolCall {
  readonly id: string;
  readonly type: string;
  /** `arguments`: JSON, written by the model. */
  readonly function?: { readonly name: string; readonly arguments: string };
}

/**
 * What goes into the next request. `content`: JSON, the answer or `{ "error": … }`.
 *
 * @example
 * const messages: ToolMessage[] = await createFunctionTools(repertoire).dispatchAll([
 *   { id: 'call_1', type: 'function', function: { name: 'get_skill', arguments: '{"skill_name":"sql-review"}' } },
 * ]);
 */
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly name: string;
  readonly content: string;
}

/**
 * Skills as functions for a model: what to offer, and the answers to its calls.
 *
 * @example
 * const tools: FunctionTools = createFunctionTools(repertoire);
 * const request = { model: 'any-model', messages: [], tools: [...tools.definitions] };
 */
export interface FunctionTools {
  /** Every function: what to offer for the operator. */
  readonly definitions: readonly FunctionToolDefinition[];
  /** What to offer for this caller: typed skills only where they may invoke them. */
  definitionsFor(caller: Caller): readonly FunctionToolDefinition[];
  /** Whatever the model sent, the promise resolves: what is wrong with a call is in the message for the model. */
  dispatch(call: ToolCall, context?: DispatchContext): Promise<ToolMessage>;
  /** Side by side; the messages in the order of the calls. Answers without calls have no `tool_calls`: no messages. */
  dispatchAll(calls: readonly ToolCall[] | null | undefined, context?: DispatchContext): Promise<ToolMessage[]>;
}
