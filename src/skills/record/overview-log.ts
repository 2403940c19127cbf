// What a dashboard asks of a store in one go: what ran and what was read over a window, and who shares the store.
// Implemented in store/.
import type { FailureCode } from '../define/failure.ts';

export interface OverviewLog {
  readonly kind: 'sqlite' | 'postgres';
  /** From roll-ups: takes the same time however much was recorded. Rejects with StoreUnavailable. */
  read(window: OverviewWindow): Promise<Overview>;
}

interface OverviewWindow {
  readonly since: Date;
  readonly until: Date;
  /** What was read is of no other than these. */
  readonly documents?: readonly string[];
}

export interface Overview {
  readonly stepSeconds: number;
  /** Per step of the window, oldest first, without gaps. */
  readonly series: readonly (Activity & { readonly start: Date })[];
  readonly totals: Activity;
  readonly busiest: readonly SkillOutcomes[];
  /** Only skills that failed. */
  readonly mostFailing: readonly SkillOutcomes[];
  readonly mostLoaded: readonly { readonly skillName: string; readonly loadCount: number }[];
  readonly replicas: readonly Replica[];
}

export interface Activity {
  readonly successCount: number;
  readonly failureCount: number;
  readonly failures: Readonly<Partial<Record<FailureCode, number>>>;
  readonly loads: number;
  /** Absent where nothing ended. */
  readonly durationMs: { readonly p50: number; readonly p95: number; readonly p99: number } | undefined;
}

export interface SkillOutcomes {
  readonly skillName: string;
  readonly successCount: number;
  readonly failureCount: number;
}

/** A process that has the same store and was heard of lately. */
interface Replica {
  readonly id: string;
  readonly lastSeen: Date;
  readonly isThis: boolean;
}
