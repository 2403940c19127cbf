// A folder of the tree while it is being read: where it stands, and what is filled in when its turn comes. Pure.
import { type Folder, joinRelative, ownerOf } from './folder.ts';

export type Draft = { -readonly [K in keyof Folder]: Folder[K] };
export type Place = Pick<Folder, 'name' | 'path' | 'real' | 'relative' | 'depth' | 'links'>;

/** Categories are walked this deep; a root's direct children have depth 1 (D2). */
export const MAX_DEPTH = 6;
const NOT_SEARCHED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** `target`: where the link leads, when the entry is one. */
export function placeBelow(parent: Folder, name: string, target: string | undefined): Place {
  const path = `${parent.path}/${name}`;
  return {
    name,
    path,
    // Almost always the same path: then also the same string.
    real: target ?? (parent.real === parent.path ? path : `${parent.real}/${name}`),
    relative: joinRelative(parent.relative, name),
    depth: parent.depth + 1,
    links: target === undefined ? parent.links : parent.links + 1,
  };
}

const NOTHING: readonly never[] = [];

/** One literal with every field in one order: tens of thousands of these share a shape. */
export const createDraft = (place: Place, parent: Folder | undefined): Draft => ({
  name: place.name,
  path: place.path,
  real: place.real,
  relative: place.relative,
  depth: place.depth,
  links: place.links,
  inside: parent && ownerOf(parent),
  searchable: parent === undefined || (parent.searchable && isSearched(place)),
  unsorted: undefined,
  unreadable: false,
  files: NOTHING,
  folders: NOTHING,
  skillFileName: undefined,
  skill: undefined,
  issues: NOTHING,
});

export function keepContents(draft: Draft, previous: Folder): void {
  draft.files = previous.files;
  draft.folders = previous.folders;
  draft.skillFileName = previous.skillFileName;
  draft.skill = previous.skill;
}

export const isSearched = ({ name, depth }: Place): boolean => depth <= MAX_DEPTH && !NOT_SEARCHED.has(name);

/** One step too deep: looked into once, to tell that a skill lies there, and not any further. */
export const isJustTooDeep = ({ name, depth }: Place): boolean => depth === MAX_DEPTH + 1 && !NOT_SEARCHED.has(name);
