// A small MCP server over HTTP on a free port of this machine: it knows a token, and answers for its tools.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface McpStub {
  /** With the path of the endpoint. */
  readonly url: string;
  readonly origin: string;
  /** Of every request: method, path and credential. */
  readonly asked: readonly string[];
  close(): void;
}

interface StubOptions {
  /** Absent: none is needed. */
  readonly token?: string;
  readonly name?: string;
  readonly tools?: readonly string[];
  /** Answers as events on a stream that stays open. */
  readonly isStream?: boolean;
  /** Given to the client when it introduces itself. */
  readonly sessionId?: string;
  /** Every request with this method is sent to another address. */
  readonly redirects?: { readonly method: string; readonly to: string };
  /** Where its endpoint is. */
  readonly path?: string;
  /** Answers everything itself. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
}

export async function startMcpStub(options: StubOptions = {}): Promise<McpStub> {
  const { path = '/mcp' } = options;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    if (options.answer) options.answer(request, response);
    else void answer(request, response, { ...options, path });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `${origin}${path}`, origin, asked, close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { token, name = 'repertoire', tools = ['skill', 'list_skills'], isStream = false, path, ...others }: StubOptions,
): Promise<void> {
  const { sessionId, redirects } = others;
  const say = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
  if (request.method === redirects?.method) return void response.writeHead(307, { Location: redirects?.to }).end();
  if (sessionId !== undefined) response.setHeader('Mcp-Session-Id', sessionId);
  if (request.url !== path) return void say(404, {});
  if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return void say(401, {});
  if (request.method !== 'POST') return void say(200, {});
  const { id, method } = JSON.parse(await textOf(request));
  if (id === undefined) return void response.writeHead(202).end();
  const message = JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, name, tools) });
  if (!isStream) return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(message);
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(`event: message\r\nid: 1\r\ndata: ${message}\r\n\r\n`);
}

function resultOf(method: string, name: string, tools: readonly string[]): unknown {
  if (method === 'tools/list') return { tools: tools.map((each) => ({ name: each })) };
  return { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name, version: '9' } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
