// A client that behaves while others do not: reads a document, invokes a skill, speaks MCP, and notes how long it took.
import type { HttpAnswer, ServeProcess } from '../support/serve-process.ts';
import { DOCUMENT_PATH, invoke } from './serve-world.ts';

const EVERY_MS = 50;

export interface Bystander {
  /** Has been answered once in every way. */
  readonly settled: Promise<unknown>;
  figures(): { readonly asked: number; readonly slowestMs: number; readonly complaint: string | undefined };
  stop(): Promise<void>;
}

const LIST_TOOLS = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bystander', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

const MCP_HEADERS = {
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/list',
};

export function startBystander(server: ServeProcess): Bystander {
  const ways: readonly (() => Promise<HttpAnswer>)[] = [
    () => server.ask(DOCUMENT_PATH),
    () => invoke(server, 'echo', { text: 'x' }),
    () => server.ask('/mcp', { body: LIST_TOOLS, headers: MCP_HEADERS }),
    () => server.ask('/health'),
  ];
  let [asked, slowestMs] = [0, 0];
  let complaint: string | undefined;
  const waiting = new Set<Promise<void>>();
  const askOnce = async (way: () => Promise<HttpAnswer>) => {
    const started = performance.now();
    const { status, text } = await way().catch((error: Error) => ({ status: 0, text: error.message }));
    asked += 1;
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - started));
    if (status !== 200) complaint ??= `${status} ${text.slice(0, 300)}`;
  };
  let turn = 0;
  const timer = setInterval(() => {
    const way = ways[turn++ % ways.length];
    if (way === undefined) return;
    const asking = askOnce(way).finally(() => waiting.delete(asking));
    waiting.add(asking);
  }, EVERY_MS);
  return {
    settled: Promise.all(ways.map(askOnce)),
    figures: () => ({ asked, slowestMs, complaint }),
    async stop() {
      clearInterval(timer);
      await Promise.all(waiting);
    },
  };
}
