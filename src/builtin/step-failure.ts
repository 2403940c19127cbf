// The failure of a step as that of the skill that ran it: the same code, so that callers act as they would on the step's own.
import { FAILURE_CODES, type Failure, type FailureCode } from '../execution/failure.ts';
import { failure, type SkillFailure } from '../execution/skill-failure.ts';

/** What a skill that runs others has to declare: whatever they may fail with. */
export const STEP_FAILURES = FAILURE_CODES;

/** `where` comes into the message where its template has room for words; `context` into the details. */
export function stepFailure(
  { code, message, details }: Failure,
  where: string,
  context: Readonly<Record<string, unknown>>,
): SkillFailure<FailureCode> {
  const words = `${where}: ${message}`;
  // The step's own parameters (`retry_after`, `timeout`) fill those templates that have numbers.
  return failure(code, { ...details, ...WORDS[code](words), ...context } as never);
}

const none = () => ({});

const WORDS = {
  VALIDATION_ERROR: (words) => ({ details: words }),
  NOT_FOUND: (words) => ({ resource: words }),
  UNAUTHORIZED: (words) => ({ reason: words }),
  RATE_EXCEEDED: none,
  TIMEOUT: none,
  PERSISTENCE_ERROR: none,
  EXTERNAL_SERVICE_ERROR: none,
  INTERNAL_ERROR: none,
} as const satisfies Record<FailureCode, (words: string) => object>;
