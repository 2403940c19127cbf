// The sessions of all 2025-era clients: found by id and owner, forgotten when idle, never more than the limits.

import { monotonicMs } from '../../../async/monotonic-clock.ts';
import { type Caller, callerKey } from '../../../identity/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { HttpSession } from './http-session.ts';
import { rpcCode } from './json-rpc.ts';
import type { RpcError } from './method.ts';

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
  /** What its last request came with: it ends with that, for whoever has nothing newer. */
  credential: string | undefined;
  stopWatching: () => void;
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
  find(id: string, exchange: Exchange): HttpSession | undefined {
    const kept = this.#byId.get(id);
    if (kept === undefined || kept.session.owner !== callerKey(exchange.caller)) return undefined;
    kept.usedAt = monotonicMs();
    if (kept.credential !== credentialIn(exchange)) this.#watch(kept, exchange);
    return kept.session;
  }

  /** Whether one more fits, after the longest idle one went if it had to. */
  makeRoom(caller: Caller): boolean {
    const owner = callerKey(caller);
    const all = [...this.#byId.values()];
    const own = all.filter(({ session }) => session.owner === owner);
    if (own.length >= this.#limits.perCaller) return this.#dropIdlest(own);
    return all.length < this.#limits.inAll || this.#dropIdlest(all);
  }

  add(session: HttpSession, exchange: Exchange): void {
    const kept: Kept = { session, usedAt: monotonicMs(), credential: undefined, stopWatching: () => undefined };
    this.#byId.set(session.id, kept);
    this.#watch(kept, exchange);
  }

  end(session: HttpSession, error: RpcError = SESSION_ENDED): void {
    this.#byId.get(session.id)?.stopWatching();
    this.#byId.delete(session.id);
    session.end(error);
  }

  close(error: RpcError): void {
    clearInterval(this.#sweeper);
    for (const session of this) this.end(session, error);
  }

  #watch(kept: Kept, exchange: Exchange): void {
    kept.stopWatching();
    kept.credential = credentialIn(exchange);
    kept.stopWatching = exchange.allowance.watch(exchange, () => this.end(kept.session));
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

const credentialIn = ({ request: { headers } }: Exchange): string | undefined =>
  headers.authorization ?? headers.cookie;

const SESSION_ENDED: RpcError = { code: rpcCode.refused, message: 'The session has ended' };
