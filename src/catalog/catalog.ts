// What a catalog is: the skills of some roots, as they are now. live-catalog.ts makes one.
import type { Manifest } from '../document/manifest.ts';
import type { Result } from '../values/result.ts';
import type { NoteFiles } from './remember/note-files.ts';
import type { Root, RootLocation } from './scan/root.ts';
import type { CatalogChange } from './view/compare-snapshots.ts';
import type { FilePieces } from './view/file-records.ts';
import type { Skill } from './view/skill.ts';
import type { Snapshot } from './view/snapshot.ts';

export interface CatalogOptions {
  readonly roots: readonly Root[];
  /** Directories outside the roots that links may lead into. Absolute. */
  readonly allowLinks: readonly string[];
  /** Names of skills that are in no listing, search or lookup. */
  readonly without: readonly string[];
  /** False for commands that look once. */
  readonly watch: boolean;
  readonly rescanMs: number;
  readonly now: () => Date;
  /** One line per refresh that changed something. */
  readonly log: (line: string) => void;
  /** Roots behind all others, which change while the catalog is open. */
  readonly sources?: SourceRoots | undefined;
  /** What the last start learned, and where the next one finds it. Absent: nothing is remembered. */
  readonly notes?: NoteFiles | undefined;
  /** Called when folders are watched and files have digests, or that failed. */
  readonly onLive?: () => void;
}

/** The roots of what a lock names (S3): as they are now, the same values as long as nothing about them changed. */
export interface SourceRoots {
  current(): readonly Root[];
  /** Hears of other roots; answers the function that ends it. */
  subscribe(listener: () => void): () => void;
}

/**
 * One of the folders that a catalog looks into: whether it is there, how many skills it gives, how changes are noticed.
 *
 * @example
 * const missing = catalog.roots.filter(({ state }) => state === 'missing').map(({ root }) => root.label);
 */
export interface RootStatus {
  readonly root: Root;
  readonly state: RootLocation['state'];
  /** Skills served from this root. */
  readonly skills: number;
  readonly watching: 'watched' | 'polled' | 'off';
}

/**
 * The skills of some folders, kept fresh until `close()`. `openCatalog` makes one.
 *
 * @example
 * const names = catalog.current.skills.map((skill) => skill.name);
 * const stop = catalog.subscribe(({ added }) => console.log('new:', added));
 */
export interface Catalog {
  readonly current: Snapshot;
  /** False until folders inside skills have been searched, too; see `openCatalogEarly`. */
  readonly isWhole: boolean;
  /** Resolves when `current` holds every skill. */
  whole(): Promise<void>;
  readonly roots: readonly RootStatus[];
  /**
   * Every regular file of the skill's folder with digest and size, of the same state as the skill. Asked for the first time
   * it reads them all, now: not for a list of skills. What nested skills serve instead: see the repertoire's.
   */
  manifestOf(skill: Skill): Manifest;
  /** Reads the files of every skill, so that `problems` tells about too many and too large ones, too. */
  loadManifests(): Promise<void>;
  /** One file of the skill, by a path of the manifest; the failure says why in half a sentence. */
  readFile(skill: Skill, path: string): Promise<Result<Buffer, string>>;
  /** The same file in pieces, while it rests on disk as the manifest has it. `undefined`: `readFile` knows more. */
  openFile(skill: Skill, path: string): FilePieces | undefined;
  /** Whether the file, by a path of the manifest, is a program. */
  isExecutable(skill: Skill, path: string): boolean;
  subscribe(listener: (change: CatalogChange) => void): () => void;
  /**
   * Hears of every new snapshot, also of one in which nothing has changed that is served to those who see everything. Absent where
   * there are only changes to hear of.
   */
  subscribeSwaps?(listener: (swap: Pick<CatalogChange, 'snapshot' | 'before'>) => void): () => void;
  /** Looks at the whole disk now, without waiting for a watcher. */
  refresh(): Promise<Snapshot>;
  close(): void;
}
