// Runs the body of a skill under its deadline, with what a skill may use while it runs.
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../identity/caller.ts';
import type { JsonRecord } from '../check/json-schema.ts';
import type { Progress, SkillContext, StepOptions } from '../define/define-skill.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import { cleanDetails, cleanText } from '../record/clean-details.ts';
import { describeError } from '../record/describe-error.ts';
import type { ActiveInvocation, InvokeRequest } from './active-invocation.ts';
import { Deadline, type Ending } from './deadline.ts';
import { runKeptStep, type StepMemory } from './step-memory.ts';

export function runSkill(active: ActiveInvocation, input: JsonRecord): Promise<Ending> {
  const { parts, request } = active;
  const deadline = new Deadline({
    id: active.id,
    limitMs: active.timeoutSeconds * 1000,
    cancelledBy: request.signal,
    monotonicMs: parts.clock.monotonicMs,
    inFlight: parts.inFlight,
    timeLimits: parts.timeLimits,
  });
  // Without a log nothing was waited for since the call began.
  const startedMs = parts.recorder === undefined ? active.startedMs : undefined;
  return deadline.wait(() => startBody(active, deadline, input), startedMs);
}

function startBody(active: ActiveInvocation, deadline: Deadline, input: JsonRecord): unknown {
  const { name: skill, body } = active.skill;
  // The input has passed the check that gives `run` its types.
  if (body.isolation === 'none') return body.run(input as never, new RunContext(active, deadline));
  const { module, exportName, environment } = body;
  const scrub = (text: string) => active.secrets.scrub(text);
  return active.parts.workers.run({ skill, module, exportName, environment, input, signal: deadline.signal, scrub });
}

/** A class, because a getter in an object literal costs twenty times the rest of a call. */
class RunContext implements SkillContext {
  private readonly active: ActiveInvocation;
  private readonly deadline: Deadline;
  readonly caller: Caller;
  readonly correlationId: string;
  // Own fields, not methods: skills take them out of the context by destructuring.
  readonly log: SkillContext['log'] = (message, details) => logLine(this.active, message, details);
  readonly invoke: SkillContext['invoke'] = (name, input, options) =>
    invokeStep(this.active, this.deadline, { name, input }, options);
  readonly ask: SkillContext['ask'] = async (questions) => {
    const { steps } = this.active;
    if (steps === undefined) throw new Error('Cannot ask: only a durable run can wait for a reply');
    return await steps.ask(questions, this.signal);
  };
  readonly progress: SkillContext['progress'] = (done, total, message) => {
    if (!this.deadline.ended) reportProgress(this.active, done, total, message);
  };

  constructor(active: ActiveInvocation, deadline: Deadline) {
    this.active = active;
    this.deadline = deadline;
    this.caller = active.caller;
    this.correlationId = active.correlationId;
  }

  get signal(): AbortSignal {
    return this.deadline.signal;
  }
}

const MAX_TEXT = 2_000;

function logLine({ parts, skill, correlationId, secrets }: ActiveInvocation, message: string, details = {}): void {
  parts.log({
    ...cleanDetails(details, secrets),
    level: 'info',
    message: cleanText(String(message), secrets, MAX_TEXT),
    skill: skill.name,
    correlation_id: correlationId,
  });
}

/** With the caller's authority, under the same correlation id, and never longer than the call that it is part of (X5). */
function invokeStep(
  active: ActiveInvocation,
  deadline: Deadline,
  { name, input }: Pick<InvokeRequest, 'name' | 'input'>,
  { step }: StepOptions = {},
): Promise<SkillAnswer> {
  const { parts, caller, agent, correlationId, depth, secrets } = active;
  const { span } = active.request;
  // Work that a skill left behind has no caller any more.
  const signal = deadline.ended ? AbortSignal.abort() : deadline.signal;
  const request = { name, input, caller, agent, correlationId, signal, span };
  const outer = { secrets, depth: depth + 1 };
  if (active.steps === undefined || step === undefined) return parts.invoke(request, outer);
  return runOnce(active, step, request.name, (steps) => parts.invoke(request, { ...outer, steps }));
}

async function runOnce(
  { parts, steps, correlationId }: ActiveInvocation,
  step: string,
  name: string,
  run: (inner: StepMemory) => Promise<SkillAnswer>,
): Promise<SkillAnswer> {
  if (steps === undefined) throw new Error('Only the steps of a durable run are kept');
  const ran = await runKeptStep(steps, { step, skill: parts.find(name) }, run);
  if ('invocationId' in ran) return ran;
  return {
    invocationId: randomUUID(),
    correlationId,
    success: false,
    failure: ran,
    durationMs: 0,
    timestamp: parts.clock.now(),
  };
}

function reportProgress(
  active: ActiveInvocation,
  done: number,
  total: number | undefined,
  message: string | undefined,
): void {
  const { parts, request, skill, id: invocationId, correlationId, secrets } = active;
  if (!Number.isFinite(done)) return;
  const progress: Progress = {
    done,
    total: Number.isFinite(total) ? total : undefined,
    message: message === undefined ? undefined : cleanText(String(message), secrets, MAX_TEXT),
  };
  parts.events.emit({ type: 'progress', invocationId, skillName: skill.name, correlationId, progress });
  try {
    request.onProgress?.(progress);
  } catch (error) {
    parts.log({ level: 'error', message: 'A listener for progress failed', error: describeError(error) });
  }
}
