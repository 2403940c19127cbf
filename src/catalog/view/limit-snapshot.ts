// A snapshot as it would be if some folders were not there: duplicates, look-alikes, problems and lookups are those of the rest (N4).
import type { Root } from '../scan/root.ts';
import type { FoundFolder } from './found-folder.ts';
import type { Skill } from './skill.ts';
import { createSnapshot, originOf, type Snapshot } from './snapshot.ts';

/** What is not to be seen. */
export interface Hiding {
  /** A root of which nothing is to be seen, its problems and its label included. */
  hidesRoot(root: Root): boolean;
  /** A folder that is to be hidden for itself; what lies below it is hidden with it. */
  hidesFolder(folder: FoundFolder): boolean;
  /** Of the library: a skill of this name, also where none is served. */
  hidesInLibrary(name: string): boolean;
}

export interface LimitedSnapshot {
  readonly snapshot: Snapshot;
  /** By skill that is there: folders in it that are not, each below the skill's own. */
  readonly inside: ReadonlyMap<Skill, readonly string[]>;
}

/** The snapshot itself where it has nothing to hide. */
export function limitSnapshot(whole: Snapshot, hiding: Hiding): LimitedSnapshot {
  const { folders, without, roots } = originOf(whole);
  const hidden = findHidden(folders, hiding);
  // A library of which nothing is seen is an empty one, which has no root.
  const isEmptied = (root: Root) =>
    root.isLibrary === true && !folders.some((each) => each.root === root && !hidden.has(each) && each.depth > 0);
  const shownRoots = roots.filter((root) => !hiding.hidesRoot(root) && !isEmptied(root));
  if (hidden.size === 0 && shownRoots.length === roots.length) return { snapshot: whole, inside: new Map() };
  const shown = folders.filter((folder) => !hidden.has(folder) && shownRoots.includes(folder.root));
  return { snapshot: createSnapshot(shown, without, shownRoots), inside: foldersInside(shown, hidden) };
}

/**
 * With all that lies below, whose addresses would name what is hidden; and with every other way to the same folder: a link to it
 * in a root that is open, a root around it. Content that is kept by its digest is no such way: it may be in two sources.
 */
function findHidden(folders: readonly FoundFolder[], hiding: Hiding): ReadonlySet<FoundFolder> {
  const chosen = folders.filter((folder) => hiding.hidesRoot(folder.root) || hiding.hidesFolder(folder));
  if (chosen.length === 0) return new Set();
  const places = new Set(chosen.filter(isSkillPlace).map(placeOf));
  const reals = new Set(chosen.filter(({ root }) => !root.pinned).map(({ real }) => real));
  const isHidden = (folder: FoundFolder) =>
    hiding.hidesRoot(folder.root) ||
    isAtOrBelow(places, placeOf(folder)) ||
    (!folder.root.pinned && isAtOrBelow(reals, folder.real));
  return new Set(folders.filter(isHidden));
}

/** A root itself is no place of a skill. */
const isSkillPlace = ({ depth, relative }: FoundFolder): boolean => depth > 0 && relative !== '';

/** The same root may be there twice, under two labels: by its path, and what it was fixed to. */
const placeOf = ({ root, relative }: FoundFolder): string =>
  `${root.pinned?.key ?? ''}\n${root.path}\n${relative === '' ? '' : `/${relative}`}`;

function isAtOrBelow(places: ReadonlySet<string>, place: string): boolean {
  for (let at = place.length; at > 0; at = place.lastIndexOf('/', at - 1))
    if (places.has(place.slice(0, at))) return true;
  return false;
}

/** By skill that is shown: the hidden folders in it. */
function foldersInside(
  shown: readonly FoundFolder[],
  hidden: ReadonlySet<FoundFolder>,
): ReadonlyMap<Skill, readonly string[]> {
  const skills = new Map<string, readonly [Skill, FoundFolder]>();
  for (const folder of shown) {
    const skill = folder.skill ?? folder.unnamed;
    if (skill !== undefined && isSkillPlace(folder)) skills.set(placeOf(folder), [skill, folder]);
  }
  const inside = new Map<Skill, string[]>();
  for (const folder of hidden) {
    const place = placeOf(folder);
    for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) {
      const [skill, outer] = skills.get(place.slice(0, at)) ?? [];
      if (skill === undefined || outer === undefined) continue;
      inside.set(skill, [...(inside.get(skill) ?? []), folder.relative.slice(outer.relative.length + 1)]);
    }
  }
  return inside;
}
