// The MCP App in which hosts show `list_skills` and `get_skill` (T8): one page that asks the host for everything it shows.
import { ok } from '../../../values/result.ts';
import type { Method } from '../wire/method.ts';
import { showToolsIn } from './adapt-tool.ts';
import type { Tool } from './tool.ts';

const SKILLS_APP_URI = 'ui://repertoire/skills.html';

export interface SkillsApp {
  /** Asked with the first tool list: nobody waits for it before. */
  hasApp(): boolean;
  /** The whole page; `undefined` when it has gone. */
  readApp(): string | undefined;
}

/** As a function, because it is known only when the tools are listed. */
export function offerIn(app: SkillsApp): () => (tool: Tool) => Tool {
  const show = showToolsIn(SKILLS_APP_URI);
  return () => (app.hasApp() ? show : asItIs);
}

export const asItIs = (tool: Tool): Tool => tool;

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
