// Scans all roots, keeps their trees between scans, and remembers which changes are held back because a writer is still at it.
import { keptPromise } from '../../async/kept-promise.ts';
import { monotonicMs } from '../../async/monotonic-clock.ts';
import { createTimeSlice } from '../../async/time-slice.ts';
import { openYamlReader } from '../../document/frontmatter.ts';
import { createByteArena } from './byte-arena.ts';
import type { Changes } from './change-set.ts';
import { type Folder, keptFolder, walkFolders } from './folder.ts';
import { findChangedLinks, findLinkStates, type LinkState } from './links.ts';
import type { Memory } from './memory.ts';
import { RememberedText } from './remembered-text.ts';
import { locateRoot, type Root, type RootLocation } from './root.ts';
import { type Fence, type FileStamp, listFolder } from './safe-read.ts';
import { type ScanJob, scanRoot } from './scan-root.ts';
import type { SkillText } from './skill-file.ts';

export interface ScannedRoot {
  readonly root: Root;
  readonly location: RootLocation;
  readonly folder: Folder | undefined;
}

export interface ScannerOptions {
  /** Asked for each scan: the same values as long as nothing about them changed. */
  readonly roots: () => readonly Root[];
  /** Real paths. */
  readonly allowLinks: Fence;
  /** A text that looks unfinished is held back for a moment (F8). Not at a first look: what there is, is answered. */
  readonly holdsBack: boolean;
  readonly now: () => Date;
  /** What an earlier process learned of the root, which lies at this real path. */
  readonly recall?: ((root: Root, real: string) => Memory | undefined) | undefined;
}

export interface ScanOptions {
  /** Called with each folder before it is listed. Answers its stamp, where it was asked for. */
  readonly watch?: ((folder: Folder) => FileStamp | undefined) | undefined;
  readonly isFirstLook?: boolean;
  /** What was read before may be half written, too. */
  readonly isPreviousUnproven?: boolean;
}

/** The process answers between two pieces of this length. */
const SLICE_MS = 10;
const FOLDERS_PER_LOOK = 16;

export class RootScanner {
  readonly #options: ScannerOptions;
  readonly #yaml = keptPromise(openYamlReader);
  readonly #heldBackSince = new Map<string, number>();
  #roots: readonly ScannedRoot[] = [];
  #links: readonly LinkState[] | undefined;
  /** What was remembered is believed until every text has been read. */
  #isRecalling = true;

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  get roots(): readonly ScannedRoot[] {
    return this.#roots;
  }

