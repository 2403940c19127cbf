// One invocation of a typed skill: find, begin, authorise, limit, validate, run under its deadline, validate, end (X2, X5).
import { randomUUID } from 'node:crypto';
import { andThen } from '../../async/and-then.ts';
import { refusalOf } from '../../identity/caller.ts';
import { withoutCredentials } from '../../text/credentials.ts';
import { fail } from '../../values/result.ts';
import type { JsonRecord } from '../check/json-schema.ts';
import { reportViolations, type Violation } from '../check/violation.ts';
import { type Failure, failureOf, findSkillFailure, UNDECLARED_CODES } from '../define/failure.ts';
import type { Invocation, InvocationResult, SkillAnswer } from '../define/invocation.ts';
import type { RegisteredSkill } from '../define/registered-skill.ts';
import { cleanFailure } from '../record/clean-details.ts';
import { cutForLog, describeError, traceOf } from '../record/describe-error.ts';
import { correlationIdOf } from '../record/invocation-ids.ts';
import { learnSecrets, redact } from '../record/redaction.ts';
import type { Secrets } from '../record/secrets.ts';
import {
  ActiveInvocation,
  type InvokeRequest,
  type Outcome,
  type OuterInvocation,
  type RuntimeParts,
} from './active-invocation.ts';
import type { Ending } from './deadline.ts';
import { runSkill } from './run-skill.ts';
import { traceInvocation, traceWrite } from './trace-invocation.ts';

export function invoke(parts: RuntimeParts, request: InvokeRequest, outer?: OuterInvocation): Promise<SkillAnswer> {
  const { span } = request;
  if (span === undefined) return run(parts, request, outer);
  // Those that are not known share a name: a caller may ask for any.
  const name = parts.find(request.name)?.name;
  return traceInvocation(span, name, (own) => run(parts, { ...request, span: own }, outer));
}

async function run(parts: RuntimeParts, request: InvokeRequest, outer?: OuterInvocation): Promise<SkillAnswer> {
  const skill = parts.find(request.name);
  if (skill === undefined) return answerUnknown(parts, request);
  parts.inFlight.enter();
  let active: ActiveInvocation | undefined;
  try {
    active = new ActiveInvocation(parts, skill, request, outer);
    active.begin();
    const refusal = unapproved(active) ?? refusalBefore(active);
    const admitted = admit(active, refusal instanceof Promise ? await refusal : refusal);
    return isObserved(parts) ? await observe(active, admitted) : endUnobserved(active, await attempt(active, admitted));
  } catch (error) {
    // A fault of ours, or an output that changes while we look at it. The caller gets an answer all the same.
    parts.log({ level: 'error', message: `Cannot invoke skill "${skill.name}"`, trace: traceOf(error) });
    const failure = failureOf('INTERNAL_ERROR', {});
    return active === undefined ? answerUnrecorded(parts, request, failure) : await endBroken(active, failure);
  } finally {
    if (active?.isCounted) parts.limits.leave(skill);
    parts.inFlight.leave();
  }
}

/** If it is not, nothing is redacted, and nothing waited for. */
const isObserved = ({ recorder, events }: RuntimeParts): boolean => recorder !== undefined || !events.idle;

async function observe(active: ActiveInvocation, admitted: Outcome): Promise<SkillAnswer> {
  const mayRun = await recordBegin(active);
  return await recordEnd(active, mayRun ? await attempt(active, admitted) : fail(failureOf('PERSISTENCE_ERROR', {})));
}

/** Under its own id: those that saw the begin see the end. */
async function endBroken(active: ActiveInvocation, failure: Failure): Promise<SkillAnswer> {
  return active.begun === undefined ? endUnobserved(active, fail(failure)) : await recordEnd(active, fail(failure));
}

/** What may be stored as a run, or the answer of a call that was refused and recorded as such (J1). */
export type AdmittedRun =
  | { readonly ok: true; readonly skill: RegisteredSkill; readonly invocation: Invocation }
  | { readonly ok: false; readonly answer: SkillAnswer };

export interface AdmitRules {
  /** Why a caller that may invoke it is refused all the same. */
  readonly refused?: Failure | undefined;
  /** By its limits. */
  readonly isCounted: boolean;
}

/** The first steps of a call, without its run: authorised, limited and validated, in this order (X2). */
export async function admitRun(parts: RuntimeParts, request: InvokeRequest, rules: AdmitRules): Promise<AdmittedRun> {
  const skill = parts.find(request.name);
  if (skill === undefined) return { ok: false, answer: answerUnknown(parts, request) };
  const active = new ActiveInvocation(parts, skill, request);
  const { refused, isCounted } = rules;
  const limited = async () => (isCounted ? tooOften(active) : undefined);
  const refusal = authorise(active) ?? (refused === undefined ? await limited() : fail(refused));
  const admitted = admit(active, refusal);
  if (admitted.ok) return { ok: true, skill, invocation: active.shown() };
  active.begin();
  return { ok: false, answer: isObserved(parts) ? await observe(active, admitted) : endUnobserved(active, admitted) };
}

