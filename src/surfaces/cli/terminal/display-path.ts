// An absolute path as a person at this working directory would write it. Pure.
import { isAbsolute, relative, sep } from 'node:path';
import type { Environment } from '../../../settings/config.ts';

export function toDisplayPath(path: string, { workingDirectory, home }: Omit<Environment, 'variables'>): string {
  return findBelow(path, workingDirectory) ?? toHomePath(path, home);
}

/** For a person who may be in any working directory. */
export function toHomePath(path: string, home: string): string {
  const below = findBelow(path, home);
  return below === undefined ? path : `~/${below}`;
}

/** Below `directory`, with `/`; `undefined` when it is not. */
function findBelow(path: string, directory: string): string | undefined {
  const way = relative(directory, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way === '' ? '.' : way.replaceAll(sep, '/');
}
