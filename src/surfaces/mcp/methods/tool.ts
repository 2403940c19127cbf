// The shape of one MCP tool, what ours are called, and the few ways a tool answers.
import type { JsonObject } from '../../../values/json-object.ts';
import type { ClientInfo, PreparedResult, RequestContext } from '../wire/method.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** At most 1,900 characters at any number of skills. Made when asked for: it may name skills, not to all the same. */
  describe(client: ClientInfo): string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: JsonObject;
  readonly _meta?: JsonObject;
  /** Its answer is worth a view of its own, where a server has a UI (T8). */
  readonly hasView?: boolean;
  /** `meta`: the request's `_meta`. */
  call(input: JsonObject, context: RequestContext, meta: JsonObject): ToolAnswer | Promise<ToolAnswer>;
}

export type ToolResult = JsonObject & { readonly content: readonly JsonObject[] };

export type ToolAnswer = ToolResult | PreparedResult;

/** T8: what every tool over documents promises. */
export const READ_ONLY: JsonObject = { readOnlyHint: true, openWorldHint: false, destructiveHint: false };

export const textContent = (text: string): JsonObject => ({ type: 'text', text });

/** A tool's own failure is a result, not a protocol error. */
export const toolError = (text: string): ToolResult => ({ content: [textContent(text)], isError: true });

/** What the document tools are called, in the order of the tool list; another server may have other names (T10). */
export const TOOL_NAMES = {
  skill: 'skill',
  list_skills: 'list_skills',
  search_skills: 'search_skills',
  get_skill: 'get_skill',
  read_skill_file: 'read_skill_file',
} as const;

export type DocumentToolName = keyof typeof TOOL_NAMES;

/**
 * By the name that we give a tool: the name that agents see, also where the tools mention each other.
 *
 * @example
 * const toolNames: Partial<ToolNames> = { skill: 'load_support_skill', list_skills: 'list_support_skills' };
 * registerSkills(server, catalog, { toolNames });
 */
export type ToolNames = Readonly<Record<DocumentToolName, string>>;
