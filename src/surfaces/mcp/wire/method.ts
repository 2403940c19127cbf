// The shape of one MCP method: plain parameters in, a result or a protocol error out. Knows nothing of streams or skills.
import type { Caller } from '../../../identity/caller.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { Result } from '../../../values/result.ts';

/** `legacy`: 2025-11-25 and before (initialize). `modern`: 2026-07-28 (stateless, `_meta` on every request). */
export type Era = 'legacy' | 'modern';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly capabilities: JsonObject;
}

export interface RequestContext {
  readonly era: Era;
  readonly client: ClientInfo;
  /** Who proved to be calling; absent on stdio, where the operator starts the server and says who it is for. */
  readonly caller?: Caller | undefined;
  /** The id that the answer carries in its headers; absent where there are none. */
  readonly correlationId?: string | undefined;
  /** True for a caller beyond loopback: it never sees a path of this machine. */
  readonly remote: boolean;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Sends notifications/progress when the client asked for it; otherwise does nothing. */
  progress(done: number, total?: number, message?: string): void;
}

/**
 * A result that was serialised before, because it will be asked for again: sent as it is.
 * `bytes`: the UTF-8 text of a JSON object with at least one field and without `_meta`.
 */
export class PreparedResult {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** A result without era-specific fields: the wire adds `resultType`, `ttlMs`, `cacheScope` where they belong. */
export type MethodResult = Result<JsonObject | PreparedResult, RpcError>;

export type Method = (params: JsonObject, context: RequestContext) => MethodResult | Promise<MethodResult>;

/** What may change while a client is connected. */
export type ServerEvent =
  | { readonly kind: 'tools' }
  | { readonly kind: 'prompts' }
  | { readonly kind: 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

/** How long and for whom a result may be cached, by method (2026 only). */
export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** Everything a wire needs to serve clients. */
export interface MethodTable {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** The same in both eras; the modern wire adds nothing and hides nothing. */
  readonly capabilities: JsonObject;
  /** At most 2,000 characters. May depend on the client (some read skills from their own folders). */
  instructions(client: ClientInfo): string | Promise<string>;
  readonly methods: ReadonlyMap<string, Method>;
  readonly cacheHints: Readonly<Record<string, CacheHint>>;
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** What the owner of a wire is told of it: standard output is the protocol's. */
export interface WireEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}

export type WireLog = (event: WireEvent) => void;
