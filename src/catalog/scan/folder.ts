// What a scan found in one directory: a node of the tree that snapshots are built from. A value.
import type { Issue } from '../../document/issue.ts';
import type { Entry } from './safe-read.ts';
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
  /** Real path of the outermost skill folder above this one. */
  readonly inside: string | undefined;
  /** False below `.git`, `node_modules` and the depth limit: its files count, skills in it do not (D2). */
  readonly searchable: boolean;
  /** After a first look, of a skill's folder: what is in it besides its SKILL.md, not looked at yet. */
  readonly unsorted: readonly Entry[] | undefined;
  /** It, or a folder above it, could not be listed this time; what it held before is kept. */
  readonly unreadable: boolean;
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
