// Our tools as another server wants them: its names for them, its UI beside them (T8, T10).
import type { JsonObject } from '../../../values/json-object.ts';
import type { Tool } from './tool.ts';
import { type DocumentToolName, TOOL_NAMES, type ToolNames } from './tool-names.ts';

const DOCUMENT_TOOLS = Object.keys(TOOL_NAMES) as readonly DocumentToolName[]; // the keys of a literal are its type's

/** Throws on what cannot be a tool's name. */
export function resolveToolNames(wanted: Partial<ToolNames>): ToolNames {
  const unknown = Object.keys(wanted).find((name) => !Object.hasOwn(TOOL_NAMES, name));
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

/** Puts the server's UI beside the tools that have something to show (T8). */
export function showToolsIn(uiUri: string | undefined): (tool: Tool) => Tool {
  if (uiUri === undefined) return (tool) => tool;
  if (!/^ui:\/\/./.test(uiUri)) {
    throw new Error(`Cannot add skills: uiUri is "${uiUri}"; use an address that starts with ui://`);
  }
  return (tool) => (tool.hasView ? { ...tool, _meta: uiMeta(tool, uiUri) } : tool);
}

const uiMeta = ({ _meta }: Tool, uri: string): JsonObject => ({
  ..._meta,
  ui: { resourceUri: uri },
  'openai/outputTemplate': uri,
  'openai/widgetAccessible': true,
});
