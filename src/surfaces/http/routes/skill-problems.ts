// The problems of one skill: those of its own files and of what lies below its folder. Sorted once per snapshot.
import { join, sep } from 'node:path';
import type { Problem, Skill } from '../../../catalog/view/skill.ts';
import type { Snapshot } from '../../../catalog/view/snapshot.ts';

/** By the folder of a skill; without those that have none. */
type ProblemsByFolder = ReadonlyMap<string, readonly Problem[]>;

const known = new WeakMap<Snapshot, ProblemsByFolder>();

const NONE: readonly Problem[] = [];

export function problemsOf({ baseDirectory }: Skill, snapshot: Snapshot): readonly Problem[] {
  if (snapshot.problems.length === 0) return NONE;
  return (known.get(snapshot) ?? sortProblems(snapshot)).get(baseDirectory) ?? NONE;
}

function sortProblems(snapshot: Snapshot): ProblemsByFolder {
  const folders = new Set(snapshot.skills.map(({ baseDirectory }) => baseDirectory));
  const byFolder = new Map<string, Problem[]>();
  for (const problem of snapshot.problems) {
    for (const folder of foldersAbove(problem)) {
      if (!folders.has(folder)) continue;
      const same = byFolder.get(folder);
      if (same === undefined) byFolder.set(folder, [problem]);
      else same.push(problem);
    }
  }
  known.set(snapshot, byFolder);
  return byFolder;
}

/** A skill may lie inside another one: what is wrong with the inner one is told of both. */
function foldersAbove({ rootPath, path }: Problem): readonly string[] {
  const folders: string[] = [];
  const file = join(rootPath, path);
  for (let end = file.lastIndexOf(sep); end > 0; end = file.lastIndexOf(sep, end - 1)) folders.push(file.slice(0, end));
  return folders;
}
