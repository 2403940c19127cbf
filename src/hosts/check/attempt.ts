// What came of trying a server: what it introduced itself as, or what stood in the way. Only types.
import type { Result } from '../../values/result.ts';

export type Attempt = Result<Met, Obstacle>;

/** A server that answered as an MCP server does. */
export interface Met {
  /** As it introduced itself. */
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Their names. */
  readonly tools: readonly string[];
  /** Who the server takes the host for; `undefined` where it does not say. */
  readonly caller: string | undefined;
}

export interface Obstacle {
  readonly cause: ObstacleCause;
  /** "Cannot …: what is the case". No token is in it. */
  readonly message: string;
}

export type ObstacleCause =
  | 'not-connected'
  | 'file-unreadable'
  | 'entry-unusable'
  | 'switched-off'
  | 'not-started'
  | 'command-not-found'
  | 'program-failed'
  | 'timed-out'
  | 'unreachable'
  | 'certificate'
  | 'redirected'
  | 'no-endpoint'
  | 'token-missing'
  | 'sign-in-needed'
  | 'token-rejected'
  | 'variable-withheld'
  | 'forbidden'
  | 'unavailable'
  | 'not-mcp'
  | 'not-ours';
