// The client libraries that programs speak MCP with: their packages, and the driver in clients/ that uses each as its
// documentation does.
import type { Transport } from './host-world.ts';

export interface ClientLibrary {
  readonly id: string;
  readonly title: string;
  /** The library first. Those that need a newer Node bring one. */
  readonly packages: readonly string[];
  /** In `clients/`, with what it is called with. */
  readonly driver: readonly [file: string, ...words: string[]];
  readonly transports: readonly Transport[];
  /** Its model calls the tools; of others the driver does. */
  readonly hasModel?: true;
}

const BOTH: readonly Transport[] = ['stdio', 'http'];
const SDK = '@modelcontextprotocol/sdk@1.32.2';

export const CLIENT_LIBRARIES: readonly ClientLibrary[] = [
  {
    id: 'mcp-client',
    title: '@modelcontextprotocol/client, 2025 era',
    packages: ['@modelcontextprotocol/client@2.4.0'],
    driver: ['mcp-client-v2.mjs', 'legacy'],
    transports: BOTH,
  },
  {
    id: 'mcp-client-2026',
    title: '@modelcontextprotocol/client, 2026-07-28',
    packages: ['@modelcontextprotocol/client@2.4.0'],
    driver: ['mcp-client-v2.mjs', 'modern'],
    transports: BOTH,
  },
  { id: 'mcp-sdk', title: '@modelcontextprotocol/sdk', packages: [SDK], driver: ['mcp-sdk-v1.mjs'], transports: BOTH },
  {
    id: 'ai-sdk',
    title: '@ai-sdk/mcp',
    packages: ['@ai-sdk/mcp@2.0.99', 'ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92', 'node@22'],
    driver: ['ai-sdk.mjs'],
    transports: BOTH,
    hasModel: true,
  },
  {
    id: 'langchain',
    title: '@langchain/mcp-adapters',
    packages: ['@langchain/mcp-adapters@1.1.4', '@langchain/core@1.2.13', '@langchain/langgraph@1.4.12'],
    driver: ['langchain.mjs'],
    transports: BOTH,
  },
  {
    id: 'openai-agents',
    title: '@openai/agents',
    packages: ['@openai/agents@0.20.0', 'openai', 'zod@4'],
    driver: ['openai-agents.mjs'],
    transports: BOTH,
    hasModel: true,
  },
  {
    id: 'mastra',
    title: '@mastra/mcp',
    packages: ['@mastra/mcp@2.0.0', '@mastra/core', 'zod@4', 'node@22'],
    driver: ['mastra.mjs'],
    transports: BOTH,
  },
  {
    id: 'google-genai',
    title: '@google/genai',
    packages: ['@google/genai@2.32.0', SDK, 'node@22'],
    driver: ['google-genai.mjs'],
    transports: BOTH,
    hasModel: true,
  },
  {
    id: 'genkit',
    title: '@genkit-ai/mcp',
    packages: ['@genkit-ai/mcp@1.42.0', 'genkit@1.42.0'],
    driver: ['genkit.mjs'],
    transports: BOTH,
  },
];
