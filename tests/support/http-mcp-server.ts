// The MCP endpoint on a socket of its own, without the guard: whom the test names is whom the endpoint sees.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentCaller, type Caller, LOCAL_OPERATOR } from '../../src/identity/caller.ts';
import { UNLIMITED } from '../../src/surfaces/http/fixtures/unlimited.ts';
import type { CallerLimits } from '../../src/surfaces/http/message/admitted-request.ts';
import { createMcpEndpoint, type McpEndpoint, type McpEndpointOptions } from '../../src/surfaces/mcp/wire/http.ts';
import type { MethodTable, WireEvent } from '../../src/surfaces/mcp/wire/method.ts';

export interface HttpMcpServer {
  readonly url: URL;
  readonly port: number;
  readonly endpoint: McpEndpoint;
  readonly logged: readonly WireEvent[];
  /** Sockets that are open now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** The header by which a test says who calls; without it the operator does. */
export const CALLER_HEADER = 'x-test-agent';

export async function serveHttpMcp(
  table: MethodTable,
  options: Omit<McpEndpointOptions, 'log'> & { readonly remote?: boolean; readonly limits?: CallerLimits } = {},
): Promise<HttpMcpServer> {
  const logged: WireEvent[] = [];
  const endpoint = createMcpEndpoint(table, { ...options, log: (event) => logged.push(event) });
  const server = createServer((request, response) => {
    readWhole(request, (body) => {
      const path = request.url ?? '';
      const correlationId = '00000000-0000-4000-8000-000000000000';
      const { remote = false, limits = UNLIMITED } = options;
      const caller = callerOf(request);
      const onFault = (fault: unknown) => {
        throw fault;
      };
      endpoint.handle({ request, response, path, caller, remote, correlationId, body, limits, onFault });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP, so it has a port.
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    port,
    endpoint,
    logged,
    connections: () => new Promise((resolve, reject) => server.getConnections((e, n) => (e ? reject(e) : resolve(n)))),
    close: () => stop(endpoint, server),
  };
}

function callerOf({ headers }: IncomingMessage): Caller {
  const name = headers[CALLER_HEADER];
  return typeof name === 'string' ? agentCaller(name) : LOCAL_OPERATOR;
}

function readWhole(request: IncomingMessage, take: (body: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => take(Buffer.concat(chunks).toString('utf8')));
}

async function stop(endpoint: McpEndpoint, server: Server): Promise<void> {
  await endpoint.close();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
