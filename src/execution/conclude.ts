// The record of a call: its begin, its one result, and the answer that may be given once the log has it.

import type { Outcome } from './call.ts';
import { failureOf } from './failure.ts';
import type { InvocationResult, JsonRecord } from './invocation.ts';
import type { RuntimeParts, Session } from './session.ts';
import type { Answer } from './skill-context.ts';

/** Nobody writes down or watches this call: then nothing is redacted, and nothing waited for. */
export const isUnobserved = ({ recorder, events }: RuntimeParts): boolean => recorder === undefined && events.idle;

/** Whether the run may go on (X7). */
export async function recordBegin({ parts, call, payload }: Session): Promise<boolean> {
  const invocation = call.invocation(payload);
  parts.events.emit({ type: 'begin', invocation });
  return parts.recorder === undefined || (await parts.recorder.begin(invocation));
}

/** The one result of the call. */
export function conclude(session: Session, outcome: Outcome): Answer {
  const answer = session.call.end(outcome);
  if (answer === undefined) throw new Error('A call has ended twice');
  if (answer.success) rememberSecrets(session, answer.outputPayload);
  return answer;
}

/** Outputs may hold secrets too: the caller gets them; the log, and the call outside of this one, must not show them. */
function rememberSecrets(session: Session, output: JsonRecord): void {
  const found = session.skill.outputRedactor.secretsIn(output);
  if (found.length > 0) session.secrets.add(found);
}

/** The answer that may be given: as it is once the log has it, or what the policy says when the log has not. */
export async function recordEnd(session: Session, answer: Answer, begin: 'recorded' | 'unrecorded'): Promise<Answer> {
  const { parts, call, payload } = session;
  const invocation = call.invocation(payload);
  const shown = redactAnswer(session, answer);
  // A log that did not take the begin will not take the end.
  const kept = begin === 'unrecorded' || ((await parts.recorder?.end(invocation, shown)) ?? true);
  parts.events.emit({ type: 'end', invocation, result: shown });
  return kept ? answer : withoutRecord(answer);
}

function redactAnswer({ skill, secrets }: Session, answer: Answer): InvocationResult {
  const { correlationId: _given, ...result } = answer;
  if (!result.success) return result;
  // The schema says that it is an object, and a copy of an object is one.
  return { ...result, outputPayload: skill.outputRedactor.redact(result.outputPayload, secrets) as JsonRecord };
}

/** It ran, but nobody can promise that its result will be found again: `required` says so. */
function withoutRecord({ invocationId, durationMs, timestamp, correlationId }: Answer): Answer {
  const failure = failureOf('PERSISTENCE_ERROR', { executed: true });
  return { invocationId, durationMs, timestamp, correlationId, success: false, failure };
}
