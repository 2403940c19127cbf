// registerSkills for servers built on @modelcontextprotocol/sdk 1.x: the protocols up to 2025-11-25.
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CallContext } from './method.ts';
import { bindSkills, type RegisterOptions, type Registration } from './register-skills.ts';
import { getInsides, type SdkServer } from './sdk-server.ts';

export type { RegisterOptions, Registration } from './register-skills.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** See `registerSkills` of `repertoire/mcp`: the same, for the older SDK. */
export function registerSkills(server: McpServer, catalog: Catalog, options: RegisterOptions = {}): Registration {
  return bindSkills(sdkServer(server), catalog, options);
}

function sdkServer(server: McpServer): SdkServer {
  const { server: inner } = server;
  const announce = {
    tools: () => inner.sendToolListChanged(),
    resources: () => inner.sendResourceListChanged(),
    prompts: () => inner.sendPromptListChanged(),
  };
  return {
    insides: getInsides(server, '@modelcontextprotocol/sdk 1.x'),
    reserveTool: (name) => server.registerTool(name, {}, () => ({ content: [] })),
    reservePrompt: (name) => server.registerPrompt(name, {}, () => ({ messages: [] })),
    reserveTemplate: (name, uriTemplate, reached) => {
      const template = new ResourceTemplate(uriTemplate, { list: undefined, complete: { path: () => [] } });
      return server.registerResource(name, template, {}, () => Promise.reject(reached));
    },
    // The SDK gives every handler an `extra` of this type.
    contextOf: (context) => contextOf(server, context as Extra),
    announce: (kind) => announce[kind](),
    isConnected: () => server.isConnected(),
  };
}

function contextOf({ server }: McpServer, { signal, requestInfo }: Extra): CallContext {
  const { name = 'unknown', version = '' } = server.getClientVersion() ?? {};
  return {
    era: 'legacy',
    client: { name, version, capabilities: { ...server.getClientCapabilities() } },
    // Who is behind an HTTP request cannot be known here: nobody there sees a path of this machine.
    remote: requestInfo !== undefined,
    signal,
    progress: () => undefined,
  };
}
