// A directory that is searched for skills, where it really is, and whether it may be searched at all.
import { parse } from 'node:path';
import type { Issue } from '../../document/issue.ts';
import type { Pinned } from './pinned.ts';
import { type Fence, findLinkTarget, isFenced } from './safe-read.ts';

/**
 * A folder that is searched for skills. The first root wins where two have a skill of the same name.
 *
 * @example
 * const places = catalog.roots.map(({ root }) => `${root.label} is ${root.path}`);
 */
export interface Root {
  /** As configured: `./.claude/skills`, `~/.agents/skills`, `$CODEX_HOME/skills`, or the path given. */
  readonly label: string;
  /** Absolute. */
  readonly path: string;
  /** A project's folder may come from other people: its root may not be a link that leaves `boundary`. */
  readonly boundary: string | undefined;
  /** Looked at because of `--agents`: the same skill there as elsewhere is no news. */
  readonly ofHost?: true;
  /** The one child that is looked at, when a person named a single skill. */
  readonly only?: string;
  /** Given by `--root`. */
  readonly isGiven?: true;
  /** Its folders and files are not what the directory lists, but what was fixed beforehand (S3). */
  readonly pinned?: Pinned;
  /** Of the library: paths of its files are shown to no one (L1). */
  readonly isLibrary?: true;
  /** Why there is nothing to search: a lock that cannot be read. */
  readonly fault?: Issue;
}

export type RootLocation =
  | { readonly state: 'found'; readonly real: string; readonly inode: number }
  | { readonly state: 'missing' }
  /** `isFolder`: as far as it is known. Something else in its place means that what was in it is gone. */
  | { readonly state: 'unreadable'; readonly issue: Issue; readonly isFolder: boolean }
  | { readonly state: 'refused'; readonly issue: Issue };

/** `allowLinks`: real paths of the directories that links may lead into. */
export function locateRoot(root: Root, allowLinks: Fence): RootLocation {
  if (root.fault !== undefined) return { state: 'refused', issue: root.fault };
  const target = findLinkTarget(root.path);
  if (!target.ok) {
    if (target.failure === 'missing') return { state: 'missing' };
    return { state: 'unreadable', issue: target.failure === 'denied' ? denied : busy, isFolder: true };
  }
  const { kind, real, inode } = target.value;
  if (kind !== 'folder') return { state: 'unreadable', issue: notAFolder, isFolder: false };
  if (root.boundary !== undefined && !isFenced(real, [realOf(root.boundary), ...allowLinks])) {
    return { state: 'refused', issue: leavesProject };
  }
  // A given root may be any folder; one that was not given must not turn out to be the whole disk.
  if (root.path !== real && parse(real).root === real) return { state: 'refused', issue: wholeDisk };
  return { state: 'found', real, inode };
}

/** Its real path, or itself while it does not exist. */
export function realOf(path: string): string {
  const target = findLinkTarget(path);
  return target.ok ? target.value.real : path;
}

const denied: Issue = {
  rule: 'root-unreadable',
  severity: 'error',
  message: 'Cannot search this root: permission denied',
  fix: 'Give yourself permission to read it (chmod u+rx)',
};

const busy: Issue = {
  rule: 'busy',
  severity: 'error',
  message: 'Cannot search this root: it could not be read just now',
  fix: 'Wait a moment: it is tried again by itself',
};

const notAFolder: Issue = {
  rule: 'root-unreadable',
  severity: 'error',
  message: 'Cannot search this root: it is not a folder',
  fix: 'Name the folder that holds your skill folders',
};

const leavesProject: Issue = {
  rule: 'link-outside',
  severity: 'error',
  message: "Cannot search this root: it is a link that leads out of the project, and a project's links are not trusted",
  fix: 'Put a real folder there, or allow the folder it leads to with --allow-links DIR',
};

const wholeDisk: Issue = {
  rule: 'link-outside',
  severity: 'error',
  message: 'Cannot search this root: it is a link to the whole disk',
  fix: 'Point it at the folder that holds your skills',
};
