// What a catalog does with notes: asks them while it starts, and takes new ones when all is known or something has changed.
import { monotonicMs } from '../../async/monotonic-clock.ts';
import { createTimeSlice } from '../../async/time-slice.ts';
import type { Folder } from '../scan/folder.ts';
import type { Memory } from '../scan/memory.ts';
import type { Root } from '../scan/root.ts';
import type { ScannedRoot } from '../scan/root-scanner.ts';
import type { FileRecords } from '../view/file-records.ts';
import type { NoteEncoder } from './note.ts';
import type { NoteFiles, NotePlace } from './note-files.ts';
import { takeNote } from './take-note.ts';

export interface KeeperOptions {
  readonly files: NoteFiles;
  readonly now: () => Date;
  /** What is known now. */
  readonly roots: () => readonly ScannedRoot[];
  /** The files of the skill in this folder, where they have been read. */
  readonly recordsOf: (root: Root, folder: Folder) => FileRecords | undefined;
  readonly onError: (error: unknown) => void;
}

const SLICE_MS = 10;
/** After a change, until it is noted for the next start: changes come in bursts. */
const LATER_MS = 2_000;
/** A clock is not read at the same moment as the other one. */
const SLACK_MS = 25;

/** Roots that are fixed beforehand lie in one directory: each has a note of its own. */
const placeOf = ({ pinned }: Root, real: string): NotePlace => ({
  real,
  key: pinned ? `${real} ${pinned.key}` : real,
});

export class NoteKeeper {
  readonly #options: KeeperOptions;
  readonly #openedAt: number;
  readonly #openedMonotonic = monotonicMs();
  /** By the key of the root's place. */
  readonly #memories = new Map<string, Memory | undefined>();
  /** By the same key: the state that the note on disk tells of. */
  readonly #noted = new Map<string, Folder>();
  #timer: NodeJS.Timeout | undefined;
  #isStarting = true;
  #isClosed = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#openedAt = options.now().getTime();
  }

  /** What an earlier process learned of the root, until notes are taken: then what this one has seen itself counts. */
  recall(root: Root, real: string): Memory | undefined {
    if (!this.#isStarting) return undefined;
    const place = placeOf(root, real);
    if (!this.#memories.has(place.key)) this.#memories.set(place.key, this.#options.files.read(place));
    return this.#memories.get(place.key);
  }

  async take(): Promise<void> {
    for (const { root, location, folder } of this.#options.roots()) {
      if (location.state !== 'found' || folder === undefined || this.#isClosed) continue;
      const place = placeOf(root, location.real);
      const isNoted = this.#noted.get(place.key) === folder || this.#memories.get(place.key)?.misses === 0;
      const note = (encoder: NoteEncoder) => this.#noteOf(root, folder, encoder);
      if (isNoted || (await this.#options.files.write(place, note))) this.#noted.set(place.key, folder);
    }
    this.#isStarting = false;
    this.#memories.clear();
  }

  /** Not kept when this one was closed meanwhile, or when the clock was set back. */
  async *#noteOf(root: Root, top: Folder, encoder: NoteEncoder): AsyncGenerator<Buffer, boolean> {
    if (!this.#clockRanOn()) return false;
    const isWhole = yield* takeNote({
      top,
      openedAt: this.#openedAt,
      now: this.#options.now,
      recordsOf: (each) => this.#options.recordsOf(root, each),
      slice: createTimeSlice(SLICE_MS, 8),
      encoder,
    });
    return isWhole && !this.#isClosed && this.#clockRanOn();
  }

  takeLater(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.take().catch(this.#options.onError);
    }, LATER_MS).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Where it was set back, a change of after the start may look older than the start. */
  #clockRanOn(): boolean {
    const passed = this.#options.now().getTime() - this.#openedAt;
    return passed - (monotonicMs() - this.#openedMonotonic) > -SLACK_MS;
  }
}
