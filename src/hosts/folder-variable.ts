// The directory that a variable of the environment names, by one rule for every variable. Pure.
import { isAbsolute, join, resolve } from 'node:path';

export interface FolderVariables {
  /** Absolute: what `~/` means. */
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A relative value means a different directory to each program: like a blank one it counts as not set. */
export function findVariableFolder(variable: string, { home, variables }: FolderVariables): string | undefined {
  const value = variables[variable]?.trim() ?? '';
  if (value === '~' || value.startsWith('~/')) return join(home, value.slice(1));
  return isAbsolute(value) ? resolve(value) : undefined;
}
