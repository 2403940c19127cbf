// What a scan found in one directory: a node of the tree that snapshots are built from, first as a draft. Pure.
import type { Issue } from '../../document/issue.ts';
import type { PinnedFolder } from './pinned.ts';
import type { Entry, LinkTarget } from './safe-read.ts';
import type { SkillFile } from './skill-file.ts';

export interface Folder {
  readonly name: string;
  /** Absolute, as reached from its root. */
  readonly path: string;
  /** Absolute, with every link resolved: what is opened. */
  readonly real: string;
  /** Below the root, with `/`; empty for the root itself. */
  readonly relative: string;
  /** 0 for the root, 1 for its direct children. */
  readonly depth: number;
  /** How many folder links were followed to get here. */
  readonly links: number;
  /** Of a root and of the target of a link: tells it from another folder that was put in its place. */
  readonly inode: number | undefined;
  /** Real path of the outermost skill folder above this one. */
  readonly inside: string | undefined;
  /** False below `.git`, `node_modules` and the depth limit: its files count, skills in it do not (D2). */
  readonly searchable: boolean;
  /**
   * After a first look, of a skill's folder: what is in it besides its SKILL.md, not looked at yet. `unlisted`: that is not even
   * known, because the SKILL.md was remembered.
   */
  readonly unsorted: readonly Entry[] | 'unlisted' | undefined;
  /** It, or a folder above it, could not be listed this time; what it held before is kept. */
  readonly unreadable: boolean;
  /** It held regular files and folders that were visited, and nothing else: `files` and `folders` are its whole listing. */
  readonly isPlain: boolean;
  /** Names of regular files, and of links to files that may be read; sorted. */
  readonly files: readonly string[];
  readonly folders: readonly Folder[];
  /** The entry that makes this a skill folder, as spelled on disk. */
  readonly skillFileName: string | undefined;
  /** What that entry holds; absent while a new file is still being written. */
  readonly skill: SkillFile | undefined;
  /** Links and other entries that are left out, each with its reason. */
  readonly issues: readonly EntryIssue[];
}

export interface EntryIssue {
  /** The entry's name; empty for the folder itself. */
  readonly name: string;
  readonly issue: Issue;
  /** It is about a link that was not followed: where that leads may change, and no watcher tells. */
  readonly isLink: boolean;
}

/** Real path of the outermost skill folder that this one is or lies in. */
export const ownerOf = (folder: Folder): string | undefined =>
  folder.inside ?? (folder.skillFileName === undefined ? undefined : folder.real);

/** As it was when it could still be looked into: what is in it is served as the last good text (D8). */
export const keptFolder = (folder: Folder): Folder =>
  folder.unreadable ? folder : { ...folder, unreadable: true, folders: folder.folders.map(keptFolder) };

/** This folder and everything below it, parents first, in path order. */
export function walkFolders(folder: Folder, visit: (folder: Folder) => void): void {
  visit(folder);
  for (const child of folder.folders) walkFolders(child, visit);
}

export const joinRelative = (parent: string, name: string): string => (parent === '' ? name : `${parent}/${name}`);

/** A folder whose turn to be read has not come: then its contents are filled in. */
export type Draft = { -readonly [K in keyof Folder]: Folder[K] };
/** Where it stands in the tree. */
export type FolderPath = Pick<Folder, 'name' | 'path' | 'real' | 'relative' | 'depth' | 'links' | 'inode'>;

/** Categories are walked this deep; a root's direct children have depth 1 (D2). */
const MAX_DEPTH = 6;
const NOT_SEARCHED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** `target`: what the link leads to, when the entry is one. */
export function pathBelow(parent: Folder, name: string, target: LinkTarget | undefined): FolderPath {
  const path = `${parent.path}/${name}`;
  return {
    name,
    path,
    // Almost always the same path: then also the same string.
    real: target?.real ?? (parent.real === parent.path ? path : `${parent.real}/${name}`),
    relative: joinRelative(parent.relative, name),
    depth: parent.depth + 1,
    links: target === undefined ? parent.links : parent.links + 1,
    inode: target?.inode,
  };
}

/** Its address says where it is served; the files lie in a directory of the root. */
export function pinnedPath(top: Folder, { relative, directory }: PinnedFolder): FolderPath {
  const segments = relative.split('/');
  return {
    ...pathBelow(top, directory, undefined),
    real: `${top.real}/${directory.replace(/^(?:\.\/)+/, '')}`,
    name: segments.at(-1) ?? relative,
    relative,
    // However deep it was in its source: what was chosen there is served.
    depth: Math.min(segments.length, MAX_DEPTH),
  };
}

const NOTHING: readonly never[] = [];

/** One literal with every field in one order: tens of thousands of these share a shape. */
export const createDraft = (at: FolderPath, parent: Folder | undefined): Draft => ({
  name: at.name,
  path: at.path,
  real: at.real,
  relative: at.relative,
  depth: at.depth,
  links: at.links,
  inode: at.inode,
  inside: parent && ownerOf(parent),
  searchable: parent === undefined || (parent.searchable && isSearched(at)),
  unsorted: undefined,
  unreadable: false,
  isPlain: false,
  files: NOTHING,
  folders: NOTHING,
  skillFileName: undefined,
  skill: undefined,
  issues: NOTHING,
});

export function keepContents(draft: Draft, previous: Folder): void {
  draft.isPlain = previous.isPlain;
  draft.files = previous.files;
  draft.folders = previous.folders;
  draft.skillFileName = previous.skillFileName;
  draft.skill = previous.skill;
}

export const isSearched = ({ name, depth }: FolderPath): boolean => depth <= MAX_DEPTH && !NOT_SEARCHED.has(name);

/** One step too deep: looked into once, to tell that a skill lies there, and not any further. */
export const isJustTooDeep = ({ name, depth }: FolderPath): boolean =>
  depth === MAX_DEPTH + 1 && !NOT_SEARCHED.has(name);

export const deniedFolder: Issue = {
  rule: 'folder-unreadable',
  severity: 'error',
  message: 'Cannot look into this folder: permission denied',
  fix: 'Give yourself permission to read it (chmod u+rx)',
};

export const tooManyFolders: Issue = {
  rule: 'too-many-folders',
  severity: 'error',
  message: 'Cannot search everything below: there are more than 100,000 folders',
  fix: 'Choose a root that holds skills and little else',
};

export const tooDeep: Issue = {
  rule: 'too-deep',
  severity: 'warning',
  message: `Cannot serve this SKILL.md: it lies more than ${MAX_DEPTH} folders below the root`,
  fix: 'Move the skill up, or use a folder nearer to it as a root',
};

export const rootIsASkill: Issue = {
  rule: 'root-is-a-skill',
  severity: 'warning',
  message: 'Cannot serve this SKILL.md: it is in the root itself, and skills are the folders in a root',
  fix: 'Use the folder above as the root, or move the skill into a folder of its own',
};

export const undecodableName: Issue = {
  rule: 'folder-name-invalid',
  severity: 'error',
  message: 'Cannot look into this folder: its name is not valid UTF-8',
  fix: 'Rename the folder with plain letters, digits and hyphens',
};
