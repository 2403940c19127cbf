// @mastra/mcp: each tool is a tool of Mastra, executed as an agent executes it.
import { MCPClient } from '@mastra/mcp';
import { callEach, headers, server } from './drive.mjs';

const repertoire = 'url' in server ? { url: new URL(server.url), requestInit: { headers } } : server;
const client = new MCPClient({ id: 'hosts-walk', servers: { repertoire } });
const tools = await client.listTools();
await callEach(Object.keys(tools), (name, input) => tools[name].execute(input, {}));
await client.disconnect();
