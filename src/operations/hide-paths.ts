// Texts about skills for callers who may not see paths of this machine: roots by their last folder (THREATS: leaky errors).
import { isAbsolute, sep } from 'node:path';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import type { Caller } from '../identity/caller.ts';

export type HidePaths = (text: string) => string;

const SHOW_ALL: HidePaths = (text) => text;

/** Only the operator, on this machine: the person behind an agent or a user may be elsewhere. */
export const maySeePaths = ({ caller, remote }: { readonly caller: Caller; readonly remote: boolean }): boolean =>
  caller.kind === 'operator' && !remote;

/** A root that was given as a path is shown by its last folder; `./…` and `~/…` say nothing about the machine. */
export function hidePathsFor(isHidden: boolean, snapshot: Snapshot): HidePaths {
  if (!isHidden) return SHOW_ALL;
  const paths = rootPathsIn(snapshot);
  return (text) => paths.reduce((shown, path) => shown.replaceAll(path, lastFolder(path)), text);
}

const lastFolder = (path: string): string => path.slice(path.lastIndexOf(sep) + 1) || path;

const known = new WeakMap<Snapshot, readonly string[]>();

/** Longest first: one root may lie inside another. */
function rootPathsIn(snapshot: Snapshot): readonly string[] {
  const paths = known.get(snapshot) ?? findRootPaths(snapshot);
  known.set(snapshot, paths);
  return paths;
}

function findRootPaths({ skills, problems }: Snapshot): readonly string[] {
  const paths = new Set<string>();
  for (const { source } of skills) paths.add(source);
  for (const { source, rootPath } of problems) paths.add(source).add(rootPath);
  return [...paths].filter((path) => isAbsolute(path)).sort((a, b) => b.length - a.length);
}
