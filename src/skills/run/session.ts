// Everything that belongs to one call while it runs: who asked for what, its state, its secrets.
import { randomUUID } from 'node:crypto';
import { type Caller, LOCAL_OPERATOR } from '../../identity/caller.ts';
import { INPUT_LIMITS, inspectJson, isHoldable } from '../check/json-inspection.ts';
import type { Progress } from '../define/define-skill.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import type { InvocationEvents } from '../record/invocation-events.ts';
import { correlationIdOf } from '../record/invocation-ids.ts';
import type { Recorder } from '../record/recorder.ts';
import { addSecrets, isBriefInput, NOT_RECORDED, recordableInput, secretsIn } from '../record/redaction.ts';
import type { RuntimeLog } from '../record/runtime-log.ts';
import { createSecrets, type Secrets } from '../record/secrets.ts';
import { Call, type Clock } from './call.ts';
import type { Limits } from './limits.ts';
import type { RunningCalls } from './running-calls.ts';
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
}

/** What calls need of the runtime. */
export interface RuntimeParts {
  readonly find: (name: string) => RegisteredSkill | undefined;
  readonly clock: Clock;
  readonly log: RuntimeLog;
  readonly limits: Limits;
  /** Absent with `--no-log`. */
  readonly recorder: Recorder | undefined;
  readonly events: InvocationEvents;
  readonly workers: WorkerPools;
  /** How a skill invokes another: handed in, because a call contains calls. */
  readonly invoke: (request: InvokeRequest, outer: Outer) => Promise<SkillAnswer>;
  /** What a stop waits for. */
  readonly running: RunningCalls;
  readonly timeLimits: TimeLimits;
}

/** The call that a step is part of. */
export interface Outer {
  readonly secrets: Secrets;
  readonly depth: number;
}

export class Session {
  readonly parts: RuntimeParts;
  readonly skill: RegisteredSkill;
  readonly request: InvokeRequest;
  readonly caller: Caller;
  readonly input: unknown;
  readonly call: Call;
  readonly correlationIsValid: boolean;
  /** Steps inside steps. */
  readonly depth: number;
  /** Whether it counts as one that runs, and has to be counted off. */
  hasPlace = false;
  /** Not authorised, too many, or invalid: it does not run, and leaves little in the log. */
  refused = false;
  /** What became of its begin; absent: nobody was shown it yet. */
  begun: 'recorded' | 'refused' | undefined;
  readonly #outer: Outer | undefined;
  #secrets: Secrets | undefined;
  #checked: unknown;
  #canBeHeld: boolean | undefined;
  #payload: { readonly value: unknown } | undefined;

  constructor(parts: RuntimeParts, skill: RegisteredSkill, request: InvokeRequest, outer: Outer | undefined) {
    const { caller = LOCAL_OPERATOR, input = {} } = request;
    const id = randomUUID();
    const correlation = correlationIdOf(request.correlationId, id);
    this.parts = parts;
    this.skill = skill;
    this.request = request;
    this.caller = caller;
    this.input = input;
    this.correlationIsValid = correlation.valid;
    this.depth = outer?.depth ?? 0;
    this.#outer = outer;
    this.call = new Call(
      {
        id,
        skillName: skill.name,
        invokingAgent: request.agent ?? caller.name,
        correlationId: correlation.id,
      },
      parts.clock,
    );
  }

  /** Found when first needed: a call that succeeds without a log never asks. */
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
    if (this.#secrets !== undefined || this.#outer !== undefined) this.#addChecked(this.secrets);
  }

  #addChecked(secrets: Secrets): void {
    if (this.#checked !== undefined) secrets.add(secretsIn(this.#checked, this.skill.input.secrecy));
  }

  /** The input as it may be stored and shown. */
  get payload(): unknown {
    this.#payload ??= { value: this.#recordable() };
    return this.#payload.value;
  }

  #recordable(): unknown {
    // Before anything else looks into it: whoever may not call decides how much there is to look at.
    if (this.refused && !tried(() => isBriefInput(this.input))) return NOT_RECORDED.refused;
    if (!this.#isHoldable()) return NOT_RECORDED.unfit;
    return recordableInput(this.parts.find, this.skill, this.input, this.secrets);
  }

  #isHoldable(): boolean {
    this.#canBeHeld ??= tried(() => isHoldable(inspectJson(this.input, INPUT_LIMITS)));
    return this.#canBeHeld;
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
