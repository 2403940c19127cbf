// One request as it was received: on its way through the guard, before the sender is known.
import type { IncomingMessage } from 'node:http';
import { correlationIdOf } from '../../../skills/record/invocation-ids.ts';
import type { FindClientAddress } from './client-address.ts';
import type { GuardedResponse } from './guarded-response.ts';
import { isLoopbackAddress } from './host-header.ts';

export interface ReceivedRequest {
  readonly request: IncomingMessage;
  readonly response: GuardedResponse;
  /** Without the query, not decoded. */
  readonly path: string;
  /** The other end of the connection, or for whom a trusted proxy there says that it asks: for limits and the log alone. */
  readonly address: string;
  /** From beyond loopback, or passed on by a proxy, which may stand for anyone. */
  readonly remote: boolean;
  readonly correlationId: string;
  /** The client sends its body only after our go-ahead (`Expect: 100-continue`). */
  readonly awaitsContinue: boolean;
}

export function toReceived(
  request: IncomingMessage,
  response: GuardedResponse,
  awaitsContinue: boolean,
  findClientAddress: FindClientAddress,
): ReceivedRequest {
  const { url = '', headers } = request;
  const query = url.indexOf('?');
  const peer = request.socket.remoteAddress ?? '';
  return {
    request,
    response,
    path: query === -1 ? url : url.slice(0, query),
    // Node joins several of them.
    address: findClientAddress(peer, headers['x-forwarded-for'] as string | undefined),
    remote: !isLoopbackAddress(peer) || PROXY_HEADERS.some((name) => headers[name] !== undefined),
    correlationId: correlationIdOf(headers['x-correlation-id']).id,
    awaitsContinue,
  };
}

/** What proxies and tunnels add, as far as we know them. A client that adds one without being a proxy only loses by it. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'via',
  'cdn-loop',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'true-client-ip',
  'tailscale-user-login',
] as const;

export const MCP_PATH = '/mcp';
export const SESSION_PATH = '/api/session';

/** The index of skills: for callers, and with `--public-index` for anybody (S6). */
export const isIndex = (path: string): boolean => path.startsWith('/.well-known/agent-skills/');

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
