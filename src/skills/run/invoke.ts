// One call of a typed skill: find, begin, authorise, limit, validate, run under its deadline, validate, end (X2, X5).
import { randomUUID } from 'node:crypto';
import { refusalOf } from '../../identity/caller.ts';
import { fail } from '../../values/result.ts';
import { reportViolations, type Violation } from '../check/violation.ts';
import { type Failure, failureOf, findSkillFailure, UNDECLARED_CODES } from '../define/failure.ts';
import type { SkillAnswer } from '../define/invocation.ts';
import { cleanFailure } from '../record/clean-details.ts';
import { cutForLog, describeError, traceOf } from '../record/describe-error.ts';
import { correlationIdOf } from '../record/invocation-ids.ts';
import { type Secrets, scrubShapes } from '../record/secrets.ts';
import type { Outcome } from './call.ts';
import { conclude, isUnobserved, recordBegin, recordEnd } from './conclude.ts';
import type { Ending } from './deadline.ts';
import { runSkill } from './run-skill.ts';
import { type InvokeRequest, type Outer, type RuntimeParts, Session } from './session.ts';

export async function invoke(parts: RuntimeParts, request: InvokeRequest, outer?: Outer): Promise<SkillAnswer> {
  const skill = parts.find(request.name);
  if (skill === undefined) return answerUnknown(parts, request);
  parts.running.enterCall();
  let session: Session | undefined;
  try {
    session = new Session(parts, skill, request, outer);
    session.call.begin();
    const admitted = admit(session);
    return isUnobserved(parts) ? conclude(session, await attempt(session, admitted)) : await observe(session, admitted);
  } catch (error) {
    // A fault of ours, or an output that changes while we look at it. Whoever waits gets an answer all the same.
    parts.log({ level: 'error', message: `Cannot invoke skill "${skill.name}"`, trace: traceOf(error) });
    const failure = failureOf('INTERNAL_ERROR', {});
    return session === undefined ? answerUnrecorded(parts, request, failure) : await endBroken(session, failure);
  } finally {
    if (session?.hasPlace) parts.limits.leave(skill);
    parts.running.leaveCall();
  }
}

async function observe(session: Session, admitted: Outcome): Promise<SkillAnswer> {
  const mayRun = await recordBegin(session);
  return await recordEnd(session, mayRun ? await attempt(session, admitted) : fail(failureOf('PERSISTENCE_ERROR', {})));
}

/** Under its own id: whoever saw the begin sees the end. */
async function endBroken(session: Session, failure: Failure): Promise<SkillAnswer> {
  return session.begun === undefined ? conclude(session, fail(failure)) : await recordEnd(session, fail(failure));
}

/** Nothing is recorded: there is no skill that it could be recorded for (X2). */
function answerUnknown(parts: RuntimeParts, request: InvokeRequest): SkillAnswer {
  const resource = `skill ${JSON.stringify(scrubShapes(String(request.name)).slice(0, 64))}`;
  return answerUnrecorded(parts, request, failureOf('NOT_FOUND', { resource }));
}

function answerUnrecorded({ clock }: RuntimeParts, { correlationId }: InvokeRequest, failure: Failure): SkillAnswer {
  return {
    invocationId: randomUUID(),
    correlationId: correlationIdOf(correlationId).id,
    success: false,
    failure,
    durationMs: 0,
    timestamp: clock.now(),
  };
}

/**
 * The first steps of a call, in this order (X2): the checked input, or why it does not run. Before its begin is recorded,
 * because what is recorded of a call that is refused is less.
 */
function admit(session: Session): Outcome {
  const admitted = authorise(session) ?? limit(session) ?? checked(session);
  session.refused = !admitted.ok;
  return admitted;
}

function authorise({ caller, skill, input }: Session): Outcome | undefined {
  const refusal = refusalOf(caller, skill.access, input);
  if (refusal === undefined) return undefined;
  const reason = caller.kind === 'agent' ? `${refusal}; it is for ${skill.access.assignedTo.join(', ')}` : refusal;
  return fail(failureOf('UNAUTHORIZED', { reason }));
}