  /** Folders in which something changed that no watcher sees: roots that came, went or were replaced, links that lead elsewhere. */
  findUnwatchedChanges(): readonly string[] {
    const moved = this.#roots.filter(({ root, location, folder }) => {
      const now = locateRoot(root, this.#options.allowLinks);
      return isOtherwise(now, location) || (now.state === 'found' && (now.inode !== folder?.inode || isOpened(folder)));
    });
    this.#links ??= findLinkStates(this.#roots.flatMap(({ folder }) => folder ?? []));
    return [...moved.map(({ root }) => root.path), ...findChangedLinks(this.#links)];
  }

  /** Paths of all folders that are known now. */
  folderPaths(): ReadonlySet<string> {
    const paths = new Set<string>();
    this.#walk(({ path }) => paths.add(path));
    return paths;
  }

  /** Folders whose SKILL.md was written so shortly before it was read that its writer may not have been done. */
  findYoungSkills(): readonly string[] {
    const young: string[] = [];
    this.#walk(({ path, skill }) => skill?.text && !skill.stamp && young.push(path));
    return young;
  }

  /** Of these folders, those that have no text yet, or one that looks as if its writer had not been done. */
  findUnfinished(paths: Iterable<string>): readonly string[] {
    const unfinished = new Set(paths);
    if (unfinished.size === 0) return [];
    this.#walk(({ path, skill }) => unfinished.has(path) && looksWhole(skill?.text) && unfinished.delete(path));
    return [...unfinished];
  }

  /** Answers which folders to look at again, after how many milliseconds. */
  async scan(changes: Changes, options: ScanOptions = {}): Promise<ReadonlyMap<string, number>> {
    const { roots, allowLinks, holdsBack, now } = this.#options;
    const { watch = () => undefined, isFirstLook = false, isPreviousUnproven = false } = options;
    const located = roots().map((root) => ({ root, location: locateRoot(root, allowLinks) }));
    const reals = located.flatMap(({ location }) => (location.state === 'found' ? [location.real] : []));
    const again = new Map<string, number>();
    const job = {
      fence: [...reals, ...allowLinks],
      allowLinks,
      changes,
      isFirstLook,
      isPreviousUnproven,
      slice: createTimeSlice(SLICE_MS, FOLDERS_PER_LOOK),
      now,
      beforeListing: watch,
      openYaml: this.#yaml.get,
      heldBackSince: holdsBack && !isFirstLook ? this.#heldBackSince : undefined,
      again,
    };
    const recall: Recall = (root, real) => (this.#isRecalling ? this.#options.recall?.(root, real) : undefined);
    const scanned: ScannedRoot[] = [];
    for (const { root, location } of located) {
      const before = this.#roots.find((known) => known.root === root)?.folder;
      scanned.push({
        root,
        location,
        folder: await scanLocated(root, location, before, job, recall),
      });
    }
    this.#roots = scanned;
    this.#links = undefined;
    this.#rememberHeldBack(again, changes);
    return again;
  }

  /** Reads the texts that a start only remembered. Answers the folders of those that are not what they were. */
  async loadTexts(): Promise<readonly string[]> {
    this.#isRecalling = false;
    const slice = createTimeSlice(SLICE_MS, FOLDERS_PER_LOOK);
    const allocate = createByteArena();
    const remembered: { readonly path: string; readonly text: RememberedText }[] = [];
    this.#walk(({ path, skill }) => {
      if (skill?.text instanceof RememberedText) remembered.push({ path, text: skill.text });
    });
    const moved: string[] = [];
    for (const { path, text } of remembered) {
      if (!text.load(allocate)) moved.push(path);
      if (slice.isSpent()) await slice.rest();
    }
    return moved;
  }

  #rememberHeldBack(again: ReadonlyMap<string, number>, changes: Changes): void {
    for (const path of this.#heldBackSince.keys()) {
      if (changes.isTouched(path) && !again.has(path)) this.#heldBackSince.delete(path);
    }
    for (const path of again.keys()) if (!this.#heldBackSince.has(path)) this.#heldBackSince.set(path, monotonicMs());
  }

  #walk(visit: (folder: Folder) => void): void {
    for (const { folder } of this.#roots) if (folder) walkFolders(folder, visit);
  }
}

type Recall = (root: Root, real: string) => Memory | undefined;

async function scanLocated(
  root: Root,
  location: RootLocation,
  before: Folder | undefined,
  job: Omit<ScanJob, 'root' | 'previous' | 'memory'>,
  recall: Recall,
): Promise<Folder | undefined> {
  // What was good stays while the root may not be looked at (D8); a root that is gone takes its skills along.
  if (location.state === 'unreadable')
    return location.isFolder && before && !root.pinned ? keptFolder(before) : undefined;
  if (location.state !== 'found') return undefined;
  const { real, inode } = location;
  const previous = before?.real === real ? before : undefined;
  if (previous && !previous.unreadable && !job.changes.isTouched(root.path)) return previous;
  const memory = recall(root, real);
  const { path, only, pinned } = root;
  return await scanRoot({ ...job, memory, root: { path, real, inode, only, pinned }, previous });
}

const isOtherwise = (now: RootLocation, before: RootLocation): boolean =>
  now.state !== before.state || ('issue' in now && 'issue' in before && now.issue.message !== before.issue.message);

/** It could not be listed, and can be now: while it was closed, its watcher may have ended. */
const isOpened = ({ unreadable, real }: Folder): boolean => unreadable === true && listFolder(real).ok;

const looksWhole = (text: SkillText | undefined): boolean =>
  text?.document !== undefined && text.bytes[text.bytes.length - 1] === 0x0a;
