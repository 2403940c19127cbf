// What a lock names, as roots of the catalog: each skill's folder in the content that is kept, and the digest of every file in it (S3).
import type { Pinned, PinnedFolder } from '../catalog/scan/pinned.ts';
import type { Root } from '../catalog/scan/root.ts';
import type { Issue } from '../document/issue.ts';
import { skillUri } from '../document/skill-uri.ts';
import { isValidName } from '../document/validate.ts';
import { type ContentPlace, contentPlace, loadManifest } from './content.ts';
import type { LockedSkill, LockedSource } from './lock.ts';
import { loadLock } from './lock-file.ts';
import type { LockPlace } from './lock-stamp.ts';
import { hexOf, type PinnedFile, sha256Of, skillDigest } from './skill-digest.ts';

/** The same values as before for the sources that have not changed. A lock that cannot be read is a root with that fault. */
export function loadPinnedRoots(
  places: readonly LockPlace[],
  dataDirectory: string,
  before: readonly Root[],
): readonly Root[] {
  const content = contentPlace(dataDirectory);
  const known = new Map(before.flatMap((root) => (root.pinned ? [[root.pinned.key, root] as const] : [])));
  return places.flatMap(({ path }): readonly Root[] => {
    const lock = loadLock(path);
    if (!lock.ok) return [faultyLock(path, lock.failure)];
    return (lock.value?.sources ?? []).map(
      (source) => known.get(keyOf(source, path)) ?? pinnedRoot(source, path, content),
    );
  });
}

/** `source` is `SOURCE@COMMIT7` on every surface. */
export const labelOf = ({ source, commit }: Pick<LockedSource, 'source' | 'commit'>): string =>
  `${source}@${commit.slice(0, 7)}`;

/** `owner`: what tells it from the same source in another lock. */
export const pinnedRoot = (source: LockedSource, owner: string, content: ContentPlace): Root => ({
  label: labelOf(source),
  path: content.skills,
  boundary: undefined,
  pinned: pinnedOf(source, keyOf(source, owner), content),
});

/** Short: it is looked up for every folder. */
const keyOf = (source: LockedSource, owner: string): string => sha256Of(JSON.stringify([owner, source]));

function pinnedOf({ skills }: LockedSource, key: string, content: ContentPlace): Pinned {
  const outer = outerOf(skills);
  const hexes = new Set(outer.map(({ digest }) => hexOf(digest)));
  const address = addresses(skills);
  const kept = new Map<string, KeptFiles>();
  const lost = findLost(skills, outer, content);
  /** By the path below the directory: its first name is that of a skill's folder. */
  const filesAt = (place: string): KeptFiles | undefined => {
    const [hex = ''] = placeOnDisk(place).split('/', 1);
    const known = kept.get(hex);
    if (known !== undefined) return known;
    const files = hexes.has(hex) ? loadManifest(content, `sha256:${hex}`) : undefined;
    // What is not there is looked for again: it may come.
    if (files === undefined) return undefined;
    const sorted = sortFiles(
      hex,
      files.filter((file) => !lost.has(`${hex}/${file.path}`)),
    );
    kept.set(hex, sorted);
    return sorted;
  };
  return {
    key,
    folders: foldersOf(outer, address),
    digestOf: (path) => filesAt(path)?.digests.get(placeOnDisk(path)),
    isExecutable: (path) => filesAt(path)?.executables.has(placeOnDisk(path)) === true,
    entriesOf: (path) => filesAt(path)?.entries.get(placeOnDisk(path)),
    faults: [...lost.values()],
  };
}

/**
 * Skills with the same files lie in one folder of the content and are served at an address each: a folder has one place in the
 * catalog, so the second is reached by another spelling of its path.
 */
function foldersOf(skills: readonly LockedSkill[], address: (skill: LockedSkill) => string): readonly PinnedFolder[] {
  const times = new Map<string, number>();
  return skills.map((skill) => {
    const hex = hexOf(skill.digest);
    const before = times.get(hex) ?? 0;
    times.set(hex, before + 1);
    return { relative: address(skill), directory: `${'./'.repeat(before)}${hex}` };
  });
}

/** However it is spelled. */
const placeOnDisk = (path: string): string => path.replace(/^(?:\.\/)+/, '');

/** Those that lie in no other one. */
function outerOf(skills: readonly LockedSkill[]): readonly LockedSkill[] {
  const paths = new Set(skills.map(({ path }) => path));
  return skills.filter(({ path }) => path === '.' || !parentsOf(path).some((parent) => paths.has(parent)));
}

