// What the surfaces need of a store to record which document skills were read by whom (D9). Implemented in store/.
import type { Caller } from '../identity/caller.ts';
import type { Result } from '../values/result.ts';

export interface Load {
  readonly skillName: string;
  /** Of its SKILL.md, or of the file at `path`: `sha256:…`. */
  readonly digest: string;
  readonly client: string;
  /** One of `LoadSurface`, unless another version wrote it. */
  readonly surface: string;
  /** Of another file of the skill, below its folder: then this is no load, and is neither listed nor counted as one. */
  readonly path?: string;
  readonly loadedAt: Date;
}

/**
 * A load as a surface tells of it; what costs time is found out behind the answer.
 *
 * @example
 * const note: LoadNote = { skillName: 'sql-review', text: '# SQL review', client: 'my-app', surface: 'api' };
 * repertoire.noteLoad(note);
 */
export interface LoadNote {
  readonly skillName: string;
  /** Its SKILL.md as it was given out. */
  readonly text: Buffer | string;
  readonly client: string;
  readonly surface: LoadSurface;
  /** Who proved to be reading; absent where no proof is asked for. */
  readonly caller?: Caller | undefined;
}

/**
 * Another file of a document skill than its SKILL.md, as a surface tells of it. It is no load.
 *
 * @example
 * const digest = `sha256:${'0'.repeat(64)}`;
 * const fileNote: FileNote = { skillName: 'sql-review', path: 'joins.md', digest, client: 'my-app', surface: 'api' };
 * repertoire.noteFile(fileNote);
 */
export interface FileNote {
  readonly skillName: string;
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  /** Of the file: `sha256:…`. */
  readonly digest: string;
  readonly client: string;
  readonly surface: FileSurface;
  /** Who proved to be reading; absent where no proof is asked for. */
  readonly caller?: Caller | undefined;
}

/**
 * Hears of every other file of a document skill that a surface gives out. It must not throw and is not waited for.
 *
 * @example
 * const noteFile: NoteFile = ({ skillName, path, client }) => console.log(`${client} read ${path} of ${skillName}`);
 * const watchedFiles = createRepertoire(catalog, { noteFile });
 */
export type NoteFile = (note: FileNote) => void;

/**
 * Hears of every document skill whose SKILL.md a surface gives out. It must not throw and is not waited for.
 *
 * @example
 * const noteLoad: NoteLoad = ({ skillName, client }) => console.log(`${client} read ${skillName}`);
 * const watched = createRepertoire(catalog, { noteLoad });
 */
export type NoteLoad = (note: LoadNote) => void;

type LoadSurface = 'skill' | 'get_skill' | 'read_skill_file' | 'resources/read' | 'prompt' | 'api';

type FileSurface = 'read_skill_file' | 'resources/read' | 'api';

export interface LoadLog {
  /**
   * Resolves when they are durable, with how many of them the store refused for good. Fails with the reason when the store
   * is away: then none of them is written, and they may be recorded again.
   */
  record(loads: readonly Load[]): Promise<Result<number, Error>>;
  list(query: LoadQuery): Promise<LoadPage>;
  /** How often each skill was read since then. */
  counts(since: Date): Promise<ReadonlyMap<string, number>>;
}

/** Keeps loads until they are in the log: a host may kill its server right after an answer (U7). */
export interface LoadJournal {
  /** On the disk within a moment. Never throws, and is not waited for. */
  readonly add: (load: Load) => void;
  /** These are in the log, or lost for good. */
  readonly settle: (loads: readonly Load[]) => void;
  /**
   * Hands over what other processes left behind, each load once and all of a process together; they are in this journal by
   * then. Those that `hand` does not take (false) stay for another time.
   */
  takeUp(hand: (loads: readonly Load[]) => boolean): Promise<void>;
  /** What is not settled stays for another process. Answers how many those are. */
  close(): Promise<number>;
}

export interface LoadQuery {
  readonly skill?: string;
  /** Of no other than these. */
  readonly documents?: readonly string[];
  /** None of these texts. */
  readonly notDigests?: readonly string[];
  readonly client?: string;
  readonly since?: Date;
  readonly cursor?: string;
  readonly limit: number;
}

export interface LoadPage {
  readonly loads: readonly Load[];
  readonly nextCursor: string | undefined;
}
