// @modelcontextprotocol/sdk, the client of the first generation.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { callEach, headers, server } from './drive.mjs';

const client = new Client({ name: 'hosts-walk-sdk', version: '1.0.0' });
const transport =
  'url' in server
    ? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } })
    : new StdioClientTransport(server);
await client.connect(transport);
const { tools } = await client.listTools();
await callEach(
  tools.map(({ name }) => name),
  (name, input) => client.callTool({ name, arguments: input }),
);
await client.close();
