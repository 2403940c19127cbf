// The shape of one MCP tool, and the few ways a tool answers.
import type { Access, Caller } from '../../../identity/caller.ts';
import type { ClientInfo } from '../../../identity/client-info.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { LargeResult, PreparedResult, RequestContext, RpcError } from '../wire/method.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** At most 1,900 characters at any number of skills. Made when asked for: it may name skills, not to all the same. */
  describe(client: ClientInfo): string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: JsonObject;
  readonly _meta?: JsonObject;
  /** Only callers who may invoke it are shown it (X10); everyone, where it is left out. */
  readonly access?: Access;
  /** Who else it is not shown to; everyone may see it where it is left out. */
  readonly isFor?: (caller: Caller) => boolean;
  /** Its answer is worth a view of its own, where a server has a UI (T8). */
  readonly hasView?: boolean;
  /** `meta`: the request's `_meta`. */
  call(input: JsonObject, context: RequestContext, meta: JsonObject): ToolAnswer | Promise<ToolAnswer>;
}

export type ToolResult = JsonObject & { readonly content: readonly JsonObject[] };

export type ToolAnswer = ToolResult | PreparedResult | LargeResult | ToolRefusal;

/** The call is fine, but there is no room for its answer now: a protocol error, as at every other limit. */
export class ToolRefusal {
  readonly error: RpcError;

  constructor(error: RpcError) {
    this.error = error;
  }
}

/** T8: what every tool over documents promises. */
export const READ_ONLY: JsonObject = { readOnlyHint: true, openWorldHint: false, destructiveHint: false };

export const textContent = (text: string): JsonObject => ({ type: 'text', text });

/** A tool's own failure is a result, not a protocol error. */
export const toolError = (text: string): ToolResult => ({ content: [textContent(text)], isError: true });
