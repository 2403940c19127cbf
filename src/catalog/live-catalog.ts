// Holds the current snapshot; swaps in whole new ones, keeps the last good one.

import { createBoundedMap } from '../async/bounded-map.ts';
import { keptPromise } from '../async/kept-promise.ts';
import { monotonicMs } from '../async/monotonic-clock.ts';
import { sleep } from '../async/sleep.ts';
import { createTimeSlice } from '../async/time-slice.ts';
import type { Issue } from '../document/issue.ts';
import type { Manifest } from '../document/manifest.ts';
import { counted } from '../text/counted.ts';
import { messageOf } from '../values/error-text.ts';
import type { Result } from '../values/result.ts';
import type { Catalog, CatalogOptions, RootStatus } from './catalog.ts';
import { NoteKeeper } from './remember/note-keeper.ts';
import { ChangeSet, type Changes, everythingMayHaveChanged, firstLookWasBrief } from './scan/change-set.ts';
import { type Folder, walkFolders } from './scan/folder.ts';
import type { Memory } from './scan/memory.ts';
import { belowRoot, missingContent, type Pinned } from './scan/pinned.ts';
import { type Root, realOf } from './scan/root.ts';
import { RootScanner, type ScannedRoot } from './scan/root-scanner.ts';
import { isExecutableFile } from './scan/safe-read.ts';
import { type CatalogChange, compareSnapshots, type Swap } from './view/compare-snapshots.ts';
import { type FilePieces, type FileRecords, findPieces, manifestFrom, readFinishedFile } from './view/file-records.ts';
import { type FoundFolder, problemAt } from './view/found-folder.ts';
import { FoundFolders } from './view/found-folders.ts';
import type { Skill } from './view/skill.ts';
import { createSnapshot, type Snapshot } from './view/snapshot.ts';
import { Freshness, type Watch } from './watch/freshness.ts';

/** Ready when the first scan is done; watching and digests follow in the background. */
export async function openLiveCatalog(options: CatalogOptions): Promise<Catalog> {
  const catalog = await openCatalogEarly(options);
  await catalog.whole();
  return catalog;
}

/**
 * Ready when every skill is known that does not lie inside another one: enough to say what there is, at two thirds of
 * the time. To look a skill up, wait for `whole()`.
 */
export async function openCatalogEarly(options: CatalogOptions): Promise<Catalog> {
  const catalog = new LiveCatalog(options);
  await catalog.open();
  return catalog;
}

/** After the first answer: hosts ask for the tool list at once, and that must not wait for watchers and digests. */
const WHOLE_MS = 30;
const BACKGROUND_MS = 150;
const SLICE_MS = 10;
/** At the start: how long the writer of a skill that is no older than a blink is given at a time, and in all. */
const WRITERS_MS = 90;
const MAX_WRITERS_MS = 600;

const NONE_AGAIN: ReadonlyMap<string, number> = new Map();

/** Of all manifests that are kept: two of the longest. */
const MOST_KEPT_FILES = 8_192;

interface MadeManifest {
  /** What it was made of: another state has others. */
  readonly records: FileRecords;
  readonly folder: Folder | undefined;
  readonly manifest: Manifest;
}

interface Shown {
  readonly folders: readonly FoundFolder[];
  readonly there: readonly Root[];
}

