// Scans all roots, keeps their trees between scans, and remembers which changes are held back because a writer is still at it.

import { monotonicMs } from '../../async/monotonic-clock.ts';
import { createTimeSlice } from '../../async/time-slice.ts';
import { type FrontmatterReader, openYamlReader } from '../../document/frontmatter.ts';
import type { Changes } from './change-set.ts';
import { type Folder, keptFolder, walkFolders } from './folder.ts';
import { findChangedLinks, findLinkStates, type LinkState } from './link-states.ts';
import type { Root } from './root.ts';
import { findRootPlace, type RootPlace } from './root.ts';
import { type Fence, findStamp } from './safe-read.ts';
import { scanRoot } from './scan-root.ts';
import type { SkillText } from './skill-file.ts';

export interface ScannedRoot {
  readonly root: Root;
  readonly place: RootPlace;
  /** Tells a root from another folder that was put in its place. */
  readonly inode: number | undefined;
  readonly folder: Folder | undefined;
}

export interface ScannerOptions {
  readonly roots: readonly Root[];
  /** Real paths. */
  readonly allowLinks: Fence;
  readonly now: () => Date;
}

interface RootScan {
  readonly changes: Changes;
  readonly watch: ((folder: Folder) => void) | undefined;
  readonly isFirstLook: boolean;
  readonly isPreviousUnproven: boolean;
  readonly fence: Fence;
  readonly again: Map<string, number>;
}

interface ScanOptions {
  readonly watch?: ((folder: Folder) => void) | undefined;
  readonly isFirstLook?: boolean;
  /** What was read before may be half written, too. */
  readonly isPreviousUnproven?: boolean;
}

/** The process answers between two pieces of this length. */
const SLICE_MS = 10;
const FOLDERS_PER_LOOK = 16;

export class RootScanner {
  readonly #options: ScannerOptions;
  readonly #heldBackSince = new Map<string, number>();
  #roots: readonly ScannedRoot[] = [];
  #links: readonly LinkState[] | undefined;
  #yaml: Promise<FrontmatterReader> | undefined;

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  get roots(): readonly ScannedRoot[] {
    return this.#roots;
  }

  /** Paths of the roots that are missing now and were not, are there now and were not, or were replaced. */
  findMovedRoots(): string[] {
    const moved = this.#roots.filter(({ root, place, inode }) => {
      const now = findRootPlace(root, this.#options.allowLinks);
      if (now.state !== place.state) return true;
      return now.state === 'found' && findStamp(now.real)?.ino !== inode;
    });
    return moved.map(({ root }) => root.path);
  }

  /** Folders with a link that no longer leads to what was read through it: no watcher tells of that. */
  findChangedLinks(): readonly string[] {
    this.#links ??= findLinkStates(this.#roots.flatMap(({ folder }) => folder ?? []));
    return findChangedLinks(this.#links);
  }

  /** Folders whose SKILL.md was written so shortly before it was read that its writer may not have been done. */
  findYoungSkills(): readonly string[] {
    const young: string[] = [];
    for (const { folder } of this.#roots) {
      if (folder) walkFolders(folder, ({ path, skill }) => skill?.text && !skill.stamp && young.push(path));
    }
    return young;
  }

  /** Of these folders, those that have no text yet, or one that looks as if its writer had not been done. */
  findUnfinished(paths: Iterable<string>): readonly string[] {
    const unfinished = new Set(paths);
    for (const { folder } of this.#roots) {
      if (folder) walkFolders(folder, ({ path, skill }) => looksWhole(skill?.text) && unfinished.delete(path));
    }
    return [...unfinished];
  }

  /**
   * Answers which folders to look at again, after how many milliseconds.
   * `watch` is given when somebody watches: then a text that looks unfinished is held back for a moment (F8).
   */
  async scan(
    changes: Changes,
    { watch, isFirstLook = false, isPreviousUnproven = false }: ScanOptions = {},
  ): Promise<ReadonlyMap<string, number>> {
    const { roots, allowLinks } = this.#options;
    const places = roots.map((root) => ({ root, place: findRootPlace(root, allowLinks) }));
    const fence = [...places.flatMap(({ place }) => (place.state === 'found' ? [place.real] : [])), ...allowLinks];
    const scanned: ScannedRoot[] = [];
    const again = new Map<string, number>();
    for (const { root, place } of places) {
      const before = this.#roots.find((known) => known.root === root);
      const folder = await this.#scanRoot(root, place, before, {
        changes,
        watch,
        isFirstLook,
        isPreviousUnproven,
        fence,
        again,
      });
      const inode = place.state === 'found' ? findStamp(place.real)?.ino : undefined;
      scanned.push({ root, place, inode, folder });
    }
    this.#roots = scanned;
    this.#links = undefined;
    this.#rememberHeldBack(again, changes);
    return again;
  }

  async #scanRoot(
    root: Root,
    place: RootPlace,
    before: ScannedRoot | undefined,
    scan: RootScan,
  ): Promise<Folder | undefined> {
    // What was good stays while the root may not be looked at (D8); a root that is gone takes its skills along.
    if (place.state === 'unreadable') return before?.folder && keptFolder(before.folder);
    if (place.state !== 'found') return undefined;
    const previous = before?.folder;
    const isDue = previous?.unreadable || scan.changes.isTouched(root.path);
    if (previous?.real === place.real && !isDue) return previous;
    const { folder, unsettled } = await scanRoot({
      root: { path: root.path, real: place.real, only: root.only },
      fence: scan.fence,
      allowLinks: this.#options.allowLinks,
      previous: previous?.real === place.real ? previous : undefined,
      changes: scan.changes,
      isFirstLook: scan.isFirstLook,
      isPreviousUnproven: scan.isPreviousUnproven,
      slice: createTimeSlice(SLICE_MS, FOLDERS_PER_LOOK),
      now: this.#options.now,
      beforeListing: (listed) => scan.watch?.(listed),
      openYaml: () => {
        this.#yaml ??= openYamlReader().catch((error: unknown) => {
          this.#yaml = undefined;
          throw error;
        });
        return this.#yaml;
      },
      heldBackMs: scan.watch && ((path) => monotonicMs() - (this.#heldBackSince.get(path) ?? monotonicMs())),
    });
    for (const [path, wait] of unsettled) scan.again.set(path, wait);
    return folder;
  }

  #rememberHeldBack(again: ReadonlyMap<string, number>, changes: Changes): void {
    for (const path of this.#heldBackSince.keys()) {
      if (changes.isTouched(path) && !again.has(path)) this.#heldBackSince.delete(path);
    }
    for (const path of again.keys()) if (!this.#heldBackSince.has(path)) this.#heldBackSince.set(path, monotonicMs());
  }
}

const looksWhole = (text: SkillText | undefined): boolean =>
  text?.document !== undefined && text.bytes[text.bytes.length - 1] === 0x0a;
