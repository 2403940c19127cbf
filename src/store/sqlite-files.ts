// The files of the embedded store while they are open: whether the ones at the path are still those. SQLite goes on writing
// into files that were deleted, and takes what lies beside another database for that one's.
import { realpathSync, rmSync, statSync } from 'node:fs';
import { codeOf } from '../values/error-code.ts';

/** Of a file, for as long as it is open: its number is not given to another one. */
export interface Mark {
  readonly device: number;
  readonly inode: number;
}

/** The database, and what SQLite keeps beside it: the log of the last commits and the index of that log. */
export interface OpenedFiles {
  readonly paths: Paths;
  readonly marks: Readonly<Record<Part, Mark | undefined>>;
}

type Part = 'main' | 'log' | 'index';
type Paths = Readonly<Record<Part, string>>;

/** After the first read: by then all three are there. `expected`: the database, from before it was opened. */
export function markFiles(path: string, expected: Mark | undefined): OpenedFiles {
  // SQLite follows links first, and names the others after what it finds.
  const real = realpathSync(path);
  const paths = { main: path, log: `${real}-wal`, index: `${real}-shm` };
  return { paths, marks: { main: expected, log: findMark(paths.log), index: findMark(paths.index) } };
}

export interface Surprise {
  readonly kind: 'deleted' | 'replaced' | 'beside';
  /** What a call is refused with. */
  readonly refusal: string;
  /** What the operator is told, once. */
  readonly notice: string;
}

/** Undefined: everything is as it was opened. Three looks at the disk, without opening anything. */
export function findSurprise(files: OpenedFiles): Surprise | undefined {
  try {
    return compare(files);
  } catch (error) {
    // The folder may not be searched any more, or its disk hangs: nothing says that the files are others.
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function compare({ paths, marks }: OpenedFiles): Surprise | undefined {
  const main = findMark(paths.main);
  if (!isSame(main, marks.main)) return main === undefined ? DELETED : REPLACED;
  if (marks.log !== undefined && !isSame(findMark(paths.log), marks.log)) return besideOf('repertoire.db-wal');
  if (marks.index !== undefined && !isSame(findMark(paths.index), marks.index)) return besideOf('repertoire.db-shm');
  return undefined;
}

/** Another process has put a log of its own there: what is in ours must not get into the database any more. */
export function hasForeignLog({ paths, marks }: OpenedFiles): boolean {
  const log = findMark(paths.log);
  return log !== undefined && !isSame(log, marks.log);
}

/** Beside another database they would be taken for its own. */
export function removeOwnFilesBeside({ paths, marks }: OpenedFiles): void {
  for (const part of ['log', 'index'] as const) {
    if (marks[part] !== undefined && isSame(findMark(paths[part]), marks[part])) rmSync(paths[part], { force: true });
  }
}

const DELETED: Surprise = {
  kind: 'deleted',
  refusal: 'Cannot use the log: repertoire.db was deleted while it was in use; a new one is made, try again',
  notice:
    'repertoire.db was deleted while it was in use: the log, agents, users and tasks in it are gone, and a new one is made; to get them back, stop the server and put a copy of the file there',
};

const REPLACED: Surprise = {
  kind: 'replaced',
  refusal: 'Cannot use the log: repertoire.db was replaced while it was in use; the new file is opened, try again',
  notice:
    'repertoire.db was replaced while it was in use: the new file is used as it is, without what was recorded in the old one',
};

const besideOf = (name: string): Surprise => ({
  kind: 'beside',
  refusal: `Cannot use the log: ${name} was deleted or replaced while it was in use; stop every process that uses the data directory if this stays`,
  notice: `${name} was deleted or replaced while it was in use: the log is opened again; leave the files beside repertoire.db alone while a server runs`,
});

/** Undefined: there is none, also where its folder is a file. */
export function findMark(path: string): Mark | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && { device: stats.dev, inode: stats.ino };
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw error;
    return undefined;
  }
}

const isSame = (one: Mark | undefined, other: Mark | undefined): boolean =>
  one?.inode === other?.inode && one?.device === other?.device;
