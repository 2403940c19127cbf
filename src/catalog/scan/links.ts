// What to do with a symbolic link met while scanning: follow it, list it as a file, or leave it out and say why (DESIGN 8).
import type { Issue } from '../../document/issue.ts';
import { type Folder, ownerOf, walkFolders } from './folder.ts';
import {
  type Fence,
  type FileStamp,
  findLinkTarget,
  findStamp,
  isFenced,
  isInside,
  type LinkTarget,
  sameStamp,
} from './safe-read.ts';

/** Links through links, this many at most: enough for any real set-up, an end to any maze. */
const MAX_LINKS = 3;

export interface LinkRules {
  /** The roots and the `--allow-links` directories. */
  readonly fence: Fence;
  /** The `--allow-links` directories alone. */
  readonly allowLinks: Fence;
}

export type LinkDecision =
  | { readonly take: 'file' }
  | { readonly take: 'folder'; readonly target: LinkTarget }
  | { readonly take: 'nothing'; readonly issue: Issue | undefined };

export function decideLink(folder: Folder, name: string, rules: LinkRules): LinkDecision {
  const target = findLinkTarget(`${folder.real}/${name}`);
  if (!target.ok) return leave(target.failure === 'missing' ? brokenLink : hiddenLink);
  const { kind, real } = target.value;
  if (kind === 'file') return decideFile(folder, real, rules);
  if (kind === 'folder') return decideFolder(folder, target.value, rules);
  return leave(undefined);
}

/** A file link counts inside a skill only, and must stay in it: it is that skill's text that gets served. */
function decideFile(folder: Folder, real: string, rules: LinkRules): LinkDecision {
  const owner = ownerOf(folder);
  if (owner === undefined) return leave(undefined);
  return isInside(real, owner) || isFenced(real, rules.allowLinks)
    ? { take: 'file' }
    : leave({ ...leavesSkill, target: real });
}

function decideFolder(folder: Folder, target: LinkTarget, rules: LinkRules): LinkDecision {
  const { real } = target;
  if (!isFenced(real, rules.fence)) {
    return leave({ ...(ownerOf(folder) === undefined ? leavesRoots : leavesSkill), target: real });
  }
  if (isInside(folder.real, real)) return leave({ ...loop, target: real });
  if (ownerOf(folder) !== undefined) return leave({ ...folderInSkill, target: real });
  return folder.links < MAX_LINKS ? { take: 'folder', target } : leave({ ...tooManyLinks, target: real });
}

/** The link still leads to the folder that was read through it. */
export const isSameTarget = (known: Folder, { real, inode }: LinkTarget): boolean =>
  known.real === real && known.inode === inode;

const leave = (issue: Issue | undefined): LinkDecision => ({ take: 'nothing', issue });

const leavesRoots: Issue = {
  rule: 'link-outside',
  severity: 'warning',
  message: 'Cannot follow the link: it leads outside the folders that are searched',
  fix: 'Move or copy the skill here, or allow the folder that holds it with --allow-links DIR',
};

const leavesSkill: Issue = {
  rule: 'link-leaves-skill',
  severity: 'warning',
  message: 'Cannot serve what this link leads to: it lies outside the skill',
  fix: 'Copy it into the skill, or allow the folder that holds it with --allow-links DIR',
};

const folderInSkill: Issue = {
  rule: 'link-not-followed',
  severity: 'warning',
  message: 'Cannot list these files: a link to a folder inside a skill is not followed',
  fix: 'Put the real folder here instead of the link',
};

const loop: Issue = {
  rule: 'link-loop',
  severity: 'warning',
  message: 'Cannot follow the link: it leads back to a folder that contains it',
  fix: 'Remove the link',
};

const tooManyLinks: Issue = {
  rule: 'link-loop',
  severity: 'warning',
  message: `Cannot follow the link: it lies behind ${MAX_LINKS} other links already`,
  fix: 'Put the real folder, or a link straight to it, into the root',
};

const brokenLink: Issue = {
  rule: 'link-broken',
  severity: 'warning',
  message: 'Cannot follow the link: nothing is at the other end',
  fix: 'Remove the link, or restore what it points to',
};

const hiddenLink: Issue = {
  rule: 'link-unreadable',
  severity: 'warning',
  message: 'Cannot follow the link: its target may not be looked at',
  fix: 'Give yourself permission to read the target, or remove the link',
};

/** Where a link led, to be compared with where it leads now: no watcher sees beyond the end of a link. */
export interface LinkState {
  /** The folder that holds the link: what is to be listed again when it changed. */
  readonly folder: string;
  readonly link: string;
  /** Where the scan found that it leads; `undefined`: nowhere. */
  readonly real: string | undefined;
  /** What was there: as the scan saw it, or else at the first comparison. Of a folder the inode is enough. */
  inode: number | undefined;
  stamp: FileStamp | undefined;
}

/** Every link below these folders that was followed, or left out with a reason: that may change, too. */
export function findLinkStates(tops: readonly Folder[]): readonly LinkState[] {
  const states: LinkState[] = [];
  for (const top of tops) {
    walkFolders(top, ({ path, issues, skill, folders, links }) => {
      const add = (link: string, real: string | undefined, inode?: number, stamp?: FileStamp) =>
        states.push({ folder: path, link, real, inode, stamp });
      for (const { name, issue, isLink } of issues) if (isLink) add(`${path}/${name}`, issue.target);
      if (skill?.isLink) add(`${path}/${skill.fileName}`, skill.target, skill.stamp?.ino, skill.stamp);
      for (const child of folders) if (child.links > links) add(child.path, child.real, child.inode);
    });
  }
  return states;
}

/** Folders with a link that leads elsewhere now, or to something else in the same place. */
export const findChangedLinks = (states: readonly LinkState[]): readonly string[] =>
  states.filter(isChanged).map(({ folder }) => folder);

function isChanged(state: LinkState): boolean {
  const target = findLinkTarget(state.link);
  const real = target.ok ? target.value.real : undefined;
  if (real !== state.real) return true;
  const stamp = real === undefined ? undefined : findStamp(real);
  if (!target.ok || stamp === undefined) return false;
  state.inode ??= stamp.ino;
  if (state.inode !== stamp.ino) return true;
  // What happens in a folder is told by its own watcher; of a file at the end of a link nothing tells.
  if (target.value.kind === 'folder') return false;
  state.stamp ??= stamp;
  return !sameStamp(state.stamp, stamp);
}
