// One request on its way through the guard, before it is known who sent it.
import type { IncomingMessage } from 'node:http';
import type { GuardedResponse } from './guarded-response.ts';

export interface ReceivedRequest {
  readonly request: IncomingMessage;
  readonly response: GuardedResponse;
  /** Without the query, not decoded. */
  readonly path: string;
  /** The other end of the connection. */
  readonly address: string;
  readonly remote: boolean;
  readonly correlationId: string;
  /** The client sends its body only after a word from us (`Expect: 100-continue`). */
  readonly awaitsContinue: boolean;
}

export const MCP_PATH = '/mcp';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
