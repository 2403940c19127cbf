// What lies directly in a folder of the skill:// tree: prefix folders, skill folders, folders inside skills.
import type { Manifest } from '../../document/manifest.ts';
import { directoryUri } from '../../document/skill-uri.ts';
import type { Skill } from './skill.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * A file or a folder that lies directly in a folder of the `skill://` tree.
 *
 * @example
 * for (const { name, size } of repertoire.listDirectory(['sql-review']) ?? []) console.log(name, size ?? 'folder');
 */
export interface DirectoryChild {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  /** Absent for folders. */
  readonly size?: number;
}

const DIRECTORY_TYPE = 'inode/directory';

/** `undefined`: no such folder. In name order; the first root's child wins where several offer the same. */
export function findChildren(
  snapshot: Snapshot,
  segments: readonly string[],
  manifestOf: (skill: Skill) => Manifest,
): readonly DirectoryChild[] | undefined {
  const children = new Map<string, DirectoryChild>();
  let exists = false;
  for (const skill of snapshot.skills) {
    const found = startsWith(skill.segments, segments)
      ? below(skill, segments, manifestOf)
      : startsWith(segments, skill.segments)
        ? inside(skill, segments, manifestOf)
        : undefined;
    exists ||= found !== undefined;
    for (const child of found ?? []) if (!children.has(child.uri)) children.set(child.uri, child);
  }
  return exists ? [...children.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1)) : undefined;
}

const startsWith = (whole: readonly string[], start: readonly string[]): boolean =>
  start.length <= whole.length && start.every((segment, index) => segment === whole[index]);

/** The folder is the skill's own, or one above it. */
function below(skill: Skill, segments: readonly string[], manifestOf: (skill: Skill) => Manifest): DirectoryChild[] {
  if (skill.segments.length === segments.length) return inside(skill, segments, manifestOf) ?? [];
  return [folderChild(skill.segments.slice(0, segments.length + 1))];
}

/** The folder lies in the skill, or is its own. `undefined`: the skill has no such folder. */
function inside(
  skill: Skill,
  segments: readonly string[],
  manifestOf: (skill: Skill) => Manifest,
): DirectoryChild[] | undefined {
  const { files, folders } = manifestOf(skill);
  const path = segments.slice(skill.segments.length).join('/');
  if (path !== '' && !folders.includes(path)) return undefined;
  const prefix = path === '' ? '' : `${path}/`;
  const isDirect = (child: string) =>
    child.startsWith(prefix) && child.length > prefix.length && !child.includes('/', prefix.length);
  return [
    ...folders.filter(isDirect).map((folder) => folderChild([...skill.segments, ...folder.split('/')])),
    ...files
      .filter((file) => isDirect(file.path))
      .map(({ uri, path: file, mimeType, size }) => {
        // Whatever its letter case on disk, its address ends in this name (R1), and so does its name here.
        const name = uri === skill.uri ? 'SKILL.md' : file.slice(prefix.length);
        return { uri, name, mimeType, size };
      }),
  ];
}

const folderChild = (segments: readonly string[]): DirectoryChild => ({
  uri: directoryUri(segments),
  name: segments.at(-1) ?? '',
  mimeType: DIRECTORY_TYPE,
});
