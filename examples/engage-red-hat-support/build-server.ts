// The support server on @modelcontextprotocol/server 2.x: it lists its skill and has it as a resource, and no more.
import { McpServer } from '@modelcontextprotocol/server';
import type { SupportDesk } from './support-desk.ts';
import { contentsOf, resources, SERVER_INFO, SKILLS_FOLDER, tools } from './support-surface.ts';

/** `folder`: where its skill is. */
export function buildServer(desk: SupportDesk, folder = SKILLS_FOLDER): McpServer {
  const server = new McpServer(SERVER_INFO, { instructions: 'Search the knowledge base, open and complete cases.' });
  const { search, open, attach, listSkills } = tools;
  server.registerTool(search.name, search.config, (input) => search.call(desk, input));
  server.registerTool(open.name, open.config, (input) => open.call(desk, input));
  server.registerTool(attach.name, attach.config, (input) => attach.call(desk, input));
  server.registerTool(listSkills.name, listSkills.config, () => listSkills.call(folder));
  for (const resource of Object.values(resources)) {
    server.registerResource(resource.name, resource.uri, resource.config, () => contentsOf(resource, folder));
  }
  return server;
}
