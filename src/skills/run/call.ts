// One run of a typed skill from its begin to its one result. It moves along X2's arrows only, whoever pushes.
import type { Result } from '../../values/result.ts';
import type { JsonRecord } from '../check/json-schema.ts';
import type { Failure } from '../define/failure.ts';
import {
  failedStatusOf,
  type Invocation,
  type InvocationStatus,
  mayBecome,
  type SkillAnswer,
} from '../define/invocation.ts';
import { agentNameOf } from '../record/invocation-ids.ts';

export type Outcome = Result<JsonRecord, Failure>;

export interface CallFacts {
  readonly id: string;
  readonly skillName: string;
  /** As it was given; cleaned where it is shown. */
  readonly invokingAgent: string;
  readonly correlationId: string;
}

export interface Clock {
  /** For dates. */
  readonly now: () => Date;
  /** For durations: never goes back (F12). */
  readonly monotonicMs: () => number;
}

export class Call {
  readonly facts: CallFacts;
  /** By the monotonic clock. */
  readonly startedMs: number;
  readonly #clock: Clock;
  #beganAt: Date | undefined;
  #status: InvocationStatus = 'pending';

  constructor(facts: CallFacts, clock: Clock) {
    this.facts = facts;
    this.#clock = clock;
    this.startedMs = clock.monotonicMs();
  }

  get status(): InvocationStatus {
    return this.#status;
  }

  /** Whether it may begin now: once, and only from the start. */
  begin(): boolean {
    return this.#move('running');
  }

  /** The one result; `undefined` for everybody who comes later, and before the begin. */
  end(outcome: Outcome): SkillAnswer | undefined {
    const final = outcome.ok ? 'completed' : failedStatusOf(outcome.failure);
    return this.#move(final) ? this.#answer(outcome) : undefined;
  }

  /** As the log and live views see it; `inputPayload` is already redacted. */
  invocation(inputPayload: unknown): Invocation {
    const { id, skillName, correlationId } = this.facts;
    const invokingAgent = agentNameOf(this.facts.invokingAgent);
    // Read when the begin is shown, which is at once: a call that nobody watches needs no date for it.
    this.#beganAt ??= this.#clock.now();
    return {
      id,
      skillName,
      invokingAgent,
      correlationId,
      inputPayload,
      timestamp: this.#beganAt,
      status: this.#status,
    };
  }

  #move(next: InvocationStatus): boolean {
    if (!mayBecome(this.#status, next)) return false;
    this.#status = next;
    return true;
  }

  /** Written out twice: spreading an object with a fraction in it is the slowest step of a whole call. */
  #answer(outcome: Outcome): SkillAnswer {
    const { id: invocationId, correlationId } = this.facts;
    const durationMs = Math.max(0, Math.round(this.#clock.monotonicMs() - this.startedMs));
    const timestamp = this.#clock.now();
    return outcome.ok
      ? { invocationId, correlationId, success: true, outputPayload: outcome.value, durationMs, timestamp }
      : { invocationId, correlationId, success: false, failure: outcome.failure, durationMs, timestamp };
  }
}
