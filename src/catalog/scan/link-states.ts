// Where the links of a scan led, to be compared with where they lead now: no watcher sees beyond the end of a link.
import { type Folder, walkFolders } from './folder.ts';
import { type FileStamp, findLinkTarget, findStamp, sameStamp } from './safe-read.ts';

export interface LinkState {
  /** The folder that holds the link: what is to be listed again when it changed. */
  readonly folder: string;
  readonly link: string;
  /** Where the scan found that it leads; `undefined`: nowhere. */
  readonly real: string | undefined;
  /** What was there: as the scan saw it, or else at the first comparison. */
  stamp: FileStamp | undefined;
}

/** Every link below these folders that was followed, or left out with a reason: that may change, too. */
export function findLinkStates(tops: readonly Folder[]): readonly LinkState[] {
  const states: LinkState[] = [];
  for (const top of tops) {
    walkFolders(top, ({ path, issues, skill, folders, links }) => {
      for (const { name, issue } of issues) {
        const link = `${path}/${name}`;
        if (issue.rule.startsWith('link-')) states.push({ folder: path, link, real: issue.target, stamp: undefined });
      }
      if (skill?.isLink) {
        const { fileName, target, stamp } = skill;
        states.push({ folder: path, link: `${path}/${fileName}`, real: target, stamp });
      }
      for (const child of folders) {
        if (child.links > links) states.push({ folder: path, link: child.path, real: child.real, stamp: undefined });
      }
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
  state.stamp ??= stamp;
  // What happens in a folder its own watcher tells; of a file at the end of a link nobody does.
  return target.value.kind === 'folder' ? state.stamp.ino !== stamp.ino : !sameStamp(state.stamp, stamp);
}
