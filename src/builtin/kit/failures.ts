// The expected failures of skills over a database.

import type { SkillContext } from '../../skills/define/define-skill.ts';
import { failure, type SkillFailure } from '../../skills/define/failure.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';

/** A store that cannot be used is PERSISTENCE_ERROR. */
export async function reportStoreFailure<T>(
  { log }: SkillContext,
  work: () => Promise<T>,
): Promise<T | SkillFailure<'PERSISTENCE_ERROR'>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    log(error.message);
    return failure('PERSISTENCE_ERROR');
  }
}

/** A fault of the input that only the stored data shows, told in the form of those that the schema shows. */
export const invalidField = (path: string, message: string) =>
  failure('VALIDATION_ERROR', { details: `${path}: ${message}`, violations: [{ path, message }] });
