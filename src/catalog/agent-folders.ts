// Where one agent looks for skills on this machine: its folders with the home directory and the variables filled in. Pure.
import { join } from 'node:path';
import type { Agent } from '../hosts/agents.ts';
import { findVariableFolder } from '../hosts/folder-variable.ts';

export interface AgentPlaces {
  /** Absolute: what `~/` means. */
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface AgentFolder {
  /** `./.cursor/skills`, `~/.codex/skills`; `$CODEX_HOME/skills` where the variable has moved it. */
  readonly label: string;
  /** Absolute. Absent for `./…`: there is one in each directory of the project. */
  readonly path: string | undefined;
}

/** In the agent's order, whether they exist or not. */
export function resolveAgentFolders(agent: Agent, places: AgentPlaces): readonly AgentFolder[] {
  const moves = (agent.moved ?? []).filter(({ variable }) => findVariableFolder(variable, places) !== undefined);
  const alone = moves.find((move) => move.alone);
  return agent.folders.flatMap((folder): AgentFolder[] => {
    if (folder.startsWith('./')) return [{ label: folder, path: undefined }];
    const label = moveLabel(folder, moves);
    if (alone && !isAtOrBelow(label, `$${alone.variable}`)) return [];
    const path = findPath(label, places);
    return path === undefined ? [] : [{ label, path }];
  });
}

type Moves = NonNullable<Agent['moved']>;

function moveLabel(folder: string, moves: Moves): string {
  const move = moves.find(({ from }) => isAtOrBelow(folder, from));
  if (move === undefined) return folder;
  return [`$${move.variable}`, move.below, folder.slice(move.from.length + 1)].filter(Boolean).join('/');
}

const isAtOrBelow = (folder: string, parent: string): boolean => folder === parent || folder.startsWith(`${parent}/`);

/** `undefined`: it begins with a variable that is not set. */
function findPath(label: string, places: AgentPlaces): string | undefined {
  const [first = '', ...rest] = label.split('/');
  const start = first === '~' ? places.home : findVariableFolder(first.slice(1), places);
  return start === undefined ? undefined : join(start, ...rest);
}
