// registerSkills for servers built on @modelcontextprotocol/server 2.x: both protocol eras.
import { type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import type { Catalog } from '../../catalog/catalog.ts';
import type { ClientInfo } from '../../identity/client-info.ts';
import { isRecord } from '../../values/is-record.ts';
import { SKILL_TEMPLATE } from './methods/resources.ts';
import type { RegisterOptions } from './register-options.ts';
import { bindSkills, type Registration } from './register-skills.ts';
import { getPrivateFields, progressTo } from './sdk-server.ts';
import type { RequestContext } from './wire/method.ts';
import { metaKey } from './wire/modern-era.ts';

export type { ToolNames } from '../../operations/operation.ts';
export type { RegisterOptions } from './register-options.ts';
export type { Registration } from './register-skills.ts';

/**
 * Adds the tools, resources, prompts and methods of skills to a server, beside its own. Before connecting; a name that
 * is taken is an error, and then nothing was added, unless `taken: 'keep'` says that it stays the server's.
 *
 * @example
 * const server = new McpServer({ name: 'support', version: '1.0.0' });
 * registerSkills(server, catalog);
 * await server.connect(transport);
 */
export function registerSkills(server: McpServer, catalog: Catalog, options: RegisterOptions = {}): Registration {
  const sdkServer = {
    mcp: server,
    fields: getPrivateFields(server, '@modelcontextprotocol/server 2.x'),
    skillTemplate: new ResourceTemplate(SKILL_TEMPLATE.uriTemplate, { list: undefined, complete: { path: () => [] } }),
    // The SDK gives every handler a context of this type.
    contextOf: (context: unknown) => contextOf(server, context as ServerContext),
  };
  return bindSkills(sdkServer, catalog, options);
}

function contextOf({ server }: McpServer, { mcpReq, http }: ServerContext): RequestContext {
  const envelope: unknown = mcpReq.envelope;
  return {
    era: isRecord(envelope) ? 'modern' : 'legacy',
    client: isRecord(envelope)
      ? clientOf(envelope[metaKey.clientInfo], envelope[metaKey.clientCapabilities])
      : clientOf(server.getClientVersion(), server.getClientCapabilities()),
    // Who is behind an HTTP request cannot be known here, so none of them sees a path of this machine.
    remote: http !== undefined,
    signal: mcpReq.signal,
    progress: progressTo(mcpReq._meta?.progressToken, (params) =>
      mcpReq.notify({ method: 'notifications/progress', params }),
    ),
  };
}

function clientOf(info: unknown, capabilities: unknown): ClientInfo {
  const { name, version } = isRecord(info) ? info : {};
  return {
    name: typeof name === 'string' ? name : 'unknown',
    version: typeof version === 'string' ? version : '',
    capabilities: isRecord(capabilities) ? capabilities : {},
  };
}
