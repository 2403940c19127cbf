// The sessions of all 2025-era clients: found by id and owner, forgotten when idle, never more than the limits.
import type { Caller } from '../../../identity/caller.ts';
import { monotonicMs } from '../../../monotonic-clock.ts';
import type { RpcError } from '../method.ts';
import { type HttpSession, ownerOf } from './http-session.ts';
import { rpcCode } from './json-rpc.ts';

export interface SessionLimits {
  readonly inAll: number;
  readonly perCaller: number;
  /** How long a session is kept for a client that says nothing. */
  readonly idleMs: number;
}

export const SESSION_LIMITS: SessionLimits = { inAll: 1_000, perCaller: 100, idleMs: 30 * 60_000 };

/** How often we look for the idle ones. */
const SWEEPS_PER_LIFE = 30;

interface Kept {
  readonly session: HttpSession;
  usedAt: number;
}

export class HttpSessions {
  readonly #limits: SessionLimits;
  readonly #byId = new Map<string, Kept>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), limits.idleMs / SWEEPS_PER_LIFE).unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  *[Symbol.iterator](): Generator<HttpSession> {
    for (const { session } of this.#byId.values()) yield session;
  }

  /** Another caller's session does not exist. */
  find(id: string, caller: Caller): HttpSession | undefined {
    const kept = this.#byId.get(id);
    if (kept === undefined || kept.session.owner !== ownerOf(caller)) return undefined;
    kept.usedAt = monotonicMs();
    return kept.session;
  }

  /** Whether one more fits, after the longest idle one went if it had to. */
  makeRoom(caller: Caller): boolean {
    const owner = ownerOf(caller);
    const all = [...this.#byId.values()];
    const own = all.filter(({ session }) => session.owner === owner);
    if (own.length >= this.#limits.perCaller) return this.#dropIdlest(own);
    return all.length < this.#limits.inAll || this.#dropIdlest(all);
  }

  add(session: HttpSession): void {
    this.#byId.set(session.id, { session, usedAt: monotonicMs() });
  }

  end(session: HttpSession, error: RpcError = SESSION_ENDED): void {
    this.#byId.delete(session.id);
    session.end(error);
  }

  close(error: RpcError): void {
    clearInterval(this.#sweeper);
    for (const session of this) this.end(session, error);
  }

  #dropIdlest(among: readonly Kept[]): boolean {
    let idlest: Kept | undefined;
    for (const kept of among) {
      if (!kept.session.busy && (idlest === undefined || kept.usedAt < idlest.usedAt)) idlest = kept;
    }
    if (idlest !== undefined) this.end(idlest.session);
    return idlest !== undefined;
  }

  #sweep(): void {
    const now = monotonicMs();
    for (const kept of this.#byId.values()) {
      if (kept.session.busy) kept.usedAt = now;
      else if (now - kept.usedAt > this.#limits.idleMs) this.end(kept.session);
    }
  }
}

const SESSION_ENDED: RpcError = { code: rpcCode.refused, message: 'The session has ended' };
