// The operations over documents: whatever serves skills has them. Loaded on the start-up path of `repertoire mcp`.
import type { Repertoire } from '../repertoire/repertoire.ts';
import { listSkills } from './list-skills.ts';
import { type Operation, TOOL_NAMES } from './operation.ts';
import { searchSkills } from './search-skills.ts';

export interface DocumentPorts {
  readonly repertoire: Repertoire;
}

export const documentOperations: readonly Operation<DocumentPorts>[] = [listSkills, searchSkills];

/** No typed skill may have one of them (X1). */
export const RESERVED_NAMES: readonly string[] = [
  ...Object.values(TOOL_NAMES),
  ...documentOperations.filter(({ mcp, openai }) => mcp ?? openai).map(({ id }) => id),
  // Tools for runs that outlive a call (J4) and for changes of skills (L6).
  ...['run_result', 'propose_skill'],
];
