// The folders on the way to a host's file that only this host has a use for. Pure.
import { dirname, join, relative, sep } from 'node:path';

/** Others keep things there, too. */
const shared: ReadonlySet<string> = new Set([
  '.config',
  '.local',
  '.github',
  'Library',
  'Application Support',
  'AppData',
  'Roaming',
]);

/** Nearest first. `base`: the home directory or the project. What a variable has moved to a plain folder is the user's. */
export function findOwnFolders(path: string, base: string): readonly string[] {
  const names = relative(base, dirname(path)).split(sep);
  const start = names.findLastIndex((name) => shared.has(name)) + 1;
  const isHidden = /^\.[^.]/.test(names[0] ?? '');
  if (names[0] === '..' || (start === 0 && !isHidden)) return [];
  return names.slice(start).map((_name, index) => join(base, ...names.slice(0, names.length - index)));
}
