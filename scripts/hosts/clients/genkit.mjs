// @genkit-ai/mcp: each tool is an action of Genkit, run as a flow runs it.
import { createMcpHost } from '@genkit-ai/mcp';
import { genkit } from 'genkit';
import { callEach, headers, server } from './drive.mjs';

const repertoire = 'url' in server ? { url: server.url, requestInit: { headers } } : server;
const host = createMcpHost({ name: 'hosts-walk', mcpServers: { repertoire } });
const tools = await host.getActiveTools(genkit({}));
await callEach(
  tools.map((tool) => tool.__action.name),
  (name, input) => tools.find((tool) => tool.__action.name === name)(input),
);
await host.close();
process.exit();
