// What the runtime needs of a store to record runs of typed skills and read them back. Implemented in store/.
import type { FailureCode } from './failure.ts';
import type { Invocation, InvocationResult, InvocationStatus } from './invocation.ts';

export interface InvocationLog {
  /**
   * Records that a run has begun (status `running`). Resolves when it is durable; rejects with StoreUnavailable when the
   * store cannot take it. Whoever need not wait for it lets it go: `end` is written after it in any case.
   */
  begin(invocation: Invocation): Promise<void>;
  /**
   * Records the one result. Resolves when it is durable, together with its invocation (F2). A second one is refused. What
   * the store cannot take now it may write later, so that nothing is called running that has ended.
   */
  end(invocation: Invocation, result: InvocationResult): Promise<void>;
  find(id: string): Promise<LoggedInvocation | undefined>;
  /** Newest first. Rejects with BadCursor. */
  list(query: InvocationQuery): Promise<InvocationPage>;
  /** Counts, rates and percentiles since then, from minute roll-ups (X8). */
  stats(query: StatsQuery): Promise<InvocationStats>;
  /** Runs whose end this store was not able to record when it came, since the process began (best effort). */
  readonly lost: number;
}

export interface LoggedInvocation {
  readonly invocation: Invocation;
  /** Absent while it runs. */
  readonly result: InvocationResult | undefined;
}

export interface InvocationQuery {
  readonly skill?: string;
  readonly status?: InvocationStatus;
  readonly agent?: string;
  readonly correlationId?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly cursor?: string;
  readonly limit: number;
}

export interface InvocationPage {
  readonly invocations: readonly LoggedInvocation[];
  /** Stays valid while rows are added. */
  readonly nextCursor: string | undefined;
}

interface StatsQuery {
  readonly skill?: string;
  readonly since: Date;
  readonly until: Date;
}

export interface InvocationStats {
  readonly skills: readonly SkillStats[];
  /** Per step of the window, oldest first, without gaps. */
  readonly series: readonly { readonly start: Date; readonly count: number; readonly failureCount: number }[];
}

export interface SkillStats {
  readonly skillName: string;
  readonly count: number;
  readonly successCount: number;
  readonly failureCount: number;
  readonly failures: Readonly<Partial<Record<FailureCode, number>>>;
  readonly durationMs: { readonly p50: number; readonly p95: number; readonly p99: number };
}

/** The store cannot be reached, is full, or took too long. Its message is a sentence without a path, an address or SQL. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The cursor of a query was not made by the store. */
export class BadCursor extends Error {
  override readonly name = 'BadCursor';
}
