// The typed skills that come with Repertoire (B), over the ports that they need.

import { createPasswordTries } from '../limits/password-tries.ts';
import { createLocalWindow } from '../limits/rate-window.ts';
import type { AnySkill } from '../skills/define/define-skill.ts';
import { createAiModel } from './ai/ai-model.ts';
import type { AiEndpoint } from './ai/chat-client.ts';
import { goalDecomposition } from './ai/goal-decomposition.ts';
import { suggestionGeneration } from './ai/suggestion-generation.ts';
import type { AccountName, PlanningName } from './builtin-names.ts';
import type { FindSkills, IsSkill } from './ports/find-skills.ts';
import type { Ownership } from './ports/ownership.ts';
import type { TaskStore } from './ports/task-store.ts';
import type { TokenIssuer } from './ports/token-issuer.ts';
import type { UserStore } from './ports/user-store.ts';
import { ownershipValidation } from './tasks/ownership-validation.ts';
import { taskCreation } from './tasks/task-creation.ts';
import { taskDeletion } from './tasks/task-deletion.ts';
import { taskExecution } from './tasks/task-execution.ts';
import { taskRetrieval } from './tasks/task-retrieval.ts';
import { taskUpdate } from './tasks/task-update.ts';
import { accountDeletion } from './users/account-deletion.ts';
import { credentialValidation } from './users/credential-validation.ts';
import { createPasswordParts, type PasswordParts } from './users/password-check.ts';
import { tokenGeneration } from './users/token-generation.ts';
import { tokenValidation } from './users/token-validation.ts';
import { userCreation } from './users/user-creation.ts';
import { requestRouting } from './workflow/request-routing.ts';
import { taskSequencing } from './workflow/task-sequencing.ts';
import { workflowCoordination } from './workflow/workflow-coordination.ts';

export interface BuiltinPorts {
  readonly tasks: TaskStore;
  readonly users: UserStore;
  readonly tokens: TokenIssuer;
  /** Where others check passwords, too; of these skills alone when left out. */
  readonly passwords?: PasswordParts | undefined;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  /** Of things beside tasks. */
  readonly ownership?: Ownership | undefined;
  /** Left out: without the skills that plan, coordinate and suggest. */
  readonly planning?: PlanningPorts;
}

interface PlanningPorts {
  /** Absent: the operator configured none. */
  readonly ai: AiEndpoint | undefined;
  readonly findSkills: FindSkills;
  readonly isSkill: IsSkill;
}

export function createBuiltinSkills(ports: BuiltinPorts): readonly AnySkill[] {
  const { tasks, users, tokens, now, monotonicMs, ownership, planning } = ports;
  const { passwords, check } =
    ports.passwords ?? createPasswordParts(users, createPasswordTries(createLocalWindow(monotonicMs)), monotonicMs);
  const skills = {
    task_creation: taskCreation(tasks, now),
    task_retrieval: taskRetrieval(tasks),
    task_update: taskUpdate(tasks, now),
    task_deletion: taskDeletion(tasks, now),
    token_generation: tokenGeneration(users, tokens),
    token_validation: tokenValidation(users, tokens),
    user_creation: userCreation(users, passwords, now),
    ownership_validation: ownershipValidation(tasks, ownership),
    credential_validation: credentialValidation(check),
    account_deletion: accountDeletion(users, now),
  } satisfies Record<AccountName, AnySkill>;
  return [...Object.values(skills), ...(planning ? createPlanningSkills(planning, ports) : [])];
}

/** Of the categories ai, orchestration, planning and execution (B3, B4). */
function createPlanningSkills(
  { ai, findSkills, isSkill }: PlanningPorts,
  { tasks, now, monotonicMs }: BuiltinPorts,
): readonly AnySkill[] {
  // One for all: what one skill learns about the endpoint the others know.
  const model = ai && createAiModel({ endpoint: ai, monotonicMs, random: Math.random });
  const skills = {
    suggestion_generation: suggestionGeneration({ tasks, model, now }),
    request_routing: requestRouting(findSkills),
    workflow_coordination: workflowCoordination(isSkill),
    goal_decomposition: goalDecomposition({ tasks, model, now, findSkills }),
    task_sequencing: taskSequencing(),
    task_execution: taskExecution({ tasks, isSkill, now }),
  } satisfies Record<PlanningName, AnySkill>;
  return Object.values(skills);
}
