// @langchain/mcp-adapters: each tool is a tool of LangChain, invoked as an agent invokes it.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { callEach, headers, server } from './drive.mjs';

const repertoire =
  'url' in server ? { transport: 'http', url: server.url, headers } : { transport: 'stdio', ...server };
const client = new MultiServerMCPClient({ mcpServers: { repertoire } });
const tools = await client.getTools();
await callEach(
  tools.map(({ name }) => name),
  (name, input) => tools.find((tool) => tool.name === name).invoke(input),
);
await client.close();
