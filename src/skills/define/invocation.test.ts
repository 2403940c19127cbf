// The JSON form of a result has every key, always (X3).
import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';
import { resultJson } from './invocation.ts';

const ending = { invocationId: 'id', durationMs: 5, timestamp: new Date('2026-01-12T10:00:00.045Z') };

test('resultJson of a success has null for what belongs to a failure (X3)', () => {
  expect(resultJson({ ...ending, success: true, outputPayload: { a: 1 } })).toEqual({
    invocation_id: 'id',
    success: true,
    output_payload: { a: 1 },
    failure_code: null,
    failure_message: null,
    failure_details: null,
    severity: null,
    suggested_action: null,
    duration_ms: 5,
    timestamp: '2026-01-12T10:00:00.045Z',
  });
});

test('resultJson of a failure says how bad it is and what to do (X3, X4)', () => {
  const failure = failureOf('RATE_EXCEEDED', { retry_after: 2 });
  expect(resultJson({ ...ending, success: false, failure })).toMatchObject({
    success: false,
    output_payload: null,
    failure_code: 'RATE_EXCEEDED',
    failure_message: 'Rate limit exceeded. Retry after 2s',
    failure_details: { retry_after: 2 },
    severity: 'recoverable',
    suggested_action: 'Wait and retry with backoff',
  });
});