/** A place is taken when it runs: until then it waits (N1). */
async function tooOften({ parts, skill, caller }: ActiveInvocation): Promise<Outcome | undefined> {
  const busy = await parts.limits.countOnly(skill, caller);
  return busy && fail(busy);
}

/** Nothing is recorded: there is no skill that it could be recorded for (X2). */
function answerUnknown(parts: RuntimeParts, request: InvokeRequest): SkillAnswer {
  const resource = `skill ${JSON.stringify(withoutCredentials(String(request.name).slice(0, 1_000)).slice(0, 64))}`;
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
function admit(active: ActiveInvocation, refusal: Outcome | undefined): Outcome {
  const admitted = refusal ?? checked(active);
  active.refused = !admitted.ok;
  return admitted;
}

const NEEDS_APPROVAL =
  'a person has to approve each run of this skill first; it cannot be a step of another one, and is asked for over HTTP or with `repertoire invoke`';

/** A call that would run at once: what a person has to allow is stored as a run and waits (J8), see admitRun. */
function unapproved(active: ActiveInvocation): Outcome | undefined {
  if (!active.skill.needsApproval) return undefined;
  return authorise(active) ?? fail(failureOf('UNAUTHORIZED', { reason: NEEDS_APPROVAL }));
}

/** Why it may not begin. A promise only where other processes have to be asked how many calls there are. */
function refusalBefore(active: ActiveInvocation): Outcome | undefined | Promise<Outcome | undefined> {
  const refusal = authorise(active);
  if (refusal !== undefined) return refusal;
  return andThen(active.parts.limits.enter(active.skill, active.caller), (busy) => counted(active, busy));
}

function authorise({ caller, skill, input }: ActiveInvocation): Outcome | undefined {
  const refusal = refusalOf(caller, skill.access, input);
  if (refusal === undefined) return undefined;
  const { assignedTo: roles, userField } = skill.access;
  // A user who may invoke it for themselves is told that, not how to do it for others.
  const isAboutRoles = caller.kind === 'agent' || (userField === undefined && roles.length > 0);
  if (!isAboutRoles) return fail(failureOf('UNAUTHORIZED', { reason: refusal }));
  return fail(failureOf('UNAUTHORIZED', { reason: `${refusal}; it needs ${rolesText(roles)}`, roles: [...roles] }));
}

const rolesText = (roles: readonly string[]): string =>
  roles.length === 1 ? `the role ${roles[0]}` : `one of the roles ${roles.join(', ')}`;

function counted(active: ActiveInvocation, busy: Failure | undefined): Outcome | undefined {
  active.isCounted = busy === undefined;
  return busy && fail(busy);
}

/** A refinement of the author's may throw. */
export function checked(active: ActiveInvocation): Outcome {
  try {
    return cleaned(active, checkInput(active));
  } catch (error) {
    return internal(active, 'failed before its run', { error });
  }
}

const cleaned = (active: ActiveInvocation, outcome: Outcome): Outcome =>
  outcome.ok ? outcome : fail(cleanFailure(outcome.failure, active.secrets));

/** What a skill throws is an ending; what is thrown here comes from the check of its output. */
export async function attempt(active: ActiveInvocation, admitted: Outcome): Promise<Outcome> {
  if (!admitted.ok) return admitted;
  try {
    return cleaned(active, outcomeOf(active, await runSkill(active, admitted.value)));
  } catch (error) {
    return internal(active, 'failed after its run', { error });
  }
}

/** A skill that invokes itself without end must not take the process with it. */
const MAX_DEPTH = 16;

function checkInput(active: ActiveInvocation): Outcome {
  if (active.depth > MAX_DEPTH) return internal(active, `is a step more than ${MAX_DEPTH} deep`);
  const { input } = active.skill;
  const given = input.check(active.input);
  if (!given.ok || !active.correlationIsValid) return invalid(active, given.ok ? [] : given.failure);
  active.takeChecked(given.value);
  return given;
}

const BAD_CORRELATION: Violation = { path: 'correlation_id', message: 'must be 8-4-4-4-12 hexadecimal digits' };

function invalid({ correlationIsValid }: ActiveInvocation, violations: readonly Violation[]): Outcome {
  const all = correlationIsValid ? violations : [BAD_CORRELATION, ...violations];
  return fail(failureOf('VALIDATION_ERROR', { ...reportViolations(all) }));
}

function outcomeOf(active: ActiveInvocation, ending: Ending): Outcome {
  active.isOverdue = ending.kind === 'timeout';
  if (ending.kind === 'returned') return outcomeOfReturned(active, ending.value);
  if (ending.kind === 'thrown') return internal(active, 'threw an error', { error: ending.error });
  if (ending.kind === 'timeout') return fail(failureOf('TIMEOUT', { timeout: active.timeoutSeconds }));
  return fail(failureOf('INTERNAL_ERROR', { cancelled: true }));
}

function outcomeOfReturned(active: ActiveInvocation, returned: unknown): Outcome {
  const failed = findSkillFailure(returned);
  if (failed?.ok) return declared(active, failed.value);
  if (failed !== undefined) {
    return internal(active, 'returned a failure code that does not exist', { text: failed.failure });
  }
  const checked = active.skill.output.check(returned);
  if (checked.ok) return checked;
  // Paths and rules, no values.
  return internal(active, 'returned a wrong output', { text: reportViolations(checked.failure).details });
}

function declared(active: ActiveInvocation, failure: Failure): Outcome {
  const permitted: readonly string[] = [...active.skill.failureModes, ...UNDECLARED_CODES];
  if (permitted.includes(failure.code)) return fail(failure);
  return internal(active, `returned ${failure.code}, which its failureModes do not declare`);
}

/** What happened is for the log; the caller learns that something did (X4). */
function internal(active: ActiveInvocation, what: string, more?: Cause): Outcome {
  const { parts, skill, correlationId, secrets } = active;
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

/** Whether the run may go on (X7). */
async function recordBegin(active: ActiveInvocation): Promise<boolean> {
  const { events, recorder } = active.parts;
  const invocation = active.shown();
  active.begun = 'recorded';
  events.emit({ type: 'begin', invocation });
  if (recorder !== undefined && !(await traceWrite(active.request.span, 'begin', () => recorder.begin(invocation))))
    active.begun = 'refused';
  return active.begun === 'recorded';
}

/** The answer that may be given: as it is once the log has it, or what the policy says when the log has not. */
async function recordEnd(active: ActiveInvocation, outcome: Outcome): Promise<SkillAnswer> {
  // What may throw comes first: an invocation that has ended cannot end as a failure any more.
  rememberSecrets(active, outcome);
  const shownOutput = redactOutput(active, outcome);
  const answer = end(active, outcome);
  const { correlationId: _given, ...plain } = answer;
  const result: InvocationResult = plain.success ? { ...plain, outputPayload: shownOutput } : plain;
  const invocation = active.shown();
  const kept = await handOver(active, invocation, result);
  active.parts.events.emit({ type: 'end', invocation, result });
  return kept ? answer : withoutRecord(answer);
}

function endUnobserved(active: ActiveInvocation, outcome: Outcome): SkillAnswer {
  rememberSecrets(active, outcome);
  return end(active, outcome);
}

export function end(active: ActiveInvocation, outcome: Outcome): SkillAnswer {
  const answer = active.end(outcome);
  if (answer === undefined) throw new Error('An invocation has ended twice');
  return answer;
}

/** Outputs may hold secrets too: the caller gets them; the log, and the invocation outside of this one, must not show them. */
export function rememberSecrets(active: ActiveInvocation, outcome: Outcome): void {
  if (outcome.ok) learnSecrets(outcome.value, active.skill.output.secrecy, () => active.secrets);
}

/** The secrets are asked for where there is an output alone: finding them means reading the whole input. */
export function redactOutput(active: ActiveInvocation, outcome: Outcome): JsonRecord {
  if (!outcome.ok) return {};
  // The schema says that it is an object, and a copy of an object is one.
  return redact(outcome.value, active.skill.output.secrecy, active.secrets) as JsonRecord;
}

/** Whether the answer may be given as it is. */
async function handOver(
  { parts: { recorder }, begun, request }: ActiveInvocation,
  invocation: Invocation,
  result: InvocationResult,
): Promise<boolean> {
  if (recorder === undefined) return true;
  if (begun !== 'refused') return await traceWrite(request.span, 'end', () => recorder.end(invocation, result));
  // A begin that came too late for us may be in the log all the same: it must not stay there as running.
  recorder.closeRefused(invocation, result);
  return true;
}

/** It ran, but its result may not be found again: `required` says so. */
function withoutRecord({ invocationId, durationMs, timestamp, correlationId }: SkillAnswer): SkillAnswer {
  const failure = failureOf('PERSISTENCE_ERROR', { executed: true });
  return { invocationId, durationMs, timestamp, correlationId, success: false, failure };
}