/** `.` and every folder on the way to it. */
function parentsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return ['.', ...parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))];
}

const isInside = (path: string, other: string): boolean =>
  path !== other && (other === '.' || path.startsWith(`${other}/`));

/**
 * The folders below `skill://` of each. A skill at the top of its source has no folder of its own: it is served under its name, and
 * what lies in it below that.
 */
export function addresses(skills: readonly LockedSkill[]): (skill: Pick<LockedSkill, 'path'>) => string {
  const top = skills.find((each) => each.path === '.');
  if (top === undefined) return ({ path }) => path;
  const folder = isValidName(top.name) ? top.name : 'skill';
  return ({ path }) => (path === '.' ? folder : `${folder}/${path}`);
}

/** By which each is read. */
export function sourceUris(skills: readonly LockedSkill[]): (skill: Pick<LockedSkill, 'path'>) => string {
  const address = addresses(skills);
  return (skill) => skillUri(address(skill).split('/'));
}

interface KeptFiles {
  readonly digests: ReadonlyMap<string, string>;
  readonly executables: ReadonlySet<string>;
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, 'file' | 'folder'>>;
}

function sortFiles(hex: string, files: readonly PinnedFile[]): KeptFiles {
  const digests = new Map<string, string>();
  const executables = new Set<string>();
  const entries = new Map<string, Map<string, 'file' | 'folder'>>([[hex, new Map()]]);
  for (const { path, sha256, executable } of files) {
    const whole = `${hex}/${path}`;
    digests.set(whole, `sha256:${sha256}`);
    if (executable) executables.add(whole);
    let kind: 'file' | 'folder' = 'file';
    for (let at = whole; at !== hex; at = at.slice(0, at.lastIndexOf('/'))) {
      const parent = at.slice(0, at.lastIndexOf('/'));
      const names = entries.get(parent) ?? new Map<string, 'file' | 'folder'>();
      entries.set(parent, names.set(at.slice(parent.length + 1), kind));
      kind = 'folder';
    }
  }
  return { digests, executables, entries };
}

interface Lost {
  readonly path: string;
  readonly issue: Issue;
}

/**
 * Skills inside others, whose own digest in the lock is not that of their files there: they are not served. By the path of their
 * SKILL.md below the directory.
 */
function findLost(
  skills: readonly LockedSkill[],
  outer: readonly LockedSkill[],
  content: ContentPlace,
): ReadonlyMap<string, Lost> {
  const lost = new Map<string, Lost>();
  const outermost = new Set(outer);
  // One skill may hold hundreds of others, and its manifest 10,000 files: it is read once.
  const manifests = new Map<string, readonly PinnedFile[] | undefined>();
  const filesOf = ({ digest }: LockedSkill): readonly PinnedFile[] | undefined => {
    if (!manifests.has(digest)) manifests.set(digest, loadManifest(content, digest));
    return manifests.get(digest);
  };
  for (const skill of skills) {
    const owner = outermost.has(skill) ? undefined : outer.find(({ path }) => isInside(skill.path, path));
    const files = owner && filesOf(owner);
    if (owner === undefined || files === undefined) continue;
    const below = `${owner.path === '.' ? skill.path : skill.path.slice(owner.path.length + 1)}/`;
    const own = files
      .filter(({ path }) => path.startsWith(below))
      .map((file) => ({ ...file, path: file.path.slice(below.length) }));
    if (skillDigest(own) === skill.digest) continue;
    for (const { path } of own.filter((file) => /^skill\.md$/i.test(file.path)))
      lost.set(`${hexOf(owner.digest)}/${below}${path}`, { path: `${skill.path}/${path}`, issue: otherDigest });
  }
  return lost;
}

const otherDigest: Issue = {
  rule: 'source-tampered',
  severity: 'error',
  message: 'Cannot serve the skill: the lock gives it another digest than the files that the lock names around it have',
  fix: 'Restore the lock from your repository, or run repertoire update',
};

const faultyLock = (path: string, sentence: string): Root => ({
  label: 'repertoire.lock.json',
  path,
  boundary: undefined,
  fault: {
    rule: 'lock-unreadable',
    severity: 'error',
    // Without the path: it is that of the root, and no path leaves this machine.
    message: sentence.replace(` "${path}"`, ''),
    fix: 'Restore the lock from your repository, or remove it and add the sources again',
  },
});
