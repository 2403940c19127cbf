// Decides when to look at the disk again: on a watcher's word, after a pause for writers, and regularly in any case (D6).
import { monotonicMs } from '../../async/monotonic-clock.ts';
import { nextTurn } from '../../async/next-turn.ts';
import { createTurns } from '../../async/turns.ts';
import { ChangeSet, type Changes, everythingMayHaveChanged } from '../scan/change-set.ts';
import type { Folder } from '../scan/folder.ts';
import type { RootScanner } from '../scan/root-scanner.ts';
import { COARSE_MS, changedMs, type FileStamp, findStamp, sameStamp } from '../scan/safe-read.ts';
import { type WatcherEvents, Watchers } from './watchers.ts';

export interface FreshnessOptions {
  readonly rescanMs: number;
  readonly scanner: Pick<RootScanner, 'scan' | 'findUnwatchedChanges' | 'folderPaths'>;
  /** After each scan; the next one waits for it. */
  readonly onScanned: () => Promise<void>;
  /** Between scans, with the path of every folder that is known now: what belongs to others can be forgotten. */
  readonly onTidy: (paths: ReadonlySet<string>) => void;
  readonly onError: (error: unknown) => void;
  /** What it takes from the machine: the clock that never goes back, and watchers. */
  readonly machine?: Partial<Machine>;
}

interface Machine {
  readonly monotonicMs: () => number;
  readonly openWatchers: (events: WatcherEvents) => Pick<Watchers, 'isExhausted' | 'watch' | 'keepOnly' | 'close'>;
}

const REAL_MACHINE: Machine = { monotonicMs, openWatchers: (events) => new Watchers(events) };

/** Watches a folder from now on. Answers its stamp, of a moment after that. */
export type Watch = (folder: Pick<Folder, 'path' | 'real'>) => FileStamp | undefined;

interface WatchedChanges {
  readonly changes: Changes;
  readonly watch: Watch;
}

/** Writers are given this long to finish, just over what hold-back.ts asks for; then it is looked at, even if writing goes on. */
const DEBOUNCE_MS = 31;
const LONGEST_DEBOUNCE_MS = 100;
/** Looks that are due within this long of each other are one. */
const AGAIN_STEP_MS = 10;
/** How often roots are looked for that were missing, removed or put in another's place, and broken links repaired. */
const ROOTS_MS = 1_000;
/** Where watching is impossible; longer when a scan takes long, so that looking never costs more than a tenth. */
const POLL_MS = 2_000;

export class Freshness {
  readonly #options: FreshnessOptions;
  readonly #changes = new ChangeSet();
  readonly #machine: Machine;
  readonly #watchers: ReturnType<Machine['openWatchers']>;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** After the look that is going on: the folders which it has begun to watch are known when it has ended. */
  readonly #inTurn = createTurns();
  #debounce: { readonly timer: NodeJS.Timeout; readonly since: number } | undefined;
  #isLive = false;
  #isClosed = false;
  #isUntidy = false;
  #updateMs = 0;

