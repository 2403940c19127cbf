// What failures of the API are (H3), by their status.
import type { FailureStatus } from './route.ts';

/** For clients that have to tell failures of one code apart; a header, because the body has the keys of H3 and no other. */
export const REASON_HEADER = 'Failure-Reason';

export const FAILURE_DESCRIPTIONS = {
  400: 'Something in the request is wrong: VALIDATION_ERROR, with every violation and its path',
  401: 'No valid credential came: UNAUTHORIZED',
  403: 'This caller may not do this, or the Host or Origin is not allowed: UNAUTHORIZED',
  404: 'There is no such thing: NOT_FOUND',
  409: 'It cannot be done as things stand: the key was used with another input, the run or the version was decided on, or there is a newer version: VALIDATION_ERROR',
  413: 'The body is larger than 1 MB: VALIDATION_ERROR',
  415: 'The body is not JSON: VALIDATION_ERROR',
  429: 'Too many requests: RATE_EXCEEDED, with Retry-After',
  500: 'A fault of the server: INTERNAL_ERROR; the log tells more under the correlation id',
  502: 'A service that the skill needs does not answer: EXTERNAL_SERVICE_ERROR',
  503: 'The database does not answer: PERSISTENCE_ERROR',
  504: 'The skill took longer than it may: TIMEOUT',
} as const satisfies Record<FailureStatus, string>;
