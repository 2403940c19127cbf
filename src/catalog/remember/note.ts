// What is kept of one root between two starts, and how it is written down and read: what a first look needs as one part, and the
// inside of each skill as a part of its own, which is read when it is asked for. Pure.
import type { Issue } from '../../document/issue.ts';
import type { SkillDocument } from '../../document/skill-document.ts';
import type { Memory, RememberedFacts, RememberedListing, RememberedRecord } from '../scan/memory.ts';
import type { Entry, FileStamp } from '../scan/safe-read.ts';

/** Raised whenever the rows below, or what they mean, change. */
const FORMAT = 3;

type StampRow = readonly [inode: number, size: number, mtimeMs: number, ctimeMs: number];
/** Paths are below the root. Rows, not objects: a thousand skills are read in three milliseconds. */
export type FolderRow = readonly [path: string, stamp: StampRow, entries: string, skill: SkillRow | null];
/** Where the inside of a skill is written: its folders, and behind them its files. */
type InsidePlace = readonly [start: number, foldersLength: number, filesLength: number, sum: number];
type OuterRow = readonly [...FolderRow, inside: InsidePlace | null];
type SkillRow = readonly [
  fileName: string,
  stamp: StampRow,
  name: string,
  description: string,
  frontmatter: unknown,
  repaired: 0 | 1,
  bodyOffset: number,
  issues: readonly Issue[],
  ruleIssues: readonly Issue[],
];
export type FileRow = readonly [
  path: string,
  size: number,
  digest: string,
  mimeType: string,
  isText: 0 | 1,
  changedMs: number,
  inode: number,
];

export const stampRow = ({ ino, size, mtimeMs, ctimeMs }: FileStamp): StampRow => [ino, size, mtimeMs, ctimeMs];

/** No name of a file holds a slash. */
export const entriesText = (files: readonly string[], folders: readonly string[]): string =>
  [...files.map((name) => `f${name}`), ...folders.map((name) => `d${name}`)].join('/');

interface NotedSkill {
  readonly fileName: string;
  readonly stamp: FileStamp;
  readonly document: SkillDocument;
  readonly issues: readonly Issue[];
  /** What the rules say of it in this folder. */
  readonly ruleIssues: readonly Issue[];
}

export function skillRow({ fileName, stamp, document, issues, ruleIssues }: NotedSkill): SkillRow {
  const { name, description, frontmatter, repaired, bodyOffset } = document;
  const facts = [name, description, frontmatter, repaired ? 1 : 0, bodyOffset] as const;
  return [fileName, stampRow(stamp), ...facts, issues, ruleIssues];
}

type SumOf = (bytes: Uint8Array, before?: number) => number;

/** What is written at a time. */
const PIECE_BYTES = 256 * 1024;

/** Writes a note down piece by piece, as folders are looked at: parents first. */
export class NoteEncoder {
  readonly #program: string;
  readonly #sumOf: SumOf;
  readonly #outer: Buffer[] = [];
  #rows: string[] = [];
  #current: { readonly row: FolderRow; readonly folders: FolderRow[]; readonly files: FileRow[] } | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = 0;

  /** `program`: who wrote it, exactly. */
  constructor(program: string, sumOf: SumOf) {
    this.#program = program;
    this.#sumOf = sumOf;
  }

  /** A folder that does not lie in a skill: what is added until the next one does lie in it, if it is one. */
  addOuter(row: FolderRow): void {
    this.#endSkill();
    this.#current = { row, folders: [], files: [] };
  }

  addInner(row: FolderRow): void {
    this.#current?.folders.push(row);
  }

  addFile(row: FileRow): void {
    this.#current?.files.push(row);
  }