  constructor(options: FreshnessOptions) {
    this.#options = options;
    this.#machine = { ...REAL_MACHINE, ...options.machine };
    this.#watchers = this.#machine.openWatchers({
      onEvent: (folder, name) => {
        this.#changes.add(folder, name);
        this.#schedule(DEBOUNCE_MS);
      },
      onExhausted: () =>
        this.#repeat(
          () => Math.max(POLL_MS, this.#updateMs * 10),
          () => this.lookEverywhere(),
        ),
    });
  }

  get mode(): 'watched' | 'polled' | 'off' {
    if (!this.#isLive) return 'off';
    return this.#watchers.isExhausted ? 'polled' : 'watched';
  }

  /** Watchers first, then whatever changed since the first scan began, then the regular looks. */
  async start(scanStartedAt: number): Promise<void> {
    this.#isLive = true;
    // Also when it fails, for then they are all there is.
    const { changes, watch } = this.#changedSince(scanStartedAt);
    await this.#update(() => changes, watch).finally(() => this.#lookRegularly());
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** What watches a folder, once folders are watched. */
  get watch(): Watch | undefined {
    return this.#isLive ? (folder) => this.#watchers.watch(folder) : undefined;
  }

  /**
   * The same in one with a look that goes into every folder anyway: each is watched right before. `look` answers which folders to
   * look at again, after how many milliseconds.
   */
  async startWith(
    scanStartedAt: number,
    look: (changes: Changes, watch: Watch) => Promise<ReadonlyMap<string, number>>,
  ): Promise<void> {
    const isFirst = !this.#isLive;
    this.#isLive = true;
    const { changes, watch } = this.#changedSince(scanStartedAt);
    const looked = this.#inTurn(async () => {
      const again = await look(changes, watch);
      this.#isUntidy = true;
      this.#lookAgain(again);
    });
    await looked.finally(() => isFirst && this.#lookRegularly());
  }

  lookEverywhere(): Promise<void> {
    return this.#update(() => everythingMayHaveChanged);
  }

  /** Looks at one folder now, without waiting for a watcher. */
  lookAt(folder: string): Promise<void> {
    this.#changes.addFolder(folder);
    return this.#update(() => this.#takeChanges());
  }

  close(): void {
    this.#isClosed = true;
    this.#watchers.close();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #lookRegularly(): void {
    this.#repeat(
      () => this.#options.rescanMs,
      () => this.lookEverywhere(),
    );
    this.#repeat(
      () => ROOTS_MS,
      () => this.#lookForRoots(),
    );
  }

  /** Watches every folder, and calls those dirty that show a change since then, or that were not looked into yet. */
  #changedSince(startedAt: number): WatchedChanges {
    const isNew = (ms: number): boolean => ms > startedAt - COARSE_MS;
    // Needed up to four times, one after the other: a start looks at thousands of folders. Of this look alone.
    let last: { readonly path: string; readonly real: string; readonly stamp: FileStamp | undefined } | undefined;
    const isLast = ({ path, real }: Pick<Folder, 'path' | 'real'>) => last?.path === path && last.real === real;
    const changes: Changes = {
      ...everythingMayHaveChanged,
      isDirty: (folder) => {
        const stamp = this.#watchers.watch(folder);
        last = { path: folder.path, real: folder.real, stamp };
        if (folder.unsorted !== undefined) return true;
        return stamp === undefined || isNew(stamp.mtimeMs) || hasNewSkillFile(folder);
      },
      // Moved here as it was: what it holds shows no change.
      isReplaced: (path) => {
        const stamp = isLast({ path, real: path }) ? last?.stamp : findStamp(path);
        return stamp !== undefined && isNew(stamp.ctimeMs) && !isNew(stamp.mtimeMs);
      },
      isOutdated: (folder) => {
        const stamp = isLast(folder) ? last?.stamp : undefined;
        return stamp === undefined || isNew(changedMs(stamp)) || hasNewSkillFile(folder);
      },
    };
    const watch: Watch = (folder) => {
      const stamp = isLast(folder) ? last?.stamp : this.#watchers.watch(folder);
      last = undefined;
      return stamp;
    };
    return { changes, watch };
  }

  /** Between changes, not with each: it takes a walk through everything. */
  #tidy(): void {
    if (!this.#isUntidy) return;
    this.#isUntidy = false;
    const paths = this.#options.scanner.folderPaths();
    this.#watchers.keepOnly(paths);
    this.#options.onTidy(paths);
  }

  async #lookForRoots(): Promise<void> {
    await this.#inTurn(() => this.#tidy());
    const changed = this.#options.scanner.findUnwatchedChanges();
    for (const path of changed) this.#changes.add(path, undefined);
    if (changed.length > 0) await this.#update(() => this.#takeChanges());
  }

  #schedule(delay: number): void {
    const now = this.#machine.monotonicMs();
    const since = this.#debounce?.since ?? now;
    if (this.#debounce) this.#cancel(this.#debounce.timer);
    const wait = Math.max(0, Math.min(delay, since + LONGEST_DEBOUNCE_MS - now));
    const timer = this.#after(wait, async () => {
      this.#debounce = undefined;
      await this.#update(() => this.#takeChanges());
    });
    this.#debounce = { timer, since };
  }

  /** All that is due at about the same time is one look, however many folders that are. */
  #lookAgain(again: ReadonlyMap<string, number>): void {
    const byWait = new Map<number, string[]>();
    for (const [path, wait] of again) {
      const rounded = Math.ceil(wait / AGAIN_STEP_MS) * AGAIN_STEP_MS;
      const paths = byWait.get(rounded);
      if (paths) paths.push(path);
      else byWait.set(rounded, [path]);
    }
    for (const [wait, paths] of byWait) {
      this.#after(wait, () => {
        for (const path of paths) this.#changes.addFolder(path);
        return this.#update(() => this.#takeChanges());
      });
    }
  }

  #takeChanges(): Changes | undefined {
    return this.#changes.isEmpty ? undefined : this.#changes.take();
  }

  /** One at a time; what happens meanwhile is gathered for the next. Other work has its turn between two of them. */
  #update(takeChanges: () => Changes | undefined, watch = this.watch): Promise<void> {
    return this.#inTurn(async () => {
      await nextTurn();
      const changes = this.#isClosed ? undefined : takeChanges();
      if (changes === undefined) return;
      const startedAt = this.#machine.monotonicMs();
      const again = await this.#options.scanner.scan(changes, { watch });
      await this.#options.onScanned();
      this.#isUntidy = true;
      this.#updateMs = this.#machine.monotonicMs() - startedAt;
      this.#lookAgain(again);
    });
  }

  #repeat(milliseconds: () => number, look: () => Promise<void>): void {
    this.#after(milliseconds(), async () => {
      // A look that failed must not be the last one.
      await look().finally(() => this.#repeat(milliseconds, look));
    });
  }

  #after(milliseconds: number, act: () => Promise<void>): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act().catch(this.#options.onError);
    }, milliseconds);
    // A program that has nothing else to do may end.
    timer.unref();
    if (this.#isClosed) clearTimeout(timer);
    else this.#timers.add(timer);
    return timer;
  }

  #cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }
}

/** Writing into a file leaves its folder's time alone. */
function hasNewSkillFile({ real, skillFileName, skill }: Folder): boolean {
  if (skillFileName === undefined) return false;
  const stamp = findStamp(`${real}/${skillFileName}`);
  return stamp === undefined || skill?.stamp === undefined || !sameStamp(stamp, skill.stamp);
}
