// Which build of the program this is, for what only the same build may read again.
import { statSync } from 'node:fs';

/** Of the file of code at this path: changes with every build, where the version of the program does not. */
export function buildOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return `${stats?.mtimeMs}-${stats?.size}`;
}