const isSame = (a: readonly object[], b: readonly object[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);

class LiveCatalog implements Catalog {
  readonly #options: CatalogOptions;
  readonly #allowLinks: readonly string[];
  readonly #scanner: RootScanner;
  readonly #folders: FoundFolders;
  readonly #freshness: Freshness;
  readonly #notes: NoteKeeper | undefined;
  readonly #relevant = new WeakMap<Folder, readonly Folder[]>();
  readonly #listeners = new Set<(change: CatalogChange) => void>();
  readonly #swapListeners = new Set<(swap: Swap) => void>();
  /** A reader of a skill's files asks for it once per file; it is made once per state. */
  readonly #manifests = createBoundedMap<Skill, MadeManifest>({
    most: MOST_KEPT_FILES,
    weigh: ({ manifest }) => manifest.files.length,
  });
  #snapshot: Snapshot = createSnapshot([], []);
  /** What the snapshot was made of. */
  #shown: Shown | undefined;
  #isStarting = true;
  readonly #whole = keptPromise(() => this.#searchInsideSkills());
  #background: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #openedAt = 0;
  #roots: readonly Root[];
  #isWhole = false;
  #watchesAtOnce = false;
  #isClosed = false;

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#roots = [...options.roots, ...(options.sources?.current() ?? [])];
    this.#allowLinks = options.allowLinks.map(realOf);
    this.#notes =
      options.notes &&
      new NoteKeeper({
        files: options.notes,
        now: options.now,
        roots: () => this.#scanner.roots,
        recordsOf: (root, folder) => this.#folders.knownRecordsAt(root, folder),
        onError: (error) => options.log(`Cannot remember the skills: ${messageOf(error)}`),
      });
    this.#scanner = new RootScanner({
      roots: () => this.#roots,
      allowLinks: this.#allowLinks,
      // A look before the watchers are there must not take a half-written text either (F8).
      holdsBack: options.watch,
      now: options.now,
      recall: (root, real) => this.#notes?.recall(root, real),
    });
    this.#folders = new FoundFolders(this.#allowLinks, options.now, (root) => this.#memoryOf(root));
    this.#freshness = new Freshness({
      rescanMs: options.rescanMs,
      scanner: this.#scanner,
      onScanned: async () => {
        await this.#describeInSlices();
        this.#swap();
      },
      onTidy: (paths) => this.#folders.keepOnly(paths, new Set(this.#scanner.roots.map(({ root }) => root))),
      onError: (error) => options.log(`Cannot refresh the skills: ${messageOf(error)}`),
    });
  }

  async open(): Promise<void> {
    this.#openedAt = this.#options.now().getTime();
    await this.#scanner.scan(everythingMayHaveChanged, { isFirstLook: true });
    this.#snapshot = this.#createSnapshot();
    this.#later(WHOLE_MS, () => {
      // No request waits for it: watching begins with it, where it would go through all folders once more.
      this.#watchesAtOnce = this.#options.watch;
      return this.whole();
    });
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Starts at the first call; without one, by itself after a moment. */
  whole(): Promise<void> {
    return this.#whole.get();
  }

  get current(): Snapshot {
    return this.#snapshot;
  }

  get roots(): readonly RootStatus[] {
    return this.#scanner.roots.map(({ root, location, folder }) => ({
      root,
      // That it is there is known of a folder that may not be listed, too.
      state: folder?.unreadable ? 'unreadable' : location.state,
      skills: this.#snapshot.skills.filter((skill) => this.#folders.rootOf(skill) === root).length,
      watching: location.state === 'found' ? this.#freshness.mode : 'off',
    }));
  }

  manifestOf(skill: Skill): Manifest {
    const records = this.#folders.recordsOf(skill);
    const folder = this.#folders.folderOf(skill);
    const made = this.#manifests.get(skill);
    if (made?.records === records && made.folder === folder) return made.manifest;
    const manifest = manifestFrom(skill, records, folder);
    this.#manifests.set(skill, { records, folder, manifest });
    return manifest;
  }

  async loadManifests(): Promise<void> {
    const slice = createTimeSlice(SLICE_MS);
    for (const skill of this.#snapshot.skills) {
      if (this.#isClosed) return;
      this.#folders.recordsOf(skill);
      if (slice.isSpent()) await slice.rest();
    }
    this.#swap();
    // All that a start wants to know is known now.
    await this.#notes?.take();
  }

  readFile(skill: Skill, path: string): Promise<Result<Buffer, string>> {
    return readFinishedFile({
      findSkill: () => {
        const now = this.#currentOf(skill);
        return { skill: now, folder: this.#folders.folderOf(now), records: this.#folders.recordsOf(now) };
      },
      path,
      allowLinks: this.#allowLinks,
      now: this.#options.now,
      lookAt: (directory) => this.#freshness.lookAt(directory),
      isPinned: this.#folders.rootOf(this.#currentOf(skill))?.pinned !== undefined,
    });
  }

  openFile(skill: Skill, path: string): FilePieces | undefined {
    const current = this.#currentOf(skill);
    const [folder, records] = [this.#folders.folderOf(current), this.#folders.recordsOf(current)];
    const isPinned = this.#folders.rootOf(current)?.pinned !== undefined;
    return findPieces({ folder, records, path, allowLinks: this.#allowLinks, now: this.#options.now(), isPinned });
  }

  isExecutable(skill: Skill, path: string): boolean {
    const [folder, root] = [this.#folders.folderOf(skill), this.#folders.rootOf(skill)];
    if (folder === undefined || root === undefined) return false;
    if (root.pinned) return root.pinned.isExecutable(`${belowRoot(root, folder.path)}/${path}`);
    return isExecutableFile(`${folder.real}/${path}`);
  }

  /** As it is now. Another root may serve its address to those who see more (N4): its files are its own. */
  #currentOf(skill: Skill): Skill {
    const served = this.#snapshot.findByUri(skill.uri);
    return served && this.#folders.rootOf(served) === this.#folders.rootOf(skill) ? served : skill;
  }

  subscribe(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  subscribeSwaps(listener: (swap: Swap) => void): () => void {
    this.#swapListeners.add(listener);
    return () => this.#swapListeners.delete(listener);
  }

  async refresh(): Promise<Snapshot> {
    await this.whole();
    this.#isStarting = false;
    this.#shown = undefined;
    await this.#freshness.lookEverywhere();
    return this.#snapshot;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#background);
    this.#unsubscribe?.();
    this.#notes?.close();
    this.#freshness.close();
  }

  async #searchInsideSkills(): Promise<void> {
    clearTimeout(this.#background);
    if (this.#watchesAtOnce) {
      await this.#freshness.startWith(this.#openedAt, (changes, watch) => this.#lookInside(changes, watch));
    } else {
      await this.#lookInside(firstLookWasBrief);
    }
    if (this.#options.watch) this.#later(BACKGROUND_MS, () => this.#goLive());
  }

  /** Answers what was held back on the way: once folders are watched, nothing else looks at it again. */
  async #lookInside(changes: Changes, watch?: Watch): Promise<ReadonlyMap<string, number>> {
    const heldBack = await this.#scanner.scan(changes, { watch });
    const moved = await this.#scanner.loadTexts();
    const again = moved.length > 0 ? await this.#scanAgain(moved) : NONE_AGAIN;
    const all = new Map([...heldBack, ...again]);
    if (this.#options.watch) {
      const unfinished = [...this.#scanner.findYoungSkills(), ...this.#scanner.findUnfinished(all.keys())];
      for (const [path, wait] of await this.#waitForWriters(unfinished)) all.set(path, wait);
    }
    this.#isWhole = true;
    this.#swap({ endsStart: true });
    return all;
  }

  /** A text that was being written when it was first read is read again before it is served (F8). */
  async #waitForWriters(young: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const heldBack = new Map<string, number>();
    const deadline = monotonicMs() + MAX_WRITERS_MS;
    let unsettled = young;
    let waitMs = WRITERS_MS;
    while (unsettled.length > 0 && monotonicMs() < deadline) {
      await sleep(waitMs);
      const again = await this.#scanAgain(unsettled);
      for (const [path, wait] of again) heldBack.set(path, wait);
      // A skill with a text that looks whole is served that one meanwhile; waiting is for the others.
      unsettled = this.#scanner.findUnfinished(again.keys());
      waitMs = Math.min(WRITERS_MS, ...again.values());
    }
    return heldBack;
  }

  #scanAgain(folders: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const changes = new ChangeSet();
    for (const path of folders) changes.addFolder(path);
    return this.#scanner.scan(changes.take(), { isPreviousUnproven: true, watch: this.#freshness.watch });
  }

  #memoryOf(root: Root): Memory | undefined {
    const location = this.#scanner.roots.find((scanned) => scanned.root === root)?.location;
    return location?.state === 'found' ? this.#notes?.recall(root, location.real) : undefined;
  }

  async #goLive(): Promise<void> {
    try {
      if (!this.#freshness.isLive) await this.#freshness.start(this.#openedAt);
      this.#unsubscribe = this.#options.sources?.subscribe(() => this.#takeSources());
      this.#takeSources();
      await this.loadManifests();
    } finally {
      this.#isStarting = false;
      this.#shown = undefined;
      this.#options.onLive?.();
    }
  }

  /** A lock changed, or its content came: the roots behind the folders are others (S4). */
  #takeSources(): void {
    const roots = [...this.#options.roots, ...(this.#options.sources?.current() ?? [])];
    if (this.#isClosed || isSame(roots, this.#roots)) return;
    this.#roots = roots;
    this.#freshness.lookEverywhere().catch((error: Error) => {
      this.#options.log(`Cannot read the sources: ${error.message}`);
    });
  }

  #later(milliseconds: number, act: () => Promise<void>): void {
    if (this.#isClosed) return;
    this.#background = setTimeout(() => {
      act().catch((error: Error) => this.#options.log(`Cannot read the skills: ${error.message}`));
    }, milliseconds).unref();
  }

  /** Looks at the files of what changed, piece by piece; the swap then only puts values together. */
  async #describeInSlices(): Promise<void> {
    const slice = createTimeSlice(SLICE_MS, 8);
    for (const { root, folder } of this.#scanner.roots) {
      for (const each of folder ? this.#relevantFolders(folder) : []) {
        this.#folders.describe(root, each);
        if (slice.isSpent()) await slice.rest();
      }
    }
  }

  /**
   * The same one as long as every folder means what it meant, while a start is under way: it asks four times. Later each look
   * makes a new one, by which others see that there was a look.
   */
  #createSnapshot(): Snapshot {
    const folders = this.#scanner.roots.flatMap((scanned) => this.#describeRoot(scanned));
    const there = this.#scanner.roots.flatMap(({ root, location }) => (location.state === 'missing' ? [] : [root]));
    if (this.#shown && isSame(this.#shown.folders, folders) && isSame(this.#shown.there, there)) return this.#snapshot;
    if (this.#isStarting) this.#shown = { folders, there };
    return createSnapshot(folders, this.#options.without, there);
  }

  #describeRoot({ root, location, folder }: ScannedRoot): FoundFolder[] {
    const found: FoundFolder[] = [];
    const faults = 'issue' in location ? [{ path: '.', issue: location.issue }] : (root.pinned?.faults ?? []);
    if (faults.length > 0) found.push(faultyRoot(root, faults));
    if (location.state === 'missing' && root.pinned) found.push(faultyRoot(root, missingFolders(root.pinned)));
    for (const each of folder ? this.#relevantFolders(folder) : []) found.push(this.#folders.describe(root, each));
    return found;
  }

  /** A refresh asks twice, so that the walk through everything is made once for each state of a root. */
  #relevantFolders(top: Folder): readonly Folder[] {
    const known = this.#relevant.get(top) ?? relevantFolders(top);
    this.#relevant.set(top, known);
    return known;
  }

  /** Listeners hear of it after the swap: what they then read is the new state. */
  #swap({ endsStart } = { endsStart: false }): void {
    const before = this.#snapshot;
    const after = this.#createSnapshot();
    if (after === before) return;
    const change = compareSnapshots(before, after);
    if (this.#isClosed) return;
    // Also when no skill changed: a text without frontmatter, which is served by its folder's name, may have (T6).
    this.#snapshot = after;
    for (const listener of this.#swapListeners) listener({ before, snapshot: after });
    if (change === undefined) return;
    if (this.#isWhole) this.#notes?.takeLater();
    // That skills inside of others come last is how a start finds them, and no refresh (D6).
    if (!endsStart || !isAllInside(change)) this.#options.log(changeLine(change));
    for (const listener of this.#listeners) listener(change);
  }
}

/** Those that hold a skill, can be asked for by name, or have something to report. */
function relevantFolders(top: Folder): readonly Folder[] {
  const relevant: Folder[] = [];
  walkFolders(top, (folder) => {
    const matters = folder.depth === 1 || folder.skillFileName !== undefined || folder.issues.length > 0;
    if (matters) relevant.push(folder);
  });
  return relevant;
}

/** Of a directory that is not there: each skill is said to be missing, as people know it. */
const missingFolders = ({ folders }: Pinned): readonly Fault[] =>
  folders.map(({ relative }) => ({ path: relative, issue: missingContent }));

interface Fault {
  readonly path: string;
  readonly issue: Issue;
}

const faultyRoot = (root: Root, faults: readonly Fault[]): FoundFolder => ({
  name: '',
  relative: '',
  real: root.path,
  depth: 0,
  linked: false,
  searchable: false,
  awaited: false,
  root,
  skill: undefined,
  unnamed: undefined,
  text: undefined,
  failure: 'no-skill-file',
  problems: faults.map(({ path, issue }) => problemAt(root, path, issue)),
});

/** Nothing but skills in the folders of others is new. */
const isAllInside = ({ added, changed, removed, snapshot }: CatalogChange): boolean =>
  changed.length + removed.length === 0 && added.every((uri) => hasOuter(uri, snapshot));

function hasOuter(uri: string, { findByUri }: Snapshot): boolean {
  const folders = uri.split('/').slice(0, -1);
  // The first two are of `skill://`.
  return folders.some(
    (_folder, at) => at > 2 && findByUri([...folders.slice(0, at), 'SKILL.md'].join('/')) !== undefined,
  );
}

const changeLine = ({ added, changed, removed, snapshot }: CatalogChange): string =>
  `Refreshed: ${added.length} added, ${changed.length} changed, ${removed.length} removed; ` +
  `${counted(snapshot.skills.length, 'skill')}, ${counted(snapshot.problems.length, 'problem')}`;
