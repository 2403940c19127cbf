// What is said to whoever cannot be let in: no credential, a bad one, one that cannot be checked now, or too many.
import type { IncomingMessage } from 'node:http';
import type { AuthenticationFailure } from '../../../identity/authentication.ts';
import { failureOf } from '../../../skills/define/failure.ts';
import type { GuardRefusal } from './refusals.ts';
import { challengeFor } from './well-known.ts';

const denied = (reason: string): GuardRefusal => ({
  code: 'UNAUTHORIZED',
  status: 401,
  message: failureOf('UNAUTHORIZED', { reason }).message,
});

/** One sentence for every kind of bad credential: it tells nothing about those that exist. */
const REFUSALS = {
  missing: denied('a credential is needed; send Authorization: Bearer with a token'),
  bad: denied('the credential is not valid'),
  unavailable: { code: 'PERSISTENCE_ERROR', status: 503, message: failureOf('PERSISTENCE_ERROR', {}).message },
} as const satisfies Record<AuthenticationFailure, GuardRefusal>;

export function authenticationRefusal(
  failure: AuthenticationFailure,
  request: IncomingMessage,
  path: string,
): GuardRefusal {
  const refusal = REFUSALS[failure];
  if (refusal.status !== 401) return refusal;
  return { ...refusal, headers: { 'WWW-Authenticate': challengeFor(request, path, failure === 'bad') } };
}

/** Said on a connection that is closed with it. */
export const TOO_MANY_CONNECTIONS: GuardRefusal = {
  code: 'RATE_EXCEEDED',
  status: 429,
  message: 'Too many connections: this caller holds half of all there are; close some',
  headers: { 'Retry-After': '1', Connection: 'close' },
};

export const tooOften = (seconds: number): GuardRefusal => ({
  code: 'RATE_EXCEEDED',
  status: 429,
  message: failureOf('RATE_EXCEEDED', { retry_after: seconds }).message,
  headers: { 'Retry-After': String(seconds) },
});