  /** What can be written by now; nothing, while it is little. */
  *ready(): Generator<Buffer> {
    if (this.#waitingBytes >= PIECE_BYTES) yield* this.#takeWaiting();
  }

  /** The rest: then the note is whole. */
  *end(): Generator<Buffer> {
    this.#endSkill();
    yield* this.#takeWaiting();
    this.#packRows();
    let [length, sum] = [0, 0];
    for (const piece of this.#outer) {
      length += piece.length;
      sum = this.#sumOf(piece, sum);
      yield piece;
    }
    yield Buffer.from(`\n${JSON.stringify([FORMAT, this.#program, this.#written, length, sum])}`);
  }

  #endSkill(): void {
    if (this.#current === undefined) return;
    const { row, folders, files } = this.#current;
    const place = folders.length + files.length === 0 ? null : this.#addInside(folders, files);
    const outer: OuterRow = [...row, place];
    this.#rows.push(JSON.stringify(outer));
    if (this.#rows.length >= ROWS_PER_PIECE) this.#packRows();
    this.#current = undefined;
  }

  #addInside(folders: readonly FolderRow[], files: readonly FileRow[]): InsidePlace {
    const [first, second] = [Buffer.from(JSON.stringify(folders)), Buffer.from(JSON.stringify(files))];
    const place = [this.#written, first.length, second.length, this.#sumOf(second, this.#sumOf(first))] as const;
    this.#waiting.push(first, second);
    this.#written += first.length + second.length;
    this.#waitingBytes += first.length + second.length;
    return place;
  }

  #packRows(): void {
    if (this.#rows.length === 0) return;
    this.#outer.push(Buffer.from(`${this.#outer.length > 0 ? ',' : ''}${this.#rows.join(',')}`));
    this.#rows = [];
  }

  *#takeWaiting(): Generator<Buffer> {
    if (this.#waitingBytes > 0) yield Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

const ROWS_PER_PIECE = 256;

/** `undefined`: of another version or program, cut off, or not what was written. */
export function decodeNote(
  bytes: Buffer,
  { program, real, sumOf }: { readonly program: string; readonly real: string; readonly sumOf: SumOf },
): Memory | undefined {
  const tail = readTail(bytes, program);
  if (tail === undefined) return undefined;
  const outer = bytes.subarray(tail.start, tail.start + tail.length);
  if (sumOf(outer) !== tail.sum) return undefined;
  const rows = JSON.parse(`[${outer.toString('utf8')}]`) as readonly OuterRow[];
  const folders = new Map(rows.map((row) => [row[0], row]));
  const openInside = keepLast((row: OuterRow) => readInside(bytes.subarray(0, tail.start), row[4], sumOf));
  const below = (path: string): string | undefined => {
    if (path === real) return '';
    return path.startsWith(`${real}/`) ? path.slice(real.length + 1) : undefined;
  };
  /** Of the skill that a path lies in. */
  const insideAt = (path: string): Inside | undefined => {
    for (let at = parentOf(path); at !== undefined; at = parentOf(at)) {
      const row = folders.get(at);
      if (row?.[4]) return openInside(row);
    }
    return undefined;
  };
  const findFolder = (path: string | undefined): FolderRow | OuterRow | undefined =>
    path === undefined ? undefined : (folders.get(path) ?? findRow(insideAt(path)?.folders(), path));
  return {
    listing: (path) => listingOf(findFolder(below(path))),
    text: (path) => factsOf(findFolder(parentOf(below(path))), path),
    record: (path) => {
      const at = below(path);
      return at === undefined ? undefined : recordOf(findRow(insideAt(at)?.files(), at));
    },
    misses: 0,
  };
}

/** Of a path below the root; the root's own is empty, and has none. */
function parentOf(path: string | undefined): string | undefined {
  if (!path) return undefined;
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

interface Tail {
  readonly start: number;
  readonly length: number;
  readonly sum: number;
}

/** The path of the root is in it. */
const MOST_TAIL_BYTES = 32 * 1_024;

function readTail(bytes: Buffer, program: string): Tail | undefined {
  const begin = bytes.lastIndexOf('\n');
  if (begin < 0 || bytes.length - begin > MOST_TAIL_BYTES) return undefined;
  const tail = parseTail(bytes.toString('utf8', begin + 1));
  if (tail?.[0] !== FORMAT || tail[1] !== program) return undefined;
  const [, , start, length, sum] = tail;
  return start + length === begin ? { start, length, sum } : undefined;
}

type TailRow = readonly [format: number, program: string, start: number, length: number, sum: number];

function parseTail(text: string): TailRow | undefined {
  try {
    const tail: unknown = JSON.parse(text);
    return Array.isArray(tail) && tail.length === 5 ? (tail as unknown as TailRow) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Each part is read when it is asked for. */
interface Inside {
  readonly folders: () => readonly FolderRow[];
  readonly files: () => readonly FileRow[];
}

function readInside(bytes: Buffer, place: InsidePlace | null, sumOf: SumOf): Inside | undefined {
  if (place === null) return undefined;
  const [start, foldersLength, filesLength, sum] = place;
  const middle = start + foldersLength;
  const [folders, files] = [bytes.subarray(start, middle), bytes.subarray(middle, middle + filesLength)];
  if (sumOf(files, sumOf(folders)) !== sum) return undefined;
  return {
    folders: once(() => JSON.parse(folders.toString('utf8')) as readonly FolderRow[]),
    files: once(() => JSON.parse(files.toString('utf8')) as readonly FileRow[]),
  };
}

/** Skills have few of them, and are asked for all of them one after the other. */
const findRow = <T extends readonly [string, ...unknown[]]>(rows: readonly T[] | undefined, path: string) =>
  rows?.find((row) => row[0] === path);

/** What was made for the last one asked for. */
function keepLast<K, T>(make: (of: K) => T): (of: K) => T {
  let last: { readonly of: K; readonly value: T } | undefined;
  return (of) => {
    if (last?.of !== of) last = { of, value: make(of) };
    return last.value;
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const stampOf = ([ino, size, mtimeMs, ctimeMs]: StampRow): FileStamp => ({ ino, size, mtimeMs, ctimeMs });

const listingOf = (row: FolderRow | OuterRow | undefined): RememberedListing | undefined =>
  row && { stamp: stampOf(row[1]), entries: () => readEntries(row[2]) };

const readEntries = (text: string): Entry[] =>
  text === ''
    ? []
    : text.split('/').map((entry) => ({ name: entry.slice(1), kind: entry[0] === 'f' ? 'file' : 'folder' }));

function factsOf(row: FolderRow | OuterRow | undefined, path: string): RememberedFacts | undefined {
  const skill = row?.[3];
  if (!skill || !path.endsWith(`/${skill[0]}`)) return undefined;
  const [, stamp, name, description, frontmatter, repaired, bodyOffset, issues, ruleIssues] = skill;
  return {
    stamp: stampOf(stamp),
    document: () => ({
      name,
      description,
      frontmatter: withoutPrototypes(frontmatter) as SkillDocument['frontmatter'],
      repaired: repaired === 1,
      bodyOffset,
    }),
    issues,
    ruleIssues,
  };
}

/** As the reader of frontmatter makes them. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  const plain: Record<string, unknown> = Object.create(null);
  for (const [key, field] of Object.entries(value)) plain[key] = withoutPrototypes(field);
  return plain;
}

const recordOf = (row: FileRow | undefined): RememberedRecord | undefined =>
  row && {
    size: row[1],
    digest: row[2],
    mimeType: row[3],
    isText: row[4] === 1,
    changedMs: row[5],
    inode: row[6],
  };
