// Carries out an invocation that was admitted and stored before, under its id (J5). The input is checked again: defaults and
// transforms belong to the run. What becomes of its result is decided by the code that holds the run.
import type { Caller } from '../../identity/caller.ts';
import type { Span } from '../../values/trace.ts';
import type { Progress } from '../define/define-skill.ts';
import type { Invocation, InvocationResult } from '../define/invocation.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import { ActiveInvocation, type Outcome, type RuntimeParts } from './active-invocation.ts';
import { attempt, checked, end, redactOutput, rememberSecrets } from './invoke.ts';
import type { StepMemory } from './step-memory.ts';
import { traceAttempt } from './trace-invocation.ts';

interface StoredRun {
  readonly id: string;
  readonly skillName: string;
  readonly input: unknown;
  readonly caller: Caller;
  readonly invokingAgent: string;
  readonly correlationId: string;
  readonly createdAt: Date;
  /** From 1. */
  readonly attempt: number;
  /** Of the call that asked for it, where traces are kept: the run and its steps become children of it. */
  readonly span?: Span | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly steps: StepMemory;
}

export interface CarriedOut {
  /** As the log may show it. */
  readonly invocation: Invocation;
  /** Redacted, as the log keeps it. */
  readonly result: InvocationResult;
  /** Its signal ended it. */
  readonly isCancelled: boolean;
  /** Tells those that watch that it has ended: after its result is stored. */
  announce(): void;
}

export type CarryOut = (run: StoredRun) => Promise<CarriedOut>;

/** Rejects when there is no such skill, or for a fault of ours. */
export const createCarryOut =
  (parts: RuntimeParts): CarryOut =>
  async (run) => {
    const skill = parts.find(run.skillName);
    if (skill === undefined) throw new Error(`There is no skill "${run.skillName}" to carry out a run of`);
    const { span, attempt: number } = run;
    if (span === undefined) return carryOut(parts, skill, run);
    return traceAttempt(
      span,
      { name: skill.name, attempt: number },
      (own) => carryOut(parts, skill, { ...run, span: own }),
      ({ invocation: { correlationId }, result }) => ({ ...result, correlationId }),
    );
  };

async function carryOut(parts: RuntimeParts, skill: RegisteredSkill, run: StoredRun): Promise<CarriedOut> {
  const { input, caller, invokingAgent: agent, correlationId, signal, onProgress, span } = run;
  const request = { name: skill.name, input, caller, agent, correlationId, signal, onProgress, span };
  parts.inFlight.enter();
  try {
    const active = new ActiveInvocation(parts, skill, request, undefined, run);
    active.begin();
    parts.events.emit({ type: 'begin', invocation: active.shown() });
    return conclude(active, await attempt(active, checked(active)), signal);
  } finally {
    parts.inFlight.leave();
  }
}

function conclude(active: ActiveInvocation, outcome: Outcome, signal: AbortSignal): CarriedOut {
  rememberSecrets(active, outcome);
  const shownOutput = redactOutput(active, outcome);
  const { correlationId: _given, ...plain } = end(active, outcome);
  const result: InvocationResult = plain.success ? { ...plain, outputPayload: shownOutput } : plain;
  const invocation = active.shown();
  return {
    invocation,
    result,
    // A skill may say `cancelled` of something else in its failure.
    isCancelled: signal.aborted && !result.success && result.failure.details?.cancelled === true,
    announce: () => active.parts.events.emit({ type: 'end', invocation, result }),
  };
}
