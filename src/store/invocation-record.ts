// Invocations and results as flat records, checked alike for every store: what PostgreSQL would refuse, all refuse.

import type { JsonRecord } from '../skills/check/json-schema.ts';
import type { FailureCode } from '../skills/define/failure.ts';
import {
  type FinalStatus,
  finalStatusOf,
  type Invocation,
  type InvocationResult,
  type InvocationStatus,
} from '../skills/define/invocation.ts';
import type { LoggedInvocation } from '../skills/record/invocation-log.ts';
import { unfitValues } from './store-errors.ts';

export interface InvocationRecord {
  readonly id: string;
  readonly skillName: string;
  readonly invokingAgent: string;
  /** Null where a version before 0027 wrote it. */
  readonly ownerKey: string | null;
  readonly correlationId: string;
  /** JSON */
  readonly inputPayload: string;
  readonly createdAt: Date;
}

export interface ResultRecord {
  readonly invocationId: string;
  readonly finalStatus: FinalStatus;
  /** JSON; null iff it failed. */
  readonly outputPayload: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  /** JSON */
  readonly failureDetails: string | null;
  readonly durationMs: number;
  readonly createdAt: Date;
}

/** An invocation as a log has it, with its result once it has ended. */
export interface LoggedRecord {
  readonly record: InvocationRecord;
  readonly status: InvocationStatus;
  readonly result: Omit<ResultRecord, 'finalStatus'> | undefined;
}

/** As the stores write them: in lower case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const LONGEST_NAME = 64;
const LONGEST_DURATION_MS = 2 ** 31 - 1;

/** Throws RecordRefused. */
export function recordOf(invocation: Invocation): InvocationRecord {
  const { skillName, invokingAgent, ownerKey = null, timestamp } = invocation;
  const id = invocation.id.toLowerCase();
  const correlationId = invocation.correlationId.toLowerCase();
  const fits =
    UUID.test(id) && UUID.test(correlationId) && isName(skillName) && isName(invokingAgent) && isMoment(timestamp);
  if (!fits || (ownerKey !== null && !isText(ownerKey))) throw unfitValues();
  const inputPayload = toJson(invocation.inputPayload);
  return { id, skillName, invokingAgent, ownerKey, correlationId, inputPayload, createdAt: timestamp };
}

/** `status`: of the invocation at its end. Throws RecordRefused. */
export function resultRecordOf(result: InvocationResult, status: InvocationStatus): ResultRecord {
  if (!isMoment(result.timestamp) || Number.isNaN(result.durationMs)) throw unfitValues();
  const ending = {
    invocationId: result.invocationId.toLowerCase(),
    finalStatus: finalStatusOf(result, status === 'timeout'),
    durationMs: Math.min(Math.max(0, Math.round(result.durationMs)), LONGEST_DURATION_MS),
    createdAt: result.timestamp,
  };
  if (result.success) {
    const outputPayload = toJson(result.outputPayload);
    return { ...ending, outputPayload, failureCode: null, failureMessage: null, failureDetails: null };
  }
  const { code, message, details } = result.failure;
  if (hasNul(message)) throw unfitValues();
  const failureDetails = details === undefined ? null : toJson(details);
  return { ...ending, outputPayload: null, failureCode: code, failureMessage: message, failureDetails };
}

export const loggedOf = ({ record, status, result }: LoggedRecord): LoggedInvocation => ({
  invocation: invocationOf(record, status),
  result: result && resultOf(result),
});

function invocationOf(record: InvocationRecord, status: InvocationStatus): Invocation {
  return {
    id: record.id,
    skillName: record.skillName,
    inputPayload: JSON.parse(record.inputPayload),
    invokingAgent: record.invokingAgent,
    ...(record.ownerKey !== null && { ownerKey: record.ownerKey }),
    correlationId: record.correlationId,
    timestamp: record.createdAt,
    status,
  };
}

function resultOf(record: Omit<ResultRecord, 'finalStatus'>): InvocationResult {
  const { invocationId, durationMs, createdAt, outputPayload, failureCode, failureMessage, failureDetails } = record;
  const ending = { invocationId, durationMs, timestamp: createdAt };
  // What was written had been checked: an output is an object, a code is one of the failure table.
  if (outputPayload !== null)
    return { ...ending, success: true, outputPayload: JSON.parse(outputPayload) as JsonRecord };
  const details = failureDetails === null ? undefined : (JSON.parse(failureDetails) as JsonRecord);
  return {
    ...ending,
    success: false,
    failure: { code: failureCode as FailureCode, message: failureMessage ?? '', details },
  };
}

const isName = (text: string) => isShort(text) && isText(text);

const isText = (text: string) => !hasNul(text) && !/\p{Surrogate}/u.test(text);

/** In characters, as both databases count: outside the first plane one is two of JavaScript's units. */
const isShort = (text: string) =>
  text.length <= LONGEST_NAME || (text.length <= 2 * LONGEST_NAME && [...text].length <= LONGEST_NAME);

const hasNul = (text: string) => text.includes('\0');

const isMoment = (date: Date) => !Number.isNaN(date.getTime());

/** NUL and lone surrogates stand as escapes in JSON, and PostgreSQL refuses them there, too. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  // A backslash that is itself escaped begins no escape, hence the pairs before it.
  if (text.includes('\\u') && /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(text)) throw unfitValues();
  return text;
}
