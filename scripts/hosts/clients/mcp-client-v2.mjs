// @modelcontextprotocol/client, in the era that its first argument names: legacy, or 2026-07-28 by "modern".
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { callEach, headers, server } from './drive.mjs';

const mode = process.argv[2] === 'modern' ? { pin: '2026-07-28' } : 'legacy';
const client = new Client({ name: 'hosts-walk-client', version: '1.0.0' }, { versionNegotiation: { mode } });
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
