// The same skills over MCP: a server per request, as the SDK makes them, with the skills beside a tool of its own.
import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server';
import { type Catalog, type Runtime, registerSkills } from './repertoire.ts';
import type { Stock } from './stock.ts';

interface McpParts {
  readonly catalog: Catalog;
  readonly runtime: Runtime;
  readonly stock: Stock;
}

export function createMcp({ catalog, runtime, stock }: McpParts): McpHttpHandler {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    const description = 'Lists the articles that the shop sells.';
    server.registerTool('list_articles', { description }, () => ({
      content: [{ type: 'text', text: [...stock.keys()].join('\n') }],
    }));
    registerSkills(server, catalog, { runtime });
    return server;
  });
  // A server that lives for one request hears of no change: listening clients are told here.
  catalog.subscribe(() => {
    handler.notify.toolsChanged();
    handler.notify.resourcesChanged();
    handler.notify.promptsChanged();
  });
  return handler;
}
