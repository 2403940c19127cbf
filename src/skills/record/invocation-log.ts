// What the runtime needs of a store to record runs of typed skills and read them back. Implemented in store/.
import type { FailureCode } from '../define/failure.ts';
import type { Invocation, InvocationResult, InvocationStatus } from '../define/invocation.ts';

export { StoreUnavailable } from '../../values/store-unavailable.ts';

/**
 * What a runtime needs of a store to record runs and read them back. A runtime itself needs only `begin` and `end`.
 *
 * @example
 * const record: Pick<InvocationLog, 'begin' | 'end'> = {
 *   begin: async ({ id, skillName }) => console.log('begin', id, skillName),
 *   end: async ({ id }, { durationMs }) => console.log('end', id, durationMs),
 * };
 */
export interface InvocationLog {
  /**
   * Records that a run has begun (status `running`). Resolves when it is durable; rejects with StoreUnavailable when the
   * store cannot take it. It need not be waited for: `end` is written after it in any case.
   */
  begin(invocation: Invocation): Promise<void>;
  /**
   * Records the one result. Resolves when it is durable, together with its invocation. A second one is refused. What
   * the store cannot take now it may write later, so that nothing is called running that has ended. The invocation is given as
   * it is at its end: a failure with TIMEOUT is recorded as `timeout` if that is its status, else as `failed`.
   */
  end(invocation: Invocation, result: InvocationResult): Promise<void>;
  /** With its payloads whole. */
  find(id: string): Promise<LoggedInvocation | undefined>;
  /**
   * Newest first. A page ends by bytes as well as by rows, and a payload of more than 8 KB is `{ cut: true, bytes, begins }`
   * in it. Rejects with BadCursor.
   */
  list(query: InvocationQuery): Promise<InvocationPage>;
  /** Counts, failures and percentiles of a span of time, from minute roll-ups. */
  stats(query: StatsQuery): Promise<InvocationStats>;
  /** The same counters by another key than the skill, in the order of the keys. */
  statsBy(query: StatsQuery & { readonly by: StatsKey }): Promise<readonly KeyedStats[]>;
}

/**
 * An invocation as a log has it, with its result once it has ended.
 *
 * @example
 * const stateOf = ({ invocation, result }: LoggedInvocation) => [invocation.skillName, result?.durationMs ?? 'runs'];
 */
export interface LoggedInvocation {
  readonly invocation: Invocation;
  /** Absent while it runs. */
  readonly result: InvocationResult | undefined;
}

/**
 * Which invocations to list; every condition but `limit` may be left out.
 *
 * @example
 * const query: InvocationQuery = { skill: 'greet', status: 'failed', since: new Date('2026-01-01'), limit: 20 };
 */
export interface InvocationQuery {
  /** Of these, those that there are. */
  readonly ids?: readonly string[];
  /** Those whose id begins with these digits. */
  readonly idBegins?: string;
  readonly skill?: string;
  readonly status?: InvocationStatus;
  readonly agent?: string;
  /** Those that failed with this code. */
  readonly failureCode?: FailureCode;
  readonly correlationId?: string;
  /** Those whose correlation id begins with these digits. */
  readonly correlationIdBegins?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly cursor?: string;
  readonly limit: number;
}

/**
 * Some of the invocations that a query found, newest first.
 *
 * @example
 * const namesIn = ({ invocations }: InvocationPage) => invocations.map(({ invocation }) => invocation.skillName);
 */
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

/** Who invoked; or what this makes of a skill's name, such as its category. */
type StatsKey = 'agent' | ((skillName: string) => string);

/**
 * Counts, failures and durations per skill and over time, of the span that was asked for.
 *
 * @example
 * const busiest = ({ skills }: InvocationStats) => [...skills].sort((a, b) => b.count - a.count)[0]?.skillName;
 */
export interface InvocationStats {
  readonly skills: readonly SkillStats[];
  /** Per step of the window, oldest first, without gaps. */
  readonly series: readonly { readonly start: Date; readonly count: number; readonly failureCount: number }[];
}

/**
 * How often a skill ran in a window, how that ended, and how long it took.
 *
 * @example
 * const rateOf = ({ count, successCount }: SkillStats) => (count === 0 ? 1 : successCount / count);
 */
export interface SkillStats extends Counters {
  readonly skillName: string;
}

/**
 * The same of everything with one key: of one agent, of one category.
 *
 * @example
 * const busiest = (rows: readonly KeyedStats[]) => [...rows].sort((a, b) => b.count - a.count)[0]?.key;
 */
export interface KeyedStats extends Counters {
  readonly key: string;
}

interface Counters {
  readonly count: number;
  readonly successCount: number;
  readonly failureCount: number;
  readonly failures: Readonly<Partial<Record<FailureCode, number>>>;
  readonly durationMs: { readonly p50: number; readonly p95: number; readonly p99: number };
}

/**
 * The cursor of a query was not made by the store.
 *
 * @example
 * const list = () => Promise.reject(new BadCursor('it is not one of ours'));
 */
export class BadCursor extends Error {
  override readonly name = 'BadCursor';
}