function limit(session: Session): Outcome | undefined {
  const busy = session.parts.limits.enter(session.skill, session.caller);
  session.hasPlace = busy === undefined;
  return busy && fail(busy);
}

/** A refinement of the author's may throw. */
function checked(session: Session): Outcome {
  try {
    return cleaned(session, checkInput(session));
  } catch (error) {
    return internal(session, 'failed before its run', { error });
  }
}

const cleaned = (session: Session, outcome: Outcome): Outcome =>
  outcome.ok ? outcome : fail(cleanFailure(outcome.failure, session.secrets));

/** What a skill throws is an ending; what is thrown here comes from the check of its output. */
async function attempt(session: Session, admitted: Outcome): Promise<Outcome> {
  if (!admitted.ok) return admitted;
  try {
    return cleaned(session, outcomeOf(session, await runSkill(session, admitted.value)));
  } catch (error) {
    return internal(session, 'failed after its run', { error });
  }
}

/** A skill that invokes itself without end must not take the process with it. */
const MAX_DEPTH = 16;

function checkInput(session: Session): Outcome {
  if (session.depth > MAX_DEPTH) return internal(session, `is a step more than ${MAX_DEPTH} deep`);
  const { input } = session.skill;
  const given = input.check(session.input);
  if (!given.ok || !session.correlationIsValid) return invalid(session, given.ok ? [] : given.failure);
  session.takeChecked(given.value);
  return given;
}

const BAD_CORRELATION: Violation = { path: 'correlation_id', message: 'must be 8-4-4-4-12 hexadecimal digits' };

function invalid({ correlationIsValid }: Session, violations: readonly Violation[]): Outcome {
  const all = correlationIsValid ? violations : [BAD_CORRELATION, ...violations];
  return fail(failureOf('VALIDATION_ERROR', { ...reportViolations(all) }));
}

function outcomeOf(session: Session, ending: Ending): Outcome {
  if (ending.kind === 'returned') return outcomeOfReturned(session, ending.value);
  if (ending.kind === 'thrown') return internal(session, 'threw an error', { error: ending.error });
  if (ending.kind === 'timeout') return fail(failureOf('TIMEOUT', { timeout: session.skill.timeoutSeconds }));
  return fail(failureOf('INTERNAL_ERROR', { cancelled: true }));
}

function outcomeOfReturned(session: Session, returned: unknown): Outcome {
  const failed = findSkillFailure(returned);
  if (failed?.ok) return declared(session, failed.value);
  if (failed !== undefined) {
    return internal(session, 'returned a failure code that does not exist', { text: failed.failure });
  }
  const checked = session.skill.output.check(returned);
  if (checked.ok) return checked;
  // Paths and rules, no values.
  return internal(session, 'returned a wrong output', { text: reportViolations(checked.failure).details });
}

function declared(session: Session, failure: Failure): Outcome {
  const permitted: readonly string[] = [...session.skill.failureModes, ...UNDECLARED_CODES];
  if (permitted.includes(failure.code)) return fail(failure);
  return internal(session, `returned ${failure.code}, which its failureModes do not declare`);
}

/** What happened is for the log; the caller learns that something did (X4). */
function internal({ parts, skill, call, secrets }: Session, what: string, more?: Cause): Outcome {
  const { correlationId } = call.facts;
  parts.log({
    level: 'error',
    message: `Skill "${skill.name}" ${what}`,
    correlation_id: correlationId,
    ...(more === undefined ? {} : { error: causeText(more, secrets) }),
  });
  return fail(failureOf('INTERNAL_ERROR', {}));
}

/** What was thrown, or what there is to say. */
type Cause = { readonly error: unknown } | { readonly text: string };

const causeText = (cause: Cause, { scrub }: Secrets): string =>
  'text' in cause ? cutForLog(cause.text, scrub) : describeError(cause.error, scrub);
