// The MCP App in which hosts show `list_skills` and `get_skill` (T8): one page that asks the host for everything it shows.
import type { JsonObject } from '../../../values/json-object.ts';
import { ok } from '../../../values/result.ts';
import type { Method } from '../wire/method.ts';
import type { Tool } from './tool.ts';

const SKILLS_APP_URI = 'ui://repertoire/skills.html';

export interface SkillsApp {
  /** Asked when tools are listed, not before. */
  hasApp(): boolean;
  /** The whole page; `undefined` when it has gone. */
  readApp(): string | undefined;
}

/** How each tool is shown at the moment: with the app, if there is one. */
export function showToolsInApp(app: SkillsApp): (tool: Tool) => Tool {
  const show = showToolsIn(SKILLS_APP_URI);
  return (tool) => (app.hasApp() ? show(tool) : tool);
}

/** It is in no list of resources: hosts find it by the tools, and agents have no use for it. */
export function readAppOr(app: SkillsApp, next: Method): Method {
  return (params, context) => {
    const text = params.uri === SKILLS_APP_URI ? app.readApp() : undefined;
    if (text === undefined) return next(params, context);
    return ok({ contents: [{ uri: SKILLS_APP_URI, mimeType: 'text/html;profile=mcp-app', text, _meta: NO_NETWORK }] });
  };
}

/** Empty lists: the page may reach nothing but its host. */
const NO_NETWORK = { ui: { csp: { connectDomains: [], resourceDomains: [] } } };

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
