// The body of every failure of the API (H3).
import { z } from 'zod';
import { FAILURE_CODES, type FailureCode } from '../../../skills/define/failure.ts';
import type { FailureStatus } from './operation.ts';

// Object.keys forgets that the table has at least one entry.
export const failureCode = z.enum(FAILURE_CODES as readonly [FailureCode, ...FailureCode[]]);

export const severity = z.enum(['recoverable', 'fatal']);

/** For clients that have to tell failures of one code apart; a header, because the body has the keys of H3 and no other. */
export const REASON_HEADER = 'Failure-Reason';

/** `nothing_recorded`: started with `--no-log`. */
export type FailureReason = 'nothing_recorded';

export const correlationId = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .describe('The id to quote when asking about it');

export const failure = z
  .strictObject({
    success: z.literal(false),
    failure_code: failureCode,
    failure_message: z.string(),
    severity,
    suggested_action: z.string(),
    correlation_id: correlationId,
  })
  .describe('What went wrong and what to do about it');

export const FAILURE_DESCRIPTIONS = {
  400: 'Something in the request is wrong: VALIDATION_ERROR, with every violation and its path',
  401: 'No valid credential came: UNAUTHORIZED',
  403: 'This caller may not do this, or the Host or Origin is not allowed: UNAUTHORIZED',
  404: 'There is no such thing: NOT_FOUND',
  413: 'The body is larger than 1 MB: VALIDATION_ERROR',
  415: 'The body is not JSON: VALIDATION_ERROR',
  429: 'Too many requests: RATE_EXCEEDED, with Retry-After',
  500: 'A fault of the server: INTERNAL_ERROR; the log tells more under the correlation id',
  502: 'A service that the skill needs does not answer: EXTERNAL_SERVICE_ERROR',
  503: 'The database does not answer: PERSISTENCE_ERROR',
  504: 'The skill took longer than it may: TIMEOUT',
} as const satisfies Record<FailureStatus, string>;
