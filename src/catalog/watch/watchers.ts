// One fs.watch per folder; where the machine has no more of them, the word "polled" instead.
import { type FSWatcher, watch } from 'node:fs';
import { codeOf } from '../../values/error-code.ts';
import type { Folder } from '../scan/folder.ts';
import { type FileStamp, findStamp } from '../scan/safe-read.ts';

export interface WatcherEvents {
  /** Something happened to `name` in the folder; without a name it is not known to what. */
  readonly onEvent: (folder: string, name: string | undefined) => void;
  /** Watching is impossible from now on: look by yourself, often. */
  readonly onExhausted: () => void;
}

const WATCH_OPTIONS = { persistent: false } as const;

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number;
  /** An entry came or went, perhaps the folder itself: then its watcher is dead, and a new folder may bear the same inode. */
  isDoubtful: boolean;
}

export class Watchers {
  readonly #events: WatcherEvents;
  readonly #byPath = new Map<string, Watched>();
  #exhausted = false;
  #isClosed = false;

  constructor(events: WatcherEvents) {
    this.#events = events;
  }

  get isExhausted(): boolean {
    return this.#exhausted;
  }

  get size(): number {
    return this.#byPath.size;
  }

  /**
   * Watches the folder; a watcher left on a folder that was replaced under the same name is renewed.
   * Answers the folder's stamp, taken after the watching began: between the two nothing is missed.
   */
  watch(folder: Pick<Folder, 'path' | 'real'>): FileStamp | undefined {
    const known = this.#byPath.get(folder.path);
    if (known !== undefined && !known.isDoubtful) {
      const stamp = findStamp(folder.real);
      if (known.inode === stamp?.ino) return stamp;
    }
    const watcher = this.#exhausted || this.#isClosed ? undefined : this.#open(folder);
    // Only now: if it is the same folder, nothing that happens meanwhile is missed.
    this.#forget(folder.path);
    const stamp = findStamp(folder.real);
    if (watcher && stamp) this.#byPath.set(folder.path, { watcher, inode: stamp.ino, isDoubtful: false });
    else watcher?.close();
    return stamp;
  }

  /** Lets go of every folder that is not in the set. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of [...this.#byPath.keys()]) if (!paths.has(path)) this.#forget(path);
  }

  /** Also for a look that is still under way: from now on nothing is watched. */
  close(): void {
    this.#isClosed = true;
    this.keepOnly(new Set());
  }

  #doubt(path: string): void {
    const watched = this.#byPath.get(path);
    if (watched !== undefined) watched.isDoubtful = true;
  }

  #forget(path: string): void {
    this.#byPath.get(path)?.watcher.close();
    this.#byPath.delete(path);
  }

  #open(folder: Pick<Folder, 'path' | 'real'>): FSWatcher | undefined {
    try {
      const watcher = watch(folder.real, WATCH_OPTIONS, (kind, name) => {
        // Not by the name: a removed folder is called as it was when its inode was watched first.
        if (kind === 'rename') this.#doubt(folder.path);
        this.#events.onEvent(folder.path, name ?? undefined);
      });
      return watcher.on('error', () => this.#doubt(folder.path));
    } catch (error) {
      this.#onCannotWatch(error);
      return undefined;
    }
  }

  #onCannotWatch(error: unknown): void {
    const code = codeOf(error);
    // Gone since it was listed: its parent's watcher says so.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return;
    this.#exhausted = true;
    this.#events.onExhausted();
  }
}
