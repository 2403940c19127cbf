// The result of a typed skill as an HTTP answer. The compiler sees to it that every failure has a status.
import { type Answer, type FailureCode, resultJson } from './repertoire.ts';

const STATUS = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 403,
  NOT_FOUND: 404,
  RATE_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  EXTERNAL_SERVICE_ERROR: 502,
  PERSISTENCE_ERROR: 503,
  TIMEOUT: 504,
} as const satisfies Record<FailureCode, number>;

export function replyOf(answer: Answer): Response {
  const body = { ...resultJson(answer), correlation_id: answer.correlationId };
  if (answer.success) return Response.json(body);
  const { code, details } = answer.failure;
  const headers: Record<string, string> =
    code === 'RATE_EXCEEDED' ? { 'Retry-After': String(details?.retry_after) } : {};
  return Response.json(body, { status: STATUS[code], headers });
}
