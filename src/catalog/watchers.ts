// One fs.watch per folder; where the machine has no more of them, the word "polled" instead.
import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Folder } from './folder.ts';
import { type FileStamp, findStamp } from './safe-read.ts';

export interface WatcherEvents {
  /** Something happened to `name` in the folder; without a name it is not known to what. */
  readonly onEvent: (folder: string, name: string | undefined) => void;
  /** Watching is impossible from now on: look by yourself, often. */
  readonly onExhausted: () => void;
}

const WATCH_OPTIONS = { persistent: false } as const;

export class Watchers {
  readonly #events: WatcherEvents;
  readonly #byPath = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>();
  #exhausted = false;

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
    if (known !== undefined) {
      const stamp = findStamp(folder.real);
      if (known.inode === stamp?.ino) return stamp;
      this.#forget(folder.path);
    }
    const watcher = this.#exhausted ? undefined : this.#open(folder);
    const stamp = findStamp(folder.real);
    if (watcher && stamp) this.#byPath.set(folder.path, { watcher, inode: stamp.ino });
    else watcher?.close();
    return stamp;
  }

  /** Lets go of every folder that is not in the set. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of [...this.#byPath.keys()]) if (!paths.has(path)) this.#forget(path);
  }

  close(): void {
    this.keepOnly(new Set());
  }

  #onEvent({ path, real }: Pick<Folder, 'path' | 'real'>, name: string | undefined): void {
    // The folder itself, perhaps removed: its watcher is dead then, and a new folder may bear the same inode.
    if (name === basename(real)) this.#forget(path);
    this.#events.onEvent(path, name);
  }

  #forget(path: string): void {
    this.#byPath.get(path)?.watcher.close();
    this.#byPath.delete(path);
  }

  #open(folder: Pick<Folder, 'path' | 'real'>): FSWatcher | undefined {
    try {
      const watcher = watch(folder.real, WATCH_OPTIONS, (_, name) => this.#onEvent(folder, name ?? undefined));
      return watcher.on('error', () => this.#forget(folder.path));
    } catch (error) {
      this.#onCannotWatch(error);
      return undefined;
    }
  }

  #onCannotWatch(error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code;
    // Gone since it was listed: its parent's watcher says so.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return;
    this.#exhausted = true;
    this.#events.onExhausted();
  }
}
