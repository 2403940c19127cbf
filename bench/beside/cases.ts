// What two builds are asked in turns: who asks, what, and how many at once. Pure.
import type { HttpRequest } from '../http-load.ts';

export interface Case {
  readonly what: string;
  readonly ask: keyof typeof requests;
  /** Agents who take turns; 0: the operator, who has no limit. */
  readonly agents: number;
  readonly atOnce: number;
  /** In one round. */
  readonly calls: number;
}

/**
 * Of 24 agents each comes near its 600 a minute, where counting over all replicas costs most; of 200 none does. Together all
 * rounds of a case ask less than that of each.
 */
export const CASES: readonly Case[] = [
  { what: 'invoke, operator, 12 at once', ask: 'invoke', agents: 0, atOnce: 12, calls: 3_000 },
  { what: 'invoke, 200 agents, 12 at once', ask: 'invoke', agents: 200, atOnce: 12, calls: 3_000 },
  { what: 'invoke, 24 agents, 12 at once', ask: 'invoke', agents: 24, atOnce: 12, calls: 1_600 },
  { what: 'invoke, 200 agents, one at a time', ask: 'invoke', agents: 200, atOnce: 1, calls: 800 },
  { what: 'MCP, operator, 12 at once', ask: 'mcp', agents: 0, atOnce: 12, calls: 3_000 },
  { what: 'MCP, 200 agents, 12 at once', ask: 'mcp', agents: 200, atOnce: 12, calls: 3_000 },
  { what: 'MCP, 24 agents, 12 at once', ask: 'mcp', agents: 24, atOnce: 12, calls: 1_600 },
  { what: 'MCP, 200 agents, one at a time', ask: 'mcp', agents: 200, atOnce: 1, calls: 800 },
  { what: 'documents, operator, 12 at once', ask: 'documents', agents: 0, atOnce: 12, calls: 30_000 },
  { what: 'documents, 200 agents, 12 at once', ask: 'documents', agents: 200, atOnce: 12, calls: 14_000 },
  { what: 'documents, 200 agents, one at a time', ask: 'documents', agents: 200, atOnce: 1, calls: 7_000 },
];

export const MOST_ROUNDS = 7;

const ID = '00000000-0000-4000-8000-000000000000';
/** A skill that reads a row and answers little: what is measured is the way there. */
const SKILL = 'ownership_validation';
const INPUT = { user_id: ID, resource_type: 'task', resource_id: ID };
const MODERN = '2026-07-28';

const requests = {
  invoke: () => ({
    method: 'POST',
    path: `/api/typed-skills/${SKILL}/invoke`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(INPUT),
  }),
  mcp: () => ({
    method: 'POST',
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': SKILL,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: SKILL,
        arguments: INPUT,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
        },
      },
    }),
  }),
  documents: () => ({ method: 'GET', path: '/api/documents?limit=5', headers: {}, body: '' }),
} satisfies Record<string, () => Omit<HttpRequest, 'port'>>;

export function requestFor({ ask }: Case, port: number, token: string): HttpRequest {
  const request = requests[ask]();
  return { port, ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}
