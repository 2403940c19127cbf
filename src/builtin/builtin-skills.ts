// The typed skills that come with Repertoire (B), over the ports that they need.
import type { AnySkill } from '../skills/define-skill.ts';
import { accountDeletion } from './account-deletion.ts';
import type { AccountName } from './builtin-names.ts';
import { credentialValidation } from './credential-validation.ts';
import { ownershipValidation } from './ownership-validation.ts';
import { createPasswords } from './passwords.ts';
import { createPlanningSkills, type PlanningPorts } from './planning-skills.ts';
import { createRecentTries } from './recent-tries.ts';
import { taskCreation } from './task-creation.ts';
import { taskDeletion } from './task-deletion.ts';
import { taskRetrieval } from './task-retrieval.ts';
import type { TaskStore } from './task-store.ts';
import { taskUpdate } from './task-update.ts';
import { tokenGeneration } from './token-generation.ts';
import type { TokenIssuer } from './token-issuer.ts';
import { tokenValidation } from './token-validation.ts';
import { userCreation } from './user-creation.ts';
import type { UserStore } from './user-store.ts';

export interface BuiltinPorts {
  readonly tasks: TaskStore;
  readonly users: UserStore;
  readonly tokens: TokenIssuer;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  /** Left out: without the skills of planning-skills.ts. */
  readonly planning?: PlanningPorts;
}

const TRIES_PER_MINUTE = 10;

export function createBuiltinSkills(ports: BuiltinPorts): readonly AnySkill[] {
  const { tasks, users, tokens, now, monotonicMs, planning } = ports;
  const passwords = createPasswords();
  const tries = createRecentTries({ perMinute: TRIES_PER_MINUTE, monotonicMs });
  const skills = {
    task_creation: taskCreation(tasks, now),
    task_retrieval: taskRetrieval(tasks),
    task_update: taskUpdate(tasks, now),
    task_deletion: taskDeletion(tasks, now),
    token_generation: tokenGeneration(users, tokens),
    token_validation: tokenValidation(users, tokens),
    user_creation: userCreation(users, passwords, now),
    ownership_validation: ownershipValidation(tasks),
    credential_validation: credentialValidation({ users, passwords, tries }),
    account_deletion: accountDeletion(users, now),
  } satisfies Record<AccountName, AnySkill>;
  return [...Object.values(skills), ...(planning ? createPlanningSkills(planning, ports) : [])];
}
