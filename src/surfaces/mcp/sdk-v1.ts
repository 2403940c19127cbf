// registerSkills for servers built on @modelcontextprotocol/sdk 1.x: the protocols up to 2025-11-25.
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Catalog } from '../../catalog/catalog.ts';
import { SKILL_TEMPLATE } from './methods/resources.ts';
import type { RegisterOptions } from './register-options.ts';
import { bindSkills, type Registration } from './register-skills.ts';
import { getPrivateFields, progressTo } from './sdk-server.ts';
import type { RequestContext } from './wire/method.ts';

export type { ToolNames } from '../../operations/operation.ts';
export type { RegisterOptions } from './register-options.ts';
export type { Registration } from './register-skills.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * The same as `registerSkills` of `repertoire/mcp`, for servers of the older `@modelcontextprotocol/sdk`.
 *
 * @example
 * const server = new McpServer({ name: 'support', version: '1.0.0' });
 * registerSkills(server, catalog);
 * await server.connect(transport);
 */
export function registerSkills(server: McpServer, catalog: Catalog, options: RegisterOptions = {}): Registration {
  const sdkServer = {
    mcp: server,
    fields: getPrivateFields(server, '@modelcontextprotocol/sdk 1.x'),
    skillTemplate: new ResourceTemplate(SKILL_TEMPLATE.uriTemplate, { list: undefined, complete: { path: () => [] } }),
    // The SDK gives every handler an `extra` of this type.
    contextOf: (context: unknown) => contextOf(server, context as Extra),
  };
  return bindSkills(sdkServer, catalog, options);
}

function contextOf({ server }: McpServer, extra: Extra): RequestContext {
  const { name = 'unknown', version = '' } = server.getClientVersion() ?? {};
  return {
    era: 'legacy',
    client: { name, version, capabilities: { ...server.getClientCapabilities() } },
    // Who is behind an HTTP request cannot be known here, so none of them sees a path of this machine.
    remote: extra.requestInfo !== undefined,
    signal: extra.signal,
    progress: progressTo(extra._meta?.progressToken, (params) =>
      // The token is there: what else the notification wants was put in beside it.
      extra.sendNotification({ method: 'notifications/progress', params } as ServerNotification),
    ),
  };
}
