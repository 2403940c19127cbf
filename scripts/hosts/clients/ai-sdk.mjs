// @ai-sdk/mcp with a model of the AI SDK: `generateText` calls the tools.
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { headers, modelUrl, report, request, server } from './drive.mjs';

const transport = 'url' in server ? { type: 'http', url: server.url, headers } : new StdioTransport(server);
const client = await createMCPClient({ transport });
const tools = await client.tools();
const provider = createOpenAICompatible({ name: 'scripted', baseURL: `${modelUrl}/v1`, apiKey: 'scripted' });
await generateText({ model: provider('scripted'), tools, stopWhen: isStepCount(20), prompt: request });
await report(Object.keys(tools));
await client.close();
