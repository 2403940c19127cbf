// What a dashboard asks of a store about use: one stream of what was read and what ran, and how often each skill was used.
// Implemented in store/.
import type { FailureCode } from '../define/failure.ts';
import type { InvocationStatus } from '../define/invocation.ts';

/** A document that was read, a file beside it, or a run of a typed skill. */
export type ActivityKind = 'read' | 'file' | 'run';

export interface ActivityLog {
  /** Newest first. Rejects with BadCursor. */
  list(query: ActivityQuery): Promise<ActivityPage>;
  /** What each filter can be set to, with the other filters as they are. */
  choices(filter: ActivityFilter): Promise<ActivityChoices>;
  /** Of every skill that was used since then, in no order. `until`: now. */
  uses(span: { readonly since: Date; readonly until: Date }): Promise<readonly SkillUses[]>;
  /** Of one skill, over time. */
  usesOf(query: UseQuery): Promise<UseHistory>;
}

interface UseQuery {
  readonly skill: string;
  readonly since: Date;
  readonly until: Date;
  /** Without what was read under this name. */
  readonly runsOnly?: true;
}

export interface ActivityFilter {
  readonly kind?: ActivityKind;
  readonly skill?: string;
  /** What was read is of no other than these; runs are not meant. */
  readonly documents?: readonly string[];
  /** What was read is none of these texts. */
  readonly notDigests?: readonly string[];
  /** The agent that invoked, or the client that read. */
  readonly agent?: string;
  /** What was read is `completed`. */
  readonly status?: InvocationStatus;
  readonly failureCode?: FailureCode;
  readonly correlationId?: string;
  readonly since?: Date;
  readonly until?: Date;
}

export interface ActivityQuery extends ActivityFilter {
  readonly cursor?: string;
  readonly limit: number;
}

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** Stays valid while rows are added. */
  readonly nextCursor: string | undefined;
}

export interface ActivityEntry {
  readonly kind: ActivityKind;
  /** Of a run its invocation id, else a number. */
  readonly id: string;
  readonly at: Date;
  readonly skillName: string;
  readonly agent: string;
  readonly status: InvocationStatus;
  /** How it was read: `skill`, `resources/read` … */
  readonly surface: string | undefined;
  /** Of a file: below the skill's folder. */
  readonly path: string | undefined;
  /** Of a run. */
  readonly correlationId: string | undefined;
  /** Of a run that failed. */
  readonly failureCode: FailureCode | undefined;
  /** Of a run that has ended. */
  readonly durationMs: number | undefined;
}

export const CHOICE_NAMES = ['kind', 'skill', 'agent', 'status', 'failureCode'] as const;

export type ChoiceName = (typeof CHOICE_NAMES)[number];

export interface ActivityChoices {
  readonly choices: Readonly<Record<ChoiceName, readonly Choice[]>>;
  /** More is recorded than was counted: only the newest were. */
  readonly isCut: boolean;
}

/** Most frequent first. */
interface Choice {
  readonly name: string;
  readonly count: number;
}

export interface SkillUses {
  readonly skillName: string;
  /** As a document; its other files do not count. */
  readonly reads: number;
  readonly runs: number;
  readonly lastReadAt: Date | undefined;
  readonly lastRunAt: Date | undefined;
}

export interface UseHistory extends Omit<SkillUses, 'skillName'> {
  /** Per step of the window, oldest first, without gaps. */
  readonly series: readonly {
    readonly start: Date;
    readonly reads: number;
    readonly runs: number;
    readonly failures: number;
  }[];
  /** Who used it most, by their newest uses. */
  readonly users: readonly SkillUser[];
}

export interface SkillUser {
  readonly agent: string;
  readonly uses: number;
  readonly lastUsedAt: Date;
}
