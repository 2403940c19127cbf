// The built-in skills of the categories ai, orchestration, planning and execution (B3, B4), over the ports that they need.
import type { AnySkill } from '../skills/define/define-skill.ts';
import { createAiModel } from './ai/ai-model.ts';
import { goalDecomposition } from './ai/goal-decomposition.ts';
import { suggestionGeneration } from './ai/suggestion-generation.ts';
import type { PlanningName } from './planning-names.ts';
import type { AiEndpoint } from './ports/ai-endpoint.ts';
import type { FindSkills, IsSkill } from './ports/find-skills.ts';
import type { TaskStore } from './ports/task-store.ts';
import { taskExecution } from './tasks/task-execution.ts';
import { requestRouting } from './workflow/request-routing.ts';
import { taskSequencing } from './workflow/task-sequencing.ts';
import { workflowCoordination } from './workflow/workflow-coordination.ts';

export interface PlanningPorts {
  /** Absent: the operator configured none. */
  readonly ai: AiEndpoint | undefined;
  readonly findSkills: FindSkills;
  readonly isSkill: IsSkill;
}

export interface TaskPorts {
  readonly tasks: TaskStore;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
}

export function createPlanningSkills(
  { ai, findSkills, isSkill }: PlanningPorts,
  { tasks, now, monotonicMs }: TaskPorts,
): readonly AnySkill[] {
  // One for all: what one skill learns about the endpoint the others know.
  const model = ai && createAiModel({ endpoint: ai, monotonicMs, random: Math.random });
  const skills = {
    suggestion_generation: suggestionGeneration({ tasks, model, now }),
    request_routing: requestRouting(findSkills),
    workflow_coordination: workflowCoordination(isSkill),
    goal_decomposition: goalDecomposition({ tasks, model, now }),
    task_sequencing: taskSequencing(),
    task_execution: taskExecution({ tasks, isSkill, now }),
  } satisfies Record<PlanningName, AnySkill>;
  return Object.values(skills);
}
