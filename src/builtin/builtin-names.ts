// The names of the typed skills that come with Repertoire, for `--builtin`. Apart from the skills, which load the schema
// library.
import { PLANNING_NAMES } from './planning-names.ts';

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

export const ALL_BUILTIN_NAMES: readonly string[] = [...ACCOUNT_NAMES, ...PLANNING_NAMES];
