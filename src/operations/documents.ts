// The operations over documents: whatever serves skills has them. Loaded on the start-up path of `repertoire mcp`.
import type { Repertoire } from '../repertoire/repertoire.ts';
import { listSkills } from './list-skills.ts';
import type { Operation } from './operation.ts';
import { searchSkills } from './search-skills.ts';

export interface DocumentPorts {
  readonly repertoire: Repertoire;
}

export const documentOperations: readonly Operation<DocumentPorts>[] = [listSkills, searchSkills];
