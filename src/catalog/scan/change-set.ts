// What happened on disk since the last refresh, as a scan needs it: which folders to list again, which to leave alone.
import { dirname, join } from 'node:path';
import type { Folder } from './folder.ts';

/** What is known to have changed since the previous scan, by absolute path. */
export interface Changes {
  /** Something happened directly in this folder, of which the previous state is given: list it again. */
  isDirty(previous: Folder): boolean;
  /** Something happened in it or below it. */
  isTouched(path: string): boolean;
  /** The folder itself was made, removed or replaced: list everything below it again. */
  isReplaced(path: string): boolean;
  /** Asked after `isDirty` of a folder whose listing was left for later: it may hold something else by now. */
  isOutdated(previous: Folder): boolean;
  /** False when a watcher or a caller said that files changed: then an equal stamp proves nothing. */
  readonly trustStamps: boolean;
}

/** Everything may have changed, but no event said so: list every folder, believe the stamps of files. */
export const everythingMayHaveChanged: Changes = {
  isDirty: () => true,
  isTouched: () => true,
  isReplaced: () => false,
  isOutdated: () => false,
  trustStamps: true,
};

/** Nothing changed, but a first look left the folders of skills unsorted: sort those. */
export const firstLookWasBrief: Changes = {
  isDirty: (previous) => previous.unsorted !== undefined,
  isTouched: () => true,
  isReplaced: () => false,
  isOutdated: () => false,
  trustStamps: true,
};

export class ChangeSet {
  #dirty = new Set<string>();
  #replaced = new Set<string>();

  /** Something happened to the entry `name` of this folder; without a name, to anything in it or below it. */
  add(folder: string, name: string | undefined): void {
    this.#dirty.add(folder);
    this.#replaced.add(name === undefined ? folder : join(folder, name));
  }

  /** Look at this folder once more. */
  addFolder(folder: string): void {
    this.#dirty.add(folder);
  }

  get isEmpty(): boolean {
    return this.#dirty.size === 0;
  }

  /** Returns what was gathered and starts an empty set. */
  take(): Changes {
    const dirty = this.#dirty;
    const replaced = this.#replaced;
    this.#dirty = new Set();
    this.#replaced = new Set();
    const touched = new Set([...withParents(dirty), ...replaced]);
    return {
      isDirty: ({ path }) => dirty.has(path),
      isTouched: (path) => touched.has(path),
      isReplaced: (path) => replaced.has(path),
      isOutdated: () => false,
      trustStamps: false,
    };
  }
}

function withParents(paths: ReadonlySet<string>): Set<string> {
  const all = new Set<string>();
  for (const path of paths) {
    for (let at = path; !all.has(at); at = dirname(at)) all.add(at);
  }
  return all;
}
