// Turns a store that cannot be used into PERSISTENCE_ERROR: for a skill over a database that is an expected failure.

import type { SkillContext } from '../../skills/define/define-skill.ts';
import { failure, type SkillFailure } from '../../skills/define/failure.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';

export async function orPersistenceError<T>(
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
