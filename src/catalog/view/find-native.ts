// Which skills a host reads from its own folders, judged by what a scan found there. Pure.
import type { FoundFolder } from './found-folder.ts';
import type { Skill } from './skill.ts';

/**
 * The folders that a host reads by itself, for leaving out what it would show twice.
 *
 * @example
 * const places: HostPlaces = { directories: new Set(['/home/ada/.claude/skills']), linked: new Set() };
 * const shownAnyway = catalog.current.findNative(places);
 */
export interface HostPlaces {
  /** The folders that the host searches: as they are written, and their real paths. */
  readonly directories: ReadonlySet<string>;
  /** Real paths of skill folders that it reaches by links of its own, where no scan of ours saw those. */
  readonly linked: ReadonlySet<string>;
}

/** Shared: answers that are kept by this value are kept once for all hosts without skills of their own. */
export const NO_SKILLS: ReadonlySet<Skill> = new Set();

/**
 * Only what lies directly in such a folder counts, because hosts do not look deeper: a skill that is left out though its
 * host never shows it would be lost, one that shows twice is a nuisance.
 */
export function findNative(folders: readonly FoundFolder[], places: HostPlaces): ReadonlySet<Skill> {
  if (places.directories.size === 0) return NO_SKILLS;
  const real = new Set(places.linked);
  const texts = new Map<string, Buffer>();
  for (const { skill, real: path } of folders) {
    if (skill === undefined || !isDirectlyIn(places.directories, skill.baseDirectory, path)) continue;
    real.add(path);
    if (!texts.has(skill.key)) texts.set(skill.key, skill.bytes);
  }
  if (real.size === 0) return NO_SKILLS;
  const native = new Set<Skill>();
  for (const { skill, real: path } of folders) {
    // A copy of the host's own text in another folder is the same skill to a reader of the list.
    if (skill && (real.has(path) || texts.get(skill.key)?.equals(skill.bytes))) native.add(skill);
  }
  return native;
}

const isDirectlyIn = (directories: ReadonlySet<string>, path: string, real: string): boolean =>
  directories.has(parentOf(path)) || (real !== path && directories.has(parentOf(real)));

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
