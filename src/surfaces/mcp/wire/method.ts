// The shape of one MCP method: plain parameters in, a result or a protocol error out. Knows nothing of streams or skills.
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../identity/caller.ts';
import type { ClientInfo } from '../../../identity/client-info.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import type { Result } from '../../../values/result.ts';
import type { Span } from '../../../values/trace.ts';

/** `legacy`: 2025-11-25 and before (initialize). `modern`: 2026-07-28 (stateless, `_meta` on every request). */
export type Era = 'legacy' | 'modern';

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface RequestContext {
  readonly era: Era;
  readonly client: ClientInfo;
  /** Who proved to be calling; absent on stdio, where the operator starts the server and says who it is for. */
  readonly caller?: Caller | undefined;
  /** The id that the answer carries in its headers; absent where there are none. */
  readonly correlationId?: string | undefined;
  /** Where traces are kept: the work of this request. */
  readonly span?: Span | undefined;
  /** True for a caller beyond loopback: it never sees a path of this machine. */
  readonly remote: boolean;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /**
   * Room for an answer of so many bytes, to be asked for before they are read; waits for it. Answers how to say that they
   * are read, or `undefined` when there is no room. Absent where the result is handed over as a value: no LargeResult there.
   */
  readonly reserve?: ReserveRoom | undefined;
  /** Sends notifications/progress if the client asked for it. */
  progress(done: number, total?: number, message?: string): void;
}

export type ReserveRoom = (bytes: number) => Promise<(() => void) | undefined>;

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

/** Of a file: from here on its text is not serialised at once, and room for it is taken before it is read. */
export const LARGE_BYTES = 256 * 1024;

/**
 * A result around one large text or blob, which is serialised piece by piece as the client takes it. As JSON a text may
 * be six times its size: that never lies in memory as a whole.
 */
export class LargeResult {
  /** The JSON text of the result, cut where the content stands, with the quotes around it. */
  readonly texts: readonly string[];
  /** How the content is written behind each of them but the last. */
  readonly places: readonly Place[];
  readonly content: LargeContent;

  constructor(texts: readonly string[], places: readonly Place[], content: LargeContent) {
    this.texts = texts;
    this.places = places;
    this.content = content;
  }

  /**
   * `shape`: the result around its content, an object without `_meta`; `inJson` stands for the content in a text that is
   * JSON itself.
   */
  static around(content: LargeContent, shape: (content: string, inJson: string) => JsonObject): LargeResult {
    // Nothing that a skill or a client wrote can be taken for it.
    const mark = randomUUID();
    const inJson = `${mark}+`;
    const cut = JSON.stringify(shape(`${mark}.`, inJson)).split(new RegExp(`(${mark}[.+])`));
    const texts = cut.filter((_, at) => at % 2 === 0);
    const places = cut.filter((_, at) => at % 2 === 1).map((found): Place => (found === inJson ? 'in JSON' : 'plain'));
    return new LargeResult(texts, places, content);
  }

  /** The whole JSON text in pieces. */
  *pieces(): Generator<string> {
    for (const [at, text] of this.texts.entries()) {
      yield text;
      const place = this.places[at];
      if (place !== undefined) yield* contentPieces(this.content, place);
    }
  }
}

type Place = 'plain' | 'in JSON';

function* contentPieces({ bytes, isText }: LargeContent, place: Place): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = isText ? characterEnd(bytes, start + PIECE_BYTES) : start + PIECE_BYTES;
    const piece = isText ? escaped(bytes.toString('utf8', start, end)) : bytes.toString('base64', start, end);
    yield place === 'in JSON' ? escaped(piece) : piece;
    start = end;
  }
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

interface LargeContent {
  readonly bytes: Buffer;
  /** Valid UTF-8: sent as text, else as base64. */
  readonly isText: boolean;
}

/** Base64 takes three bytes at a time. */
const PIECE_BYTES = 96 * 1024;

/** Never between the bytes of one character. */
function characterEnd(bytes: Buffer, at: number): number {
  let end = Math.min(at, bytes.length);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/** A result without era-specific fields: the wire adds `resultType`, `ttlMs`, `cacheScope` where they belong. */
export type MethodResult = Result<AnyResult, RpcError>;

export type AnyResult = JsonObject | PreparedResult | LargeResult;

export type Method = (params: JsonObject, context: RequestContext) => MethodResult | Promise<MethodResult>;

/** The names of the views in which a change can be seen; `all`: in every one. */
export type OpenTo = 'all' | readonly string[];

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
  /** The same in both eras; the modern wire adds its own extensions. */
  readonly capabilities: JsonObject;
  /** At most 2,000 characters. May depend on the client (some read skills from their own folders). */
  instructions(client: ClientInfo, caller?: Caller): string | Promise<string>;
  readonly methods: ReadonlyMap<string, Method>;
  /** What only 2026-07-28 has. */
  readonly modern?: ModernPart | undefined;
  readonly cacheHints: Readonly<Record<string, CacheHint>>;
  subscribe(listener: (event: ServerEvent) => void): () => void;
  /** Whether this caller may be told of it (N4); everyone where it is absent. */
  concerns?(event: ServerEvent, caller: Caller | undefined): boolean;
  /** Who may be told of it beside those who see all (N4); absent: everyone. */
  openTo?(event: ServerEvent): OpenTo;
  /** What the replicas call that which this caller sees; `undefined`: nothing is hidden from them, as from no one where it is absent. */
  viewName?(caller: Caller): string | undefined;
  /** Whether both are shown the same resources and prompts; all are where it is absent. */
  isSameView?(one: Caller, other: Caller): boolean;
}

/** Beside what both eras have. */
export interface ModernPart {
  /** Under `capabilities.extensions`. */
  readonly extensions: JsonObject;
  readonly methods: ReadonlyMap<string, Method>;
  /** For `subscriptions/listen`. */
  readonly tasks?: TaskFeed;
}

/** Tasks that a client listens to. */
export interface TaskFeed {
  /** Those of the ids that are tasks of this caller. */
  accept(ids: readonly string[], asker: TaskAsker): Promise<readonly string[]>;
  /** `listener` hears how each stands now, and each change; answers how to stop. */
  watch(ids: readonly string[], asker: TaskAsker, listener: (id: string, task: JsonObject) => void): () => void;
}

export type TaskAsker = Pick<RequestContext, 'era' | 'client' | 'caller'>;

/** What the owner of a wire is told of it: standard output is the protocol's. */
export interface WireEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}

/** A client has said what it is, and who it speaks for is known. */
export type NoteHandshake = (caller: Caller, client: ClientInfo) => void;

export type WireLog = (event: WireEvent) => void;
