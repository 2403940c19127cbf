// Our tools as another server wants them: its names for them, its UI beside them (T8, T10).
import { type JsonObject, PreparedResult } from './method.ts';
import type { Tool, ToolAnswer, ToolResult } from './tool.ts';
import { isObject } from './wire/json-rpc.ts';

const DOCUMENT_TOOLS = ['skill', 'list_skills', 'get_skill', 'read_skill_file'] as const;

export type DocumentToolName = (typeof DOCUMENT_TOOLS)[number];

export type ToolNames = Readonly<Record<DocumentToolName, string>>;

/** Throws on what cannot be a tool's name. */
export function resolveToolNames(wanted: Partial<ToolNames>): ToolNames {
  const unknown = Object.keys(wanted).find((name) => !(DOCUMENT_TOOLS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new Error(`Cannot add skills: toolNames has "${unknown}"; use ${DOCUMENT_TOOLS.join(', ')}`);
  }
  const names = Object.fromEntries(DOCUMENT_TOOLS.map((name) => [name, wanted[name] ?? name]));
  const bad = Object.values(names).find((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name));
  if (bad !== undefined) {
    throw new Error(`Cannot add skills: the tool name "${bad}" is not valid; use 1-64 letters, digits, "_", "-", "."`);
  }
  if (new Set(Object.values(names)).size < DOCUMENT_TOOLS.length) {
    throw new Error('Cannot add skills: toolNames gives two tools the same name; use a name of its own for each');
  }
  // Made from every name of the list.
  return names as ToolNames;
}

export function adaptToolTo(names: ToolNames, uiUri: string | undefined): (tool: Tool) => Tool {
  if (uiUri !== undefined && !/^ui:\/\/./.test(uiUri)) {
    throw new Error(`Cannot add skills: uiUri is "${uiUri}"; use an address that starts with ui://`);
  }
  const isRenamed = DOCUMENT_TOOLS.some((name) => names[name] !== name);
  return (tool) => {
    const shown = uiUri !== undefined && WITH_UI.has(tool.name) ? { ...tool, _meta: uiMeta(tool, uiUri) } : tool;
    return isRenamed ? renamed(shown, names) : shown;
  };
}

const WITH_UI: ReadonlySet<string> = new Set(['list_skills', 'get_skill']);

const uiMeta = ({ _meta }: Tool, uri: string): JsonObject => ({
  ..._meta,
  ui: { resourceUri: uri },
  'openai/outputTemplate': uri,
  'openai/widgetAccessible': true,
});

/** Also where the tools mention each other: an agent calls what it reads. */
function renamed(tool: Tool, names: ToolNames): Tool {
  return {
    ...tool,
    name: names[tool.name as DocumentToolName] ?? tool.name,
    describe: () => renameMentions(tool.describe(), names),
    call: (input, context) => {
      const answer = tool.call(input, context);
      return answer instanceof Promise
        ? answer.then((each) => renameInAnswer(each, names))
        : renameInAnswer(answer, names);
    },
  };
}

/** `skill` is an ordinary word, too: it is a tool only where two are offered. */
const renameMentions = (text: string, names: ToolNames): string =>
  text
    .replace(/\b(?:list_skills|get_skill|read_skill_file)\b/g, (name) => names[name as DocumentToolName])
    .replace(/\bwith skill or\b/g, `with ${names.skill} or`);

/** Errors are our words. In good answers only the line about the next page is: the rest are the skills' own. */
function renameInAnswer(answer: ToolAnswer, names: ToolNames): ToolAnswer {
  if (answer instanceof PreparedResult) return answer;
  const rename =
    answer.isError === true
      ? (text: string) => renameMentions(text, names)
      : (text: string) => text.replace(/^More: call list_skills /m, `More: call ${names.list_skills} `);
  const isOurs = answer.isError === true || isObject(answer.structuredContent);
  return isOurs ? { ...answer, content: renameIn(answer, rename) } : answer;
}

const renameIn = ({ content }: ToolResult, rename: (text: string) => string): readonly JsonObject[] =>
  content.map((item) => (typeof item.text === 'string' ? { ...item, text: rename(item.text) } : item));
