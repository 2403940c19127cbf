// @google/genai: `mcpToTool` gives the tools of a client to a model, and the library calls them.
import { GoogleGenAI, mcpToTool } from '@google/genai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { headers, modelUrl, report, request, server } from './drive.mjs';

const client = new Client({ name: 'hosts-walk-genai', version: '1.0.0' });
const transport =
  'url' in server
    ? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } })
    : new StdioClientTransport(server);
await client.connect(transport);
const ai = new GoogleGenAI({ apiKey: 'scripted', httpOptions: { baseUrl: modelUrl } });
await ai.models.generateContent({
  model: 'gemini-2.5-flash',
  contents: request,
  config: { tools: [mcpToTool(client)], automaticFunctionCalling: { maximumRemoteCalls: 20 } },
});
await report((await client.listTools()).tools.map(({ name }) => name));
await client.close();
