// Which folders of a source are skills, by the paths of its files: those with a SKILL.md, as deep as skills are looked for (D2). Pure.
import type { Issue } from '../document/issue.ts';
import { foldName } from './choose-files.ts';
import { isCleanPath } from './lock.ts';

interface FoundSkillFolder<T> {
  /** In the source, with `/`; `.` is its top. */
  readonly path: string;
  /** With paths below the folder. */
  readonly entries: readonly (T & { readonly path: string })[];
}

export interface SkillFolders<T> {
  readonly folders: readonly FoundSkillFolder<T>[];
  readonly problems: readonly SourceProblem[];
}

/** What of a source is not taken, or not as it is there. */
export interface SourceProblem extends Issue {
  /** Of the skill, in the source. */
  readonly path: string;
}

/** As the catalog looks (D2). */
const MAX_DEPTH = 6;
const NOT_SEARCHED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** `paths`: where to look; none: everywhere. */
export function findSkillFolders<T extends { readonly path: string }>(
  entries: readonly T[],
  paths: readonly string[],
): SkillFolders<T> {
  const candidates = new Set(entries.filter(({ path }) => isSkillFile(path)).map(({ path }) => folderOf(path)));
  const problems: SourceProblem[] = [];
  const chosen: string[] = [];
  for (const path of candidates) {
    const depth = depthBelow(path, paths);
    if (depth === undefined) continue;
    if (path !== '.' && !isPlainPath(path)) problems.push({ ...badFolder, path });
    else if (depth > MAX_DEPTH) problems.push({ ...tooDeep, path });
    else chosen.push(path);
  }
  const { kept, collided } = withoutCollisions(chosen.sort());
  problems.push(...collided.map((path) => ({ ...folderCollides, path })));
  const folders = kept.map((path) => ({ path, entries: entriesIn(entries, path) }));
  return { folders, problems };
}

const isPlainPath = (path: string): boolean => isCleanPath(path) && !/[\p{Cc}\ufffd\p{Surrogate}]/u.test(path);

const isSkillFile = (path: string): boolean => /(?:^|\/)skill\.md$/i.test(path);

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');

/** Folders between it and the nearest place that is looked at. `undefined`: it is not looked at. */
function depthBelow(path: string, paths: readonly string[]): number | undefined {
  const bases = paths.length === 0 ? ['.'] : paths;
  const depths = bases.flatMap((base) => {
    const below = path === base ? [] : stepsBelow(path, base);
    return below === undefined || below.some((part) => NOT_SEARCHED.has(part)) ? [] : [below.length];
  });
  return depths.length === 0 ? undefined : Math.min(...depths);
}

function stepsBelow(path: string, base: string): readonly string[] | undefined {
  if (base === '.') return path.split('/');
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1).split('/') : undefined;
}

/** Two folders that are one where letter case does not count: which is meant cannot be told, so neither is taken. */
function withoutCollisions(paths: readonly string[]) {
  const byKey = new Map<string, string[]>();
  for (const path of paths) byKey.set(foldName(path), [...(byKey.get(foldName(path)) ?? []), path]);
  const collided = [...byKey.values()].filter((same) => same.length > 1).flat();
  return { kept: paths.filter((path) => !collided.includes(path)), collided };
}

function entriesIn<T extends { readonly path: string }>(entries: readonly T[], folder: string): readonly T[] {
  if (folder === '.') return entries;
  const prefix = `${folder}/`;
  return entries
    .filter(({ path }) => path.startsWith(prefix))
    .map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
}

const tooDeep: Issue = {
  rule: 'too-deep',
  severity: 'warning',
  message: `Cannot take this skill from its source: it lies more than ${MAX_DEPTH} folders below where skills are looked for`,
  fix: 'Name a folder nearer to it with --path',
};

const badFolder: Issue = {
  rule: 'source-bad-name',
  severity: 'error',
  message: 'Cannot take this skill from its source: the name of its folder cannot be used',
  fix: 'Rename the folder',
};

const folderCollides: Issue = {
  rule: 'source-bad-name',
  severity: 'error',
  message: 'Cannot take this skill from its source: another folder has the same name where letter case does not count',
  fix: 'Rename one of the two folders',
};
