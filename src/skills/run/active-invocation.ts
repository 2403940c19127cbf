// One invocation while it runs: who asked for what, its one result, its secrets, and what of it may be shown.
import { randomUUID } from 'node:crypto';
import { type Caller, LOCAL_OPERATOR, ownerKey, recordedName } from '../../identity/caller.ts';
import type { Result } from '../../values/result.ts';
import type { Span } from '../../values/trace.ts';
import { INPUT_LIMITS, inspectJson, isHoldable } from '../check/json-inspection.ts';
import type { JsonRecord } from '../check/json-schema.ts';
import type { Progress } from '../define/define-skill.ts';
import type { Failure } from '../define/failure.ts';
import {
  failedStatusOf,
  type Invocation,
  type InvocationStatus,
  mayBecome,
  type SkillAnswer,
} from '../define/invocation.ts';
import { MAX_DURABLE_SECONDS, type RegisteredSkill } from '../define/registered-skill.ts';
import type { InvocationEvents } from '../record/invocation-events.ts';
import { agentNameOf, correlationIdOf } from '../record/invocation-ids.ts';
import type { Recorder } from '../record/recorder.ts';
import { addSecrets, isBriefInput, learnSecrets, NOT_RECORDED, recordableInput } from '../record/redaction.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';
import { createSecrets, type Secrets } from '../record/secrets.ts';
import type { InFlight } from './in-flight.ts';
import type { Limits } from './limits.ts';
import type { StepMemory } from './step-memory.ts';
import type { TimeLimits } from './time-limits.ts';
import type { WorkerPools } from './worker-pools.ts';

/**
 * Which skill to run, with what, for whom.
 *
 * @example
 * const request: InvokeRequest = { name: 'greet', input: { name: 'Ada' }, caller: agentCaller('TaskAgent') };
 * const answer = await runtime.invoke({ ...request, signal: AbortSignal.timeout(1_000) });
 */
export interface InvokeRequest {
  readonly name: string;
  /** `{}` when left out. */
  readonly input?: unknown;
  /** The local operator when left out. */
  readonly caller?: Caller | undefined;
  /** The agent's name for the log; the caller's when left out. */
  readonly agent?: string | undefined;
  /** 8-4-4-4-12 hexadecimal digits; made when left out. */
  readonly correlationId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The work that this is part of, where traces are kept: the invocation and its steps become children of it. */
  readonly span?: Span | undefined;
}

interface Clock {
  /** For dates. */
  readonly now: () => Date;
  /** For durations: never goes back (F12). */
  readonly monotonicMs: () => number;
}

/** What invocations need of the runtime. */
export interface RuntimeParts {
  readonly find: (name: string) => RegisteredSkill | undefined;
  readonly clock: Clock;
  readonly log: RuntimeLog;
  readonly limits: Limits;
  /** Absent with `--no-log`. */
  readonly recorder: Recorder | undefined;
  readonly events: InvocationEvents;
  readonly workers: WorkerPools;
  /** How a skill invokes another: handed in, because an invocation contains invocations. */
  readonly invoke: (request: InvokeRequest, outer: OuterInvocation) => Promise<SkillAnswer>;
  /** What a stop waits for. */
  readonly inFlight: InFlight;
  readonly timeLimits: TimeLimits;
}

/** The invocation that a step is part of. */
export interface OuterInvocation {
  readonly secrets: Secrets;
  readonly depth: number;
  /** Of a durable run: which steps inside of this one are done. */
  readonly steps?: StepMemory | undefined;
}

/** An invocation that was stored before it runs (J1). */
export interface StoredInvocation {
  readonly id: string;
  readonly createdAt: Date;
  readonly steps: StepMemory;
}

export type Outcome = Result<JsonRecord, Failure>;

export class ActiveInvocation {
  readonly parts: RuntimeParts;
  readonly skill: RegisteredSkill;
  readonly request: InvokeRequest;
  readonly caller: Caller;
  readonly input: unknown;
  readonly id: string;
  /** As it was given; cleaned where it is shown. */
  readonly agent: string;
  readonly correlationId: string;
  readonly correlationIsValid: boolean;
  /** Steps inside steps. */
  readonly depth: number;
  /** Of a durable run: which of its steps are done. */
  readonly steps: StepMemory | undefined;
  /** By the monotonic clock. */
  readonly startedMs: number;
  /** Whether it counts as one that runs, and has to be counted off. */
  isCounted = false;
  /** Not authorised, too many, or invalid: it does not run, and leaves little in the log. */
  refused = false;
  /** Its own time limit ended it. */
  isOverdue = false;
  /** What became of its begin; absent: it was not shown yet. */
  begun: 'recorded' | 'refused' | undefined;
  readonly #outer: OuterInvocation | undefined;
  #status: InvocationStatus = 'pending';
  #beganAt: Date | undefined;
  #secrets: Secrets | undefined;
  #checked: unknown;
  #canBeHeld: boolean | undefined;
  #payload: { readonly value: unknown } | undefined;
  #ownerKey: string | undefined;

