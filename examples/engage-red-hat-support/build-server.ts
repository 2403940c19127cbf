// The support server on @modelcontextprotocol/server 2.x, without skills.
import { McpServer } from '@modelcontextprotocol/server';
import type { SupportDesk } from './support-desk.ts';
import { contentsOf, resources, SERVER_INFO, tools } from './support-surface.ts';

export function buildServer(desk: SupportDesk): McpServer {
  const server = new McpServer(SERVER_INFO, { instructions: 'Search the knowledge base, open and complete cases.' });
  const { search, open, attach } = tools;
  server.registerTool(search.name, search.config, (input) => search.call(desk, input));
  server.registerTool(open.name, open.config, (input) => open.call(desk, input));
  server.registerTool(attach.name, attach.config, (input) => attach.call(desk, input));
  for (const resource of Object.values(resources)) {
    server.registerResource(resource.name, resource.uri, resource.config, () => contentsOf(resource));
  }
  return server;
}
