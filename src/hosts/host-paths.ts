// Where a host keeps its things on this machine: the table's folders with the home directory and variables filled in. Pure.
import { isAbsolute, join, resolve } from 'node:path';
import type { Host, Move } from './host.ts';

export interface FolderVariables {
  /** Absolute: what `~/` means. */
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface SkillFolder {
  /** `./.cursor/skills`, `~/.codex/skills`; `$CODEX_HOME/skills` where the variable has moved it. */
  readonly label: string;
  /** Absolute. Absent for `./…`: there is one in each directory of the project. */
  readonly path: string | undefined;
}

/** In the host's order, whether they exist or not. */
export function resolveSkillFolders({ folders = [], moved }: Host, places: FolderVariables): readonly SkillFolder[] {
  const moves = movesThatAreSet(moved, places);
  const only = moves.find((move) => move.replacesOthers);
  return folders.flatMap((folder): SkillFolder[] => {
    if (folder.startsWith('./')) return [{ label: folder, path: undefined }];
    const label = moveLabel(folder, moves);
    if (only && !isAtOrBelow(label, `$${only.variable}`)) return [];
    const path = findPath(label, places);
    return path === undefined ? [] : [{ label, path }];
  });
}

/** Absolute: `~/…` in the home directory, or where one of the variables has moved it. */
export function resolveUserPath(label: string, moved: Host['moved'], places: FolderVariables): string {
  return findPath(moveLabel(label, movesThatAreSet(moved, places)), places) ?? join(places.home, label.slice(2));
}

const movesThatAreSet = (moved: Host['moved'], places: FolderVariables): readonly Move[] =>
  (moved ?? []).filter(({ variable }) => findVariableFolder(variable, places) !== undefined);

function moveLabel(folder: string, moves: readonly Move[]): string {
  const move = moves.find(({ from }) => isAtOrBelow(folder, from));
  if (move === undefined) return folder;
  return [`$${move.variable}`, move.suffix, folder.slice(move.from.length + 1)].filter(Boolean).join('/');
}

const isAtOrBelow = (folder: string, parent: string): boolean => folder === parent || folder.startsWith(`${parent}/`);

/** `undefined`: it begins with a variable that is not set. */
function findPath(label: string, places: FolderVariables): string | undefined {
  const [first = '', ...rest] = label.split('/');
  const start = first === '~' ? places.home : findVariableFolder(first.slice(1), places);
  return start === undefined ? undefined : join(start, ...rest);
}

/** A relative value means a different directory to each program: like a blank one it counts as not set. */
export function findVariableFolder(variable: string, { home, variables }: FolderVariables): string | undefined {
  const value = variables[variable]?.trim() ?? '';
  if (value === '~' || value.startsWith('~/')) return join(home, value.slice(1));
  return isAbsolute(value) ? resolve(value) : undefined;
}
