// An absolute path as a person at this working directory would write it. Pure.
import { isAbsolute, relative, sep } from 'node:path';
import type { Environment } from '../../../settings/config.ts';

export function toDisplayPath(path: string, { workingDirectory, home }: Omit<Environment, 'variables'>): string {
  const below = findBelow(path, workingDirectory);
  if (below !== undefined) return below;
  const belowHome = findBelow(path, home);
  return belowHome === undefined ? path : `~/${belowHome}`;
}

/** Below `directory`, with `/`; `undefined` when it is not. */
function findBelow(path: string, directory: string): string | undefined {
  const way = relative(directory, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way === '' ? '.' : way.replaceAll(sep, '/');
}
