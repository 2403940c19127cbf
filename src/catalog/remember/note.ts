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
const PIECE_BYTES = 128 * 1024;
/** Some kilobytes: what is made of more at a time stays in memory for long. */
const ROWS_PER_PIECE = 64;

/** Writes a note down piece by piece, as folders are looked at: parents first. Each piece stands until the next is asked for. */
export class NoteEncoder {
  readonly #program: string;
  readonly #sumOf: SumOf;
  /** Of folders that do not lie in a skill, each as JSON. */
  readonly #rows: string[] = [];
  #current: { readonly row: FolderRow; readonly folders: FolderRow[]; readonly files: FileRow[] } | undefined;
  /** One piece of memory for all of it. */
  #bytes = Buffer.allocUnsafe(2 * PIECE_BYTES);
  #filled = 0;
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
    if (this.#filled >= PIECE_BYTES) yield this.#takeFilled();
  }

  /** The rest: then the note is whole. */
  *end(): Generator<Buffer> {
    this.#endSkill();
    yield this.#takeFilled();
    const start = this.#written;
    const lengths: number[] = [];
    let sum = 0;
    for (let at = 0; at < this.#rows.length; at += ROWS_PER_PIECE) {
      lengths.push(this.#append(`[${this.#rows.slice(at, at + ROWS_PER_PIECE).join(',')}]`));
      const piece = this.#takeFilled();
      sum = this.#sumOf(piece, sum);
      yield piece;
    }
    const tail: TailRow = [FORMAT, this.#program, start, lengths, sum];
    this.#append(`\n${JSON.stringify(tail)}`);
    yield this.#takeFilled();
  }

  #endSkill(): void {
    if (this.#current === undefined) return;
    const { row, folders, files } = this.#current;
    const place = folders.length + files.length === 0 ? null : this.#addInside(folders, files);
    const outer: OuterRow = [...row, place];
    this.#rows.push(JSON.stringify(outer));
    this.#current = undefined;
  }

  #addInside(folders: readonly FolderRow[], files: readonly FileRow[]): InsidePlace {
    const from = this.#filled;
    const start = this.#written + from;
    const [foldersLength, filesLength] = [this.#append(JSON.stringify(folders)), this.#append(JSON.stringify(files))];
    return [start, foldersLength, filesLength, this.#sumOf(this.#bytes.subarray(from, this.#filled))];
  }

  /** How many bytes it takes. */
  #append(text: string): number {
    const most = this.#filled + 3 * text.length;
    if (most > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes.subarray(0, this.#filled)], 2 * most);
    const length = this.#bytes.write(text, this.#filled);
    this.#filled += length;
    return length;
  }

  #takeFilled(): Buffer {
    const piece = this.#bytes.subarray(0, this.#filled);
    this.#written += this.#filled;
    this.#filled = 0;
    return piece;
  }
}

/** A note where it lies. */
export interface NoteBytes {
  readonly size: number;
  /** Until the next call. `undefined`: they cannot be read. */
  read(start: number, length: number): Buffer | undefined;
}

/** `undefined`: of another version or program, cut off, or not what was written. */
export function decodeNote(
  bytes: NoteBytes,
  { program, real, sumOf }: { readonly program: string; readonly real: string; readonly sumOf: SumOf },
): Memory | undefined {
  const tail = readTail(bytes, program);
  const folders = tail && readOuter(bytes, tail, sumOf);
  if (folders === undefined) return undefined;
  const below = (path: string): string | undefined => {
    if (path === real) return '';
    return path.startsWith(`${real}/`) ? path.slice(real.length + 1) : undefined;
  };
  /** The last one asked for: skills are asked for all that lies in them, one after the other. */
  let last: { readonly prefix: string; readonly inside: Inside | undefined } | undefined;
  /** Of the skill that a path lies in. */
  const insideAt = (path: string): Inside | undefined => {
    if (last && path.startsWith(last.prefix)) return last.inside;
    for (let at = parentOf(path); at !== undefined; at = parentOf(at)) {
      const place = folders.get(at)?.[4];
      if (!place) continue;
      last = { prefix: `${at}/`, inside: readInside(bytes, place, sumOf) };
      return last.inside;
    }
    return undefined;
  };
  const findFolder = (path: string | undefined): FolderRow | OuterRow | undefined => {
    if (path === undefined) return undefined;
    // What lies in a skill is none of the others.
    const isInside = last !== undefined && path.startsWith(last.prefix);
    return (isInside ? undefined : folders.get(path)) ?? findRow(insideAt(path)?.folders(), path);
  };
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
  readonly lengths: readonly number[];
  readonly sum: number;
}

type TailRow = readonly [format: number, program: string, start: number, lengths: readonly number[], sum: number];

/** The path of the root is in it, and a number for every piece. */
const MOST_TAIL_BYTES = 128 * 1_024;

function readTail(bytes: NoteBytes, program: string): Tail | undefined {
  const end = bytes.read(Math.max(0, bytes.size - MOST_TAIL_BYTES), Math.min(bytes.size, MOST_TAIL_BYTES));
  const line = end?.lastIndexOf('\n') ?? -1;
  const row = end && line >= 0 ? parseTail(end.toString('utf8', line + 1)) : undefined;
  if (end === undefined || row?.[0] !== FORMAT || row[1] !== program) return undefined;
  const [, , start, lengths, sum] = row;
  const whole = start + lengths.reduce((all, length) => all + length, 0) + end.length - line;
  return whole === bytes.size ? { start, lengths, sum } : undefined;
}

function parseTail(text: string): TailRow | undefined {
  try {
    const row: unknown = JSON.parse(text);
    const isTail = Array.isArray(row) && row.length === 5 && Array.isArray(row[3]);
    return isTail ? (row as unknown as TailRow) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** By path. What was read is believed when all of it is as it was written. */
function readOuter(bytes: NoteBytes, tail: Tail, sumOf: SumOf): ReadonlyMap<string, OuterRow> | undefined {
  const texts: string[] = [];
  let at = tail.start;
  let sum = 0;
  for (const length of tail.lengths) {
    const piece = bytes.read(at, length);
    if (piece === undefined) return undefined;
    sum = sumOf(piece, sum);
    texts.push(piece.toString('utf8'));
    at += length;
  }
  if (sum !== tail.sum) return undefined;
  const folders = new Map<string, OuterRow>();
  for (const text of texts) for (const row of JSON.parse(text) as readonly OuterRow[]) folders.set(row[0], row);
  return folders;
}

/** Each part is read when it is asked for. */
interface Inside {
  readonly folders: () => readonly FolderRow[];
  readonly files: () => readonly FileRow[];
}

function readInside(bytes: NoteBytes, place: InsidePlace, sumOf: SumOf): Inside | undefined {
  const [start, foldersLength, filesLength, sum] = place;
  const part = bytes.read(start, foldersLength + filesLength);
  // Another process may have put a new note in the place of this one.
  if (part === undefined || sumOf(part) !== sum) return undefined;
  const [folders, files] = [part.toString('utf8', 0, foldersLength), part.toString('utf8', foldersLength)];
  return {
    folders: once(() => JSON.parse(folders) as readonly FolderRow[]),
    files: once(() => JSON.parse(files) as readonly FileRow[]),
  };
}

/** Skills have few of them, and are asked for all of them one after the other. */
const findRow = <T extends readonly [string, ...unknown[]]>(rows: readonly T[] | undefined, path: string) =>
  rows?.find((row) => row[0] === path);

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
