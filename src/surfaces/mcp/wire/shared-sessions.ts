// 2025-era sessions that every replica may serve (N2): what the replicas keep in common, and what they tell each other.
// Nothing here rejects: while the store is away, sessions are local (N7), and what could not be written is written later.
import type { Bus } from '../../../async/bus.ts';
import type { KeptLimits, KeptSession, KeptSessions, NewSession } from '../../../identity/kept-sessions.ts';
import { StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { isRequestId, type RequestId } from './json-rpc.ts';
import type { WireLog } from './method.ts';

export interface SharedOptions {
  readonly kept: KeptSessions;
  readonly bus: Bus;
}

/** What other replicas did, and which sessions ended. Sessions by the digest of their id: the ids themselves are never sent. */
export interface FromElsewhere {
  ended(digest: string): void;
  cancelled(digest: string, requestId: RequestId): void;
  streamOpened(digest: string, opened: StreamOpened): void;
  subscribed(digest: string): void;
  /** Some of it may have been missed. */
  missed(): void;
}

/** Which of two streams is the newer. */
export interface StreamOpened {
  /** By the clock of the database. */
  readonly at: number;
  /** Where two were opened in the same millisecond. */
  readonly tie: string;
}

export const isNewer = (one: StreamOpened, other: StreamOpened): boolean =>
  one.at === other.at ? one.tie > other.tie : one.at > other.at;

const TOPIC = {
  ended: 'mcp.ended',
  cancelled: 'mcp.cancelled',
  stream: 'mcp.stream',
  subscribed: 'mcp.subscribed',
} as const;

/** A message between processes is small: so many digests fit. */
const DIGESTS_AT_ONCE = 50;
/** No client numbers its requests with more. */
const MOST_REQUEST_ID = 1_000;
/** Writes that wait for the store to come back. */
const MOST_LATE = 10_000;

export class SharedSessions {
  readonly #kept: KeptSessions;
  readonly #bus: Bus;
  readonly #log: WireLog;
  #late: (() => Promise<unknown>)[] = [];
  #unsubscribe: readonly (() => void)[] = [];

  constructor({ kept, bus }: SharedOptions, log: WireLog) {
    this.#kept = kept;
    this.#bus = bus;
    this.#log = log;
  }

  listen(to: FromElsewhere): void {
    const hear = (topic: string, take: (digest: string, body: JsonObject) => void) =>
      this.#bus.subscribe(topic, (body, isOwn) => {
        const { sessions } = body;
        if (!Array.isArray(sessions) || (isOwn && topic !== TOPIC.ended)) return;
        for (const digest of sessions) take(String(digest), body);
      });
    this.#unsubscribe = [
      // Our own, too: what went for want of room may be held here.
      hear(TOPIC.ended, (digest) => to.ended(digest)),
      hear(TOPIC.cancelled, (digest, { request }) => {
        if (isRequestId(request)) to.cancelled(digest, request);
      }),
      hear(TOPIC.stream, (digest, { at, tie }) => to.streamOpened(digest, { at: Number(at), tie: String(tie) })),
      hear(TOPIC.subscribed, (digest) => to.subscribed(digest)),
      this.#bus.onGap(() => to.missed()),
    ];
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** Undefined: the store is away. */
  async makeRoom(owner: string, most: KeptLimits): Promise<boolean | undefined> {
    const made = await this.#try(() => this.#kept.makeRoom(owner, most));
    if (made !== undefined) this.#tellEnded(made.ended);
    return made?.hasRoom;
  }

  /** False: only this process knows it. */
  add(session: NewSession): Promise<boolean> {
    return this.#isDone(() => this.#kept.add(session));
  }

  find(digest: string, idleMs: number): Promise<KeptSession | undefined> {
    return this.#try(() => this.#kept.find(digest, idleMs));
  }

  /** Undefined: it cannot be known. */
  async look(digests: readonly string[]): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
    return this.#late.length > 0 ? undefined : this.#try(() => this.#kept.look(digests));
  }

  async subscribe(digest: string, uri: string, isWanted: boolean): Promise<void> {
    await this.#writeOrLater(async () => {
      await this.#kept.subscribe(digest, uri, isWanted);
      this.#bus.publish(TOPIC.subscribed, { sessions: [digest] });
    });
  }

  /** The streams of other replicas for this session end. Undefined: they cannot be told. */
  async openStream(digest: string, tie: string): Promise<StreamOpened | undefined> {
    const at = await this.#try(() => this.#kept.openStream(digest));
    if (at === undefined) return undefined;
    this.#bus.publish(TOPIC.stream, { sessions: [digest], at, tie });
    return { at, tie };
  }

  async closeStream(digest: string): Promise<void> {
    await this.#try(() => this.#kept.closeStream(digest));
  }

  async changeCredential(digest: string, credential: string): Promise<void> {
    await this.#try(() => this.#kept.changeCredential(digest, credential));
  }

  /** When it resolves, no replica can find it. `credential`: only if it was last used with that. */
  async end(digest: string, credential?: string): Promise<void> {
    await this.#writeOrLater(async () => {
      if (await this.#kept.end(digest, credential)) this.#tellEnded([digest]);
    });
  }

  cancel(digest: string, request: RequestId): void {
    if (String(request).length > MOST_REQUEST_ID) return;
    this.#bus.publish(TOPIC.cancelled, { sessions: [digest], request });
  }

  /** What waited for the store. False: it is still away. */
  async writeLate(): Promise<boolean> {
    const waiting = this.#late;
    this.#late = [];
    for (const write of waiting) await this.#writeOrLater(write);
    return this.#late.length === 0;
  }

  /** False: the store is away. */
  touch(used: readonly string[], listening: readonly string[]): Promise<boolean> {
    return this.#isDone(() => this.#kept.touch(used, listening));
  }

  async endIdle(idleMs: number): Promise<void> {
    this.#tellEnded((await this.#try(() => this.#kept.endIdle(idleMs))) ?? []);
  }

  #tellEnded(digests: readonly string[]): void {
    for (let start = 0; start < digests.length; start += DIGESTS_AT_ONCE) {
      this.#bus.publish(TOPIC.ended, { sessions: digests.slice(start, start + DIGESTS_AT_ONCE) });
    }
  }

  async #writeOrLater(write: () => Promise<unknown>): Promise<void> {
    await this.#try(write, write);
    if (this.#late.length > MOST_LATE) this.#late.shift();
  }

  #isDone(work: () => Promise<void>): Promise<boolean> {
    return this.#try(() => work().then(() => true)).then((done) => done ?? false);
  }

  /** Undefined when it failed. `later`: what to do again once the store is back. */
  async #try<T>(work: () => Promise<T>, later?: () => Promise<unknown>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        if (later !== undefined) this.#late.push(later);
      } else this.#log({ level: 'error', message: 'Cannot share a session with the other replicas', error });
      return undefined;
    }
  }
}
