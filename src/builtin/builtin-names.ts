// The names of the typed skills that come with Repertoire, for `--builtin`. Apart from the skills, which load the schema
// library.

/** Over users, their tasks and their tokens. */
export const ACCOUNT_NAMES = [
  'task_creation',
  'task_retrieval',
  'task_update',
  'task_deletion',
  'token_generation',
  'token_validation',
  'user_creation',
  'ownership_validation',
  'credential_validation',
  'account_deletion',
] as const;

export type AccountName = (typeof ACCOUNT_NAMES)[number];

/** Those that plan, coordinate and suggest. */
export const PLANNING_NAMES = [
  'suggestion_generation',
  'request_routing',
  'workflow_coordination',
  'goal_decomposition',
  'task_sequencing',
  'task_execution',
] as const;

export type PlanningName = (typeof PLANNING_NAMES)[number];

/**
 * The name of a skill that comes with Repertoire.
 *
 * @example
 * const names: readonly BuiltinName[] = ['user_creation', 'task_creation', 'task_retrieval'];
 */
export type BuiltinName = (typeof ACCOUNT_NAMES)[number] | (typeof PLANNING_NAMES)[number];

export const ALL_BUILTIN_NAMES: readonly string[] = [...ACCOUNT_NAMES, ...PLANNING_NAMES];
