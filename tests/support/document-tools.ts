// The document tools as a test wants to call them: typed answers, and a throw where the protocol itself failed.
import type { Message, RawClient } from './raw-client.ts';

export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

interface ToolContent {
  readonly type: string;
  readonly text?: string;
  readonly resource?: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly blob?: string;
    readonly text?: string;
  };
}

export interface Listing {
  readonly skills: readonly ListedSkill[];
  readonly problems: readonly ListedProblem[];
  readonly next_cursor: string | null;
}

export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  readonly uri: string;
  readonly source: string;
  readonly availability: string;
}

interface ListedProblem {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
  readonly fix: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly annotations: Record<string, unknown>;
}

export async function callTool(client: RawClient, name: string, args: unknown): Promise<ToolResult> {
  const answer = await client.request('tools/call', { name, arguments: args });
  if (answer.result === undefined) throw new Error(`${name} failed on the wire: ${JSON.stringify(answer.error)}`);
  return answer.result as unknown as ToolResult; // Its shape is what the tests then check.
}

/** The text of a result that holds exactly one text item. */
export function onlyText(result: ToolResult): string {
  const [item, ...others] = result.content;
  if (item?.type !== 'text' || item.text === undefined || others.length > 0) {
    throw new Error(`Expected one text item, got ${JSON.stringify(result.content).slice(0, 500)}`);
  }
  return item.text;
}

/** One page, by default as large as pages can be. */
export async function listSkills(client: RawClient, args: object = { limit: 1000 }): Promise<Listing> {
  const { structuredContent, isError } = await callTool(client, 'list_skills', args);
  if (isError === true || structuredContent === undefined) throw new Error('list_skills failed');
  return structuredContent as unknown as Listing; // T2's shape; the tests compare its fields.
}

export async function namesOf(client: RawClient): Promise<readonly string[]> {
  return (await listSkills(client)).skills.map((skill) => skill.name).sort();
}

/** The text that `skill` loads, without the lines before it. */
export async function loadContent(client: RawClient, name: string): Promise<string> {
  const result = await callTool(client, 'skill', { name });
  if (result.isError === true) throw new Error(onlyText(result));
  const text = onlyText(result);
  return text.slice(text.indexOf('\n\n') + 2);
}

export async function listTools(client: RawClient): Promise<readonly Tool[]> {
  const answer: Message = await client.request('tools/list');
  return (answer.result?.tools ?? []) as readonly Tool[]; // Checked field by field where it matters.
}

/** The sentence with which arguments were refused, whether the tool or the protocol said it. */
export async function refusalOf(client: RawClient, tool: string, args: unknown): Promise<string | undefined> {
  const { result, error } = await client.request('tools/call', { name: tool, arguments: args });
  if (error !== undefined) return error.code === -32602 ? error.message : undefined;
  const said = result as unknown as ToolResult; // As in callTool.
  return said.isError === true ? said.content.map((item) => item.text).join('\n') : undefined;
}
