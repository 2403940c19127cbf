// The names of the built-in skills that plan, coordinate and suggest. Apart from the skills, which load the schema library.

export const PLANNING_NAMES = [
  'suggestion_generation',
  'request_routing',
  'workflow_coordination',
  'goal_decomposition',
  'task_sequencing',
  'task_execution',
] as const;

export type PlanningName = (typeof PLANNING_NAMES)[number];
