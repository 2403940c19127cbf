// Which file of a skill was read, where it was not its SKILL.md: such a row is no load and is not counted (D9, U7).
import type { Migration } from './migration.ts';

const statements = ['ALTER TABLE skill_loads ADD COLUMN path TEXT'];

export const loadPaths: Migration = {
  number: 16,
  name: 'load-paths',
  part: 'log',
  statements: { sqlite: statements, postgres: statements },
};
