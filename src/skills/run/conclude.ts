// The record of a call: its begin, its one result, and the answer that may be given once the log has it.

import type { JsonRecord } from '../check/json-schema.ts';
import { failureOf } from '../define/failure.ts';
import type { Invocation, InvocationResult, SkillAnswer } from '../define/invocation.ts';
import { redact, secretsIn } from '../record/redaction.ts';
import type { Outcome } from './call.ts';
import type { RuntimeParts, Session } from './session.ts';

/** Nobody writes down or watches this call: then nothing is redacted, and nothing waited for. */
export const isUnobserved = ({ recorder, events }: RuntimeParts): boolean => recorder === undefined && events.idle;

/** Whether the run may go on (X7). */
export async function recordBegin(session: Session): Promise<boolean> {
  const { parts, call, payload } = session;
  const invocation = call.invocation(payload);
  session.begun = 'recorded';
  parts.events.emit({ type: 'begin', invocation });
  if (parts.recorder !== undefined && !(await parts.recorder.begin(invocation))) session.begun = 'refused';
  return session.begun === 'recorded';
}

/** The one result of a call that nobody watches. */
export function conclude(session: Session, outcome: Outcome): SkillAnswer {
  rememberSecrets(session, outcome);
  return end(session, outcome);
}

function end({ call }: Session, outcome: Outcome): SkillAnswer {
  const answer = call.end(outcome);
  if (answer === undefined) throw new Error('A call has ended twice');
  return answer;
}

/** Outputs may hold secrets too: the caller gets them; the log, and the call outside of this one, must not show them. */
function rememberSecrets(session: Session, outcome: Outcome): void {
  const found = outcome.ok ? secretsIn(outcome.value, session.skill.output.secrecy) : [];
  if (found.length > 0) session.secrets.add(found);
}

/** The answer that may be given: as it is once the log has it, or what the policy says when the log has not. */
export async function recordEnd(session: Session, outcome: Outcome): Promise<SkillAnswer> {
  const { parts, call, payload } = session;
  // What may throw comes first: a call that has ended cannot end as a failure any more.
  rememberSecrets(session, outcome);
  const shownOutput = redactOutput(session, outcome);
  const answer = end(session, outcome);
  const invocation = call.invocation(payload);
  const result = shownResult(answer, shownOutput);
  const kept = await handOver(session, invocation, result);
  parts.events.emit({ type: 'end', invocation, result });
  return kept ? answer : withoutRecord(answer);
}

/** The secrets are asked for where there is an output alone: finding them means reading the whole input. */
function redactOutput(session: Session, outcome: Outcome): JsonRecord | undefined {
  if (!outcome.ok) return undefined;
  // The schema says that it is an object, and a copy of an object is one.
  return redact(outcome.value, session.skill.output.secrecy, session.secrets) as JsonRecord;
}

function shownResult(answer: SkillAnswer, shownOutput: JsonRecord = {}): InvocationResult {
  const { correlationId: _given, ...result } = answer;
  return result.success ? { ...result, outputPayload: shownOutput } : result;
}

/** Whether the answer may be given as it is. */
async function handOver({ parts, begun }: Session, invocation: Invocation, result: InvocationResult): Promise<boolean> {
  if (parts.recorder === undefined) return true;
  if (begun !== 'refused') return await parts.recorder.end(invocation, result);
  // A begin that came too late for us may be in the log all the same: it must not stay there as running.
  parts.recorder.closeRefused(invocation, result);
  return true;
}

/** It ran, but nobody can promise that its result will be found again: `required` says so. */
function withoutRecord({ invocationId, durationMs, timestamp, correlationId }: SkillAnswer): SkillAnswer {
  const failure = failureOf('PERSISTENCE_ERROR', { executed: true });
  return { invocationId, durationMs, timestamp, correlationId, success: false, failure };
}
