// @openai/agents: an agent with our server, run by its runner with a model over chat completions.
import {
  Agent,
  MCPServerStdio,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
} from '@openai/agents';
import OpenAI from 'openai';
import { headers, modelUrl, report, request, server } from './drive.mjs';

setTracingDisabled(true);
const mcp =
  'url' in server
    ? new MCPServerStreamableHttp({ name: 'repertoire', url: server.url, requestInit: { headers } })
    : new MCPServerStdio({ name: 'repertoire', ...server });
await mcp.connect();
const openai = new OpenAI({ baseURL: `${modelUrl}/v1`, apiKey: 'scripted' });
const model = new OpenAIChatCompletionsModel(openai, 'scripted');
await run(new Agent({ name: 'Taster', model, mcpServers: [mcp] }), request, { maxTurns: 20 });
await report((await mcp.listTools()).map(({ name }) => name));
await mcp.close();
