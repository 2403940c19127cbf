// One HTTP request that has passed the guard: who sent it, from where, and under which id it is spoken of.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../identity/caller.ts';
import type { Allowance } from './allowance.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query, not decoded. */
  readonly path: string;
  readonly caller: Caller;
  /** From beyond loopback, or passed on by a proxy: never sees a path of this machine. */
  readonly remote: boolean;
  /** 8-4-4-4-12 hexadecimal digits: what came as X-Correlation-Id, if it is one, else made for this request. */
  readonly correlationId: string;
  /** The whole body, read and known to be UTF-8; empty when there is none. */
  readonly body: string;
  /** What the caller may take beyond this request. */
  readonly allowance: Allowance;
}