  constructor(
    parts: RuntimeParts,
    skill: RegisteredSkill,
    request: InvokeRequest,
    outer?: OuterInvocation,
    stored?: StoredInvocation,
  ) {
    const { caller = LOCAL_OPERATOR, input = {} } = request;
    this.id = stored?.id ?? randomUUID();
    this.steps = stored?.steps ?? outer?.steps;
    this.#beganAt = stored?.createdAt;
    const correlation = correlationIdOf(request.correlationId, this.id);
    this.parts = parts;
    this.skill = skill;
    this.request = request;
    this.caller = caller;
    this.input = input;
    this.agent = request.agent ?? recordedName(caller);
    this.correlationId = correlation.id;
    this.correlationIsValid = correlation.valid;
    this.depth = outer?.depth ?? 0;
    this.#outer = outer;
    this.startedMs = parts.clock.monotonicMs();
  }

  /** Of a run that goes on after a death: it outlives the call, so it has the time of a durable one (J1, J6). */
  get timeoutSeconds(): number {
    const { durable, timeoutSeconds } = this.skill;
    return durable?.resumes === true && this.steps !== undefined ? MAX_DURABLE_SECONDS : timeoutSeconds;
  }

  get status(): InvocationStatus {
    return this.#status;
  }

  /** Whether it may begin now: once, and only from the start. */
  begin(): boolean {
    return this.#move('running');
  }

  /** The one result; `undefined` before the begin, and for every later outcome (X2). */
  end(outcome: Outcome): SkillAnswer | undefined {
    const final = outcome.ok ? 'completed' : failedStatusOf(outcome.failure, this.isOverdue);
    return this.#move(final) ? this.#answer(outcome) : undefined;
  }

  #move(next: InvocationStatus): boolean {
    if (!mayBecome(this.#status, next)) return false;
    this.#status = next;
    return true;
  }

  /** Written out twice: spreading an object with a fraction in it is the slowest step of a whole invocation. */
  #answer(outcome: Outcome): SkillAnswer {
    const { id: invocationId, correlationId } = this;
    const durationMs = Math.max(0, Math.round(this.parts.clock.monotonicMs() - this.startedMs));
    const timestamp = this.parts.clock.now();
    return outcome.ok
      ? { invocationId, correlationId, success: true, outputPayload: outcome.value, durationMs, timestamp }
      : { invocationId, correlationId, success: false, failure: outcome.failure, durationMs, timestamp };
  }

  /** As the log and live views see it. */
  shown(): Invocation {
    // Read when the begin is shown, which is at once: an invocation that is not watched needs no date for it.
    this.#beganAt ??= this.parts.clock.now();
    this.#ownerKey ??= ownerKey(this.caller);
    return {
      id: this.id,
      skillName: this.skill.name,
      invokingAgent: agentNameOf(this.agent),
      ownerKey: this.#ownerKey,
      correlationId: this.correlationId,
      inputPayload: this.#shownInput(),
      timestamp: this.#beganAt,
      status: this.#status,
    };
  }

  #shownInput(): unknown {
    this.#payload ??= { value: this.#recordable() };
    return this.#payload.value;
  }

  #recordable(): unknown {
    // Before anything else looks into it: a caller without permission decides how much there is to look at.
    if (this.refused && !tried(() => isBriefInput(this.input))) return NOT_RECORDED.refused;
    if (!this.#isHoldable()) return NOT_RECORDED.unfit;
    return recordableInput(this.parts.find, this.skill, this.input, this.secrets);
  }

  #isHoldable(): boolean {
    this.#canBeHeld ??= tried(() => isHoldable(inspectJson(this.input, INPUT_LIMITS)));
    return this.#canBeHeld;
  }

  /** Found when first needed: an invocation that succeeds without a log never asks. */
  get secrets(): Secrets {
    if (this.#secrets === undefined) {
      // What lies outside knows its steps' secrets too: their outputs end up in its own.
      this.#secrets = this.#outer?.secrets ?? createSecrets();
      if (this.#isHoldable()) addSecrets(this.parts.find, this.skill, this.input, this.#secrets);
      this.#addChecked(this.#secrets);
    }
    return this.#secrets;
  }

  /** What the skill is handed: the check may have trimmed a secret, or filled one in, and that is one, too. */
  takeChecked(value: unknown): void {
    this.#checked = value;
    // The check lets nothing else through. Where nothing is recorded it is looked at later, when the skill may have changed it.
    if (this.parts.recorder !== undefined) this.#canBeHeld = true;
    if (this.#secrets !== undefined || this.#outer !== undefined) this.#addChecked(this.secrets);
  }

  #addChecked(secrets: Secrets): void {
    if (this.#checked !== undefined && this.#checked !== this.input)
      learnSecrets(this.#checked, this.skill.input.secrecy, secrets);
  }
}

/** A getter that throws makes an input unfit like a circle does. */
function tried(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
