// For skills that run others: the input of a step inside of an input, and the failure of a step.

import { z } from 'zod';
import {
  FAILURE_CODES,
  FAILURE_MODES,
  type Failure,
  type FailureCode,
  failure,
  type SkillFailure,
} from '../../skills/define/failure.ts';
import { secret } from '../../skills/define/secret.ts';

/** The secret fields of all built-in skills. */
export const SECRET_FIELDS = ['password', 'token'] as const;

const hidden = (about: string) => secret(z.unknown()).optional().describe(about);

/** Any JSON object. What is secret in a built-in skill is secret here too, or the log would show it in the outer call. */
export const stepInputField = z.looseObject({
  password: hidden('Of a skill that takes a password. It is never recorded.'),
  token: hidden('Of a skill that takes a token. It is never recorded.'),
} satisfies Record<(typeof SECRET_FIELDS)[number], unknown>);

/** Of a value that was not checked. */
export function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[field];
}

/** What a skill that runs others has to declare: whatever they may fail with. */
export const STEP_FAILURES = FAILURE_CODES;

/**
 * As the failure of the skill that ran the step: the same code, so that callers act as they would on the step's own.
 * `where` comes into the message where its template has room for words; `context` into the details.
 */
export function stepFailure(
  { code, message, details }: Failure,
  where: string,
  context: Readonly<Record<string, unknown>>,
): SkillFailure<FailureCode> {
  const parameters = PARAMETERS[code](`${where}: ${withoutOpening(code, message)}`, details ?? {});
  // The table below has for each code what its template wants.
  return failure(code, { ...parameters, ...context } as never);
}

/** The template says "Access denied: " around it again: once is enough. */
function withoutOpening(code: FailureCode, message: string): string {
  const [opening = ''] = FAILURE_MODES[code].template.split('{');
  return message.startsWith(opening) ? message.slice(opening.length) : message;
}

type Details = Readonly<Record<string, unknown>>;

const PARAMETERS = {
  VALIDATION_ERROR: (words) => ({ details: words }),
  NOT_FOUND: (words) => ({ resource: words }),
  UNAUTHORIZED: (words) => ({ reason: words }),
  RATE_EXCEEDED: (_words, { retry_after }) => ({ retry_after }),
  TIMEOUT: (_words, { timeout }) => ({ timeout }),
  PERSISTENCE_ERROR: () => ({}),
  EXTERNAL_SERVICE_ERROR: () => ({}),
  // One whose process died with it, and that may not run again (J5).
  INTERNAL_ERROR: (_words, { interrupted }) => (interrupted === true ? { interrupted } : {}),
} as const satisfies Record<FailureCode, (words: string, details: Details) => object>;
