// The typed skills that come with Repertoire (B), over the ports that they need.
import type { AnySkill } from '../skills/define/define-skill.ts';
import type { AccountName } from './builtin-names.ts';
import { createPlanningSkills, type PlanningPorts } from './planning-skills.ts';
import type { TaskStore } from './ports/task-store.ts';
import type { TokenIssuer } from './ports/token-issuer.ts';
import type { UserStore } from './ports/user-store.ts';
import { ownershipValidation } from './tasks/ownership-validation.ts';
import { taskCreation } from './tasks/task-creation.ts';
import { taskDeletion } from './tasks/task-deletion.ts';
import { taskRetrieval } from './tasks/task-retrieval.ts';
import { taskUpdate } from './tasks/task-update.ts';
import { accountDeletion } from './users/account-deletion.ts';
import { credentialValidation } from './users/credential-validation.ts';
import { createPasswords } from './users/passwords.ts';
import { createRecentTries } from './users/recent-tries.ts';
import { tokenGeneration } from './users/token-generation.ts';
import { tokenValidation } from './users/token-validation.ts';
import { userCreation } from './users/user-creation.ts';

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
