// Runs the body of a skill under its deadline, with what a skill may use while it runs.
import type { Caller } from '../../identity/caller.ts';
import type { JsonRecord } from '../check/json-schema.ts';
import type { Progress, SkillContext } from '../define/define-skill.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import { cleanDetails, cleanText } from '../record/clean-details.ts';
import { describeError } from '../record/describe-error.ts';
import { Deadline, type Ending } from './deadline.ts';
import type { Session } from './session.ts';

export function runSkill(session: Session, input: JsonRecord): Promise<Ending> {
  const { parts, skill, request } = session;
  const deadline = new Deadline({
    limitMs: skill.timeoutSeconds * 1000,
    cancelledBy: request.signal,
    monotonicMs: parts.clock.monotonicMs,
    running: parts.running,
    timeLimits: parts.timeLimits,
  });
  // Without a log nothing was waited for since the call began.
  const startedMs = parts.recorder === undefined ? session.call.startedMs : undefined;
  return deadline.wait(() => startBody(session, deadline, input), startedMs);
}

function startBody(session: Session, deadline: Deadline, input: JsonRecord): unknown {
  const { name: skill, body } = session.skill;
  // The input has passed the check that gives `run` its types.
  if (body.isolation === 'none') return body.run(input as never, new CallContext(session, deadline));
  const { module, exportName, maxThreads } = body;
  return session.parts.workers.run({ skill, module, exportName, input, signal: deadline.signal, maxThreads });
}

/** A class, because a getter in an object literal costs twenty times the rest of a call. */
class CallContext implements SkillContext {
  private readonly session: Session;
  private readonly deadline: Deadline;
  readonly caller: Caller;
  readonly correlationId: string;
  // Own fields, not methods: skills take them out of the context by destructuring.
  readonly log: SkillContext['log'] = (message, details) => logLine(this.session, message, details);
  readonly invoke: SkillContext['invoke'] = (name, input) => invokeStep(this.session, this.deadline, name, input);
  readonly progress: SkillContext['progress'] = (done, total, message) => {
    if (!this.deadline.ended) reportProgress(this.session, done, total, message);
  };

  constructor(session: Session, deadline: Deadline) {
    this.session = session;
    this.deadline = deadline;
    this.caller = session.caller;
    this.correlationId = session.call.facts.correlationId;
  }

  get signal(): AbortSignal {
    return this.deadline.signal;
  }
}

const MAX_TEXT = 2_000;

function logLine({ parts, skill, call, secrets }: Session, message: string, details = {}): void {
  parts.log({
    ...cleanDetails(details, secrets),
    level: 'info',
    message: cleanText(String(message), secrets, MAX_TEXT),
    skill: skill.name,
    correlation_id: call.facts.correlationId,
  });
}

/** With the caller's authority, under the same correlation id, and never longer than the call that it is part of (X5). */
function invokeStep(session: Session, deadline: Deadline, name: string, input: unknown): Promise<SkillAnswer> {
  const { parts, caller, call, depth, secrets } = session;
  const { invokingAgent: agent, correlationId } = call.facts;
  // Work that a skill left behind has no caller any more.
  const signal = deadline.ended ? AbortSignal.abort() : deadline.signal;
  return parts.invoke({ name, input, caller, agent, correlationId, signal }, { secrets, depth: depth + 1 });
}

function reportProgress(session: Session, done: number, total: number | undefined, message: string | undefined): void {
  const { parts, request, skill, call, secrets } = session;
  if (!Number.isFinite(done)) return;
  const progress: Progress = {
    done,
    total: Number.isFinite(total) ? total : undefined,
    message: message === undefined ? undefined : cleanText(String(message), secrets, MAX_TEXT),
  };
  const { id: invocationId, correlationId } = call.facts;
  parts.events.emit({ type: 'progress', invocationId, skillName: skill.name, correlationId, progress });
  try {
    request.onProgress?.(progress);
  } catch (error) {
    parts.log({ level: 'error', message: 'A listener for progress failed', error: describeError(error) });
  }
}
