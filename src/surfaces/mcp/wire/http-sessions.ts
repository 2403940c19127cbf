// The sessions of 2025-era clients that this process serves: whose they are, within which limits, until when. Those that
// other replicas opened are taken over when they are asked for (N2); without a store in common there are none.
import { monotonicMs } from '../../../async/monotonic-clock.ts';
import { type Caller, ownerKey, rightsKey } from '../../../identity/caller.ts';
import type { KeptSession } from '../../../identity/kept-sessions.ts';
import { digestOf } from '../../../identity/token.ts';
import type { AdmittedRequest } from '../../http/message/admitted-request.ts';
import { credentialIn, type Held, heldCredential, holdSession, noteRights } from './held-session.ts';
import { rpcCode } from './json-rpc.ts';
import type { McpSession, OtherReplicas } from './mcp-session.ts';
import type { RpcError } from './method.ts';
import { SessionLink } from './session-link.ts';
import type { SharedSessions } from './shared-sessions.ts';

export interface SessionLimits {
  /** In this process; where replicas share them, ten times as many over all. */
  readonly inAll: number;
  readonly perCaller: number;
  /** How long a session is kept for a client that says nothing. */
  readonly idleMs: number;
}

export const SESSION_LIMITS: SessionLimits = { inAll: 1_000, perCaller: 100, idleMs: 30 * 60_000 };

const SHARED_IN_ALL = 10;

/** How often we look for the idle ones, and tell the other replicas which were used. */
const SWEEPS_PER_LIFE = 30;

/** As `McpSession` makes them: nothing else is worth a look into the store. */
const SESSION_ID = /^[\w-]{43}$/;

/** Hears how long this process knew each session. Must not throw. */
export type NoteSession = (ended: { readonly seconds: number; readonly version: string | undefined }) => void;

export interface McpSessionsOptions {
  readonly limits: SessionLimits;
  readonly onEnd: NoteSession;
  /** Absent: each session is this process's. */
  readonly shared: SharedSessions | undefined;
  /** A session that another replica opened. */
  readonly resume: (id: string, caller: Caller, kept: KeptSession) => McpSession;
}

export class McpSessions {
  readonly #options: McpSessionsOptions;
  readonly #byId = new Map<string, Held>();
  readonly #link: SessionLink | undefined;
  readonly #sweeper: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: McpSessionsOptions) {
    const { shared, limits } = options;
    const sweepMs = limits.idleMs / SWEEPS_PER_LIFE;
    const forget = (held: Held) => this.#forget(held, SESSION_ENDED);
    this.#options = options;
    // The others hear of a use with the next sweep, or the one after if that comes late.
    this.#link = shared && new SessionLink({ shared, idleMs: limits.idleMs + 2 * sweepMs, forget });
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Who has to hear of what a session does. */
  get elsewhere(): OtherReplicas | undefined {
    return this.#link;
  }

