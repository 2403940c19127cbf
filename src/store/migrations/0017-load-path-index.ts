// Other files of skills that were read, newest first, without reading every load (U7). On PostgreSQL writers wait while an
// index is built, so it is built alone: it reads the loads once.
import type { Migration } from './migration.ts';

const statements = ['CREATE INDEX idx_skill_loads_files ON skill_loads (loaded_at, id) WHERE path IS NOT NULL'];

export const loadPathIndex: Migration = {
  number: 17,
  name: 'load-path-index',
  part: 'log',
  statements: { sqlite: statements, postgres: statements },
};