  *[Symbol.iterator](): Generator<McpSession> {
    for (const { session } of this.#byId.values()) yield session;
  }

  /** Among those that this process knows. Another caller's session does not exist. */
  find(id: string, admitted: AdmittedRequest): McpSession | undefined {
    const held = this.#byId.get(id);
    if (held === undefined || held.session.owner !== ownerKey(admitted.caller)) return undefined;
    held.usedAt = monotonicMs();
    held.isUsed = true;
    noteRights(held, admitted.caller);
    if (held.credential?.text !== credentialIn(admitted)) {
      this.#watch(held, admitted);
      if (held.credential !== undefined) this.#link?.changeCredential(held, held.credential.digest);
    }
    return held.session;
  }

  /** Among those of other replicas; undefined where there are none. `full`: it is there, and there is no room for it. */
  adopt(id: string, admitted: AdmittedRequest): Promise<McpSession | 'full' | undefined> | undefined {
    // One that is known here belongs to another caller: the store would say the same.
    if (this.#link === undefined || !SESSION_ID.test(id) || this.#byId.has(id)) return undefined;
    return this.#link.lookUp(digestOf(id)).then((kept) => {
      if (this.#byId.has(id)) return this.find(id, admitted);
      if (this.#isClosed || kept?.owner !== ownerKey(admitted.caller)) return undefined;
      return this.#makePlace() ? this.#take(id, kept, admitted) : 'full';
    });
  }

  /** Whether one more fits, after the longest idle one went if it had to. */
  makeRoom(caller: Caller): boolean | Promise<boolean> {
    if (this.#link === undefined) return this.#makeRoomHere(caller);
    const { perCaller, inAll } = this.#options.limits;
    return this.#link
      .makeRoom(ownerKey(caller), { perCaller, inAll: SHARED_IN_ALL * inAll })
      .then((hasRoom) => (hasRoom === undefined ? this.#makeRoomHere(caller) : hasRoom && this.#makePlace()));
  }

  /** Where replicas share their sessions: a promise that resolves when each of them can find this one. */
  add(session: McpSession, admitted: AdmittedRequest): Promise<void> | undefined {
    const held = this.#hold(session, rightsKey(admitted.caller));
    this.#watch(held, admitted);
    if (this.#link === undefined) return undefined;
    // Whatever comes next may meet another replica: what changes is remembered here for a stream from now on.
    session.rules.initialized();
    return this.#link.add(held);
  }

  /** On every replica: where there are others, a promise that resolves when none can find it. */
  end(session: McpSession): Promise<void> | undefined {
    const held = this.#byId.get(session.id);
    if (held === undefined) return undefined;
    this.#forget(held, SESSION_ENDED);
    return this.#link?.end(held);
  }

  /** What is shared goes on elsewhere. */
  close(error: RpcError): void {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    this.#link?.close();
    for (const held of [...this.#byId.values()]) this.#forget(held, error);
  }

  #hold(session: McpSession, rights: string): Held {
    const held = holdSession(session, rights, monotonicMs());
    this.#byId.set(session.id, held);
    return held;
  }

  #take(id: string, kept: KeptSession, admitted: AdmittedRequest): McpSession {
    const session = this.#options.resume(id, admitted.caller, kept);
    const held = this.#hold(session, kept.rights);
    this.#link?.adopt(held);
    noteRights(held, admitted.caller);
    this.#watch(held, admitted);
    const credential = held.credential?.digest;
    if (credential !== undefined && credential !== kept.credential) this.#link?.changeCredential(held, credential);
    return session;
  }

  #forget(held: Held, error: RpcError): void {
    held.stopWatching();
    this.#byId.delete(held.session.id);
    this.#link?.release(held);
    held.session.end(error);
    const { openedAt, session } = held;
    this.#options.onEnd({ seconds: (monotonicMs() - openedAt) / 1_000, version: session.rules.version });
  }

  #watch(held: Held, admitted: AdmittedRequest): void {
    held.stopWatching();
    held.credential = heldCredential(held.session, credentialIn(admitted));
    held.stopWatching = admitted.limits.watch(
      admitted,
      () => this.#endWithCredential(held),
      (caller) => noteRights(held, caller),
    );
  }

  /** Where another replica has seen a newer credential, it goes on there. */
  #endWithCredential(held: Held): void {
    this.#forget(held, SESSION_ENDED);
    void this.#link?.end(held, held.credential?.digest);
  }

  #makeRoomHere(caller: Caller): boolean {
    const owner = ownerKey(caller);
    const own = [...this.#byId.values()].filter(({ session }) => session.owner === owner);
    return own.length >= this.#options.limits.perCaller ? this.#dropIdlest(own) : this.#makePlace();
  }

  #makePlace(): boolean {
    return this.#byId.size < this.#options.limits.inAll || this.#dropIdlest(this.#byId.values());
  }

  /** One that is shared can be taken up again. */
  #dropIdlest(among: Iterable<Held>): boolean {
    let idlest: Held | undefined;
    for (const held of among) {
      if (!held.session.busy && (idlest === undefined || held.usedAt < idlest.usedAt)) idlest = held;
    }
    if (idlest !== undefined) this.#forget(idlest, SESSION_ENDED);
    return idlest !== undefined;
  }

  #sweep(): void {
    const now = monotonicMs();
    for (const held of [...this.#byId.values()]) {
      if (held.session.busy) held.usedAt = now;
      else if (now - held.usedAt > this.#options.limits.idleMs) this.#forget(held, SESSION_ENDED);
    }
    void this.#link?.compare();
  }
}

const SESSION_ENDED: RpcError = { code: rpcCode.refused, message: 'The session has ended' };
