// What is kept of one root between two starts, and how it is written down. Pure.
import type { Issue } from '../../document/issue.ts';
import type { SkillDocument } from '../../document/skill-document.ts';
import type { Memory, RememberedFacts, RememberedListing, RememberedRecord } from '../scan/memory.ts';
import type { Entry, FileStamp } from '../scan/safe-read.ts';

/** Raised whenever the rows below, or what they mean, change. */
const FORMAT = 2;

/** Rows, not objects: a thousand skills are read in three milliseconds. */
export interface Note {
  /** What a first look needs: folders outside skills, and the folders of skills. */
  readonly first: readonly FolderRow[];
  /** What comes after the first answer: folders inside skills, and files. */
  readonly later: readonly FolderRow[];
  readonly files: readonly FileRow[];
}

type StampRow = readonly [inode: number, size: number, mtimeMs: number, ctimeMs: number];
/** Paths are below the root. */
export type FolderRow = readonly [path: string, stamp: StampRow, entries: string, skill: SkillRow | null];
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

/** Two parts behind a head that says how long they are and what their sums are. `program`: who wrote it, exactly. */
export function encodeNote(note: Note, program: string, sumOf: (bytes: Buffer) => number): Buffer {
  const first = Buffer.from(JSON.stringify(note.first));
  const later = Buffer.from(JSON.stringify([note.later, note.files]));
  const head = JSON.stringify([FORMAT, program, first.length, sumOf(first), later.length, sumOf(later)]);
  return Buffer.concat([Buffer.from(`${head}\n`), first, later]);
}

/** `undefined`: of another version or program, cut off, or not what was written. */
export function decodeNote(
  bytes: Buffer,
  { program, real, sumOf }: { readonly program: string; readonly real: string; sumOf(bytes: Buffer): number },
): Memory | undefined {
  const head = readHead(bytes, program);
  if (head === undefined) return undefined;
  const first = bytes.subarray(head.start, head.start + head.firstLength);
  const later = bytes.subarray(head.start + head.firstLength);
  if (sumOf(first) !== head.firstSum || later.length !== head.laterLength) return undefined;
  const folders = byPath(JSON.parse(first.toString('utf8')) as readonly FolderRow[]);
  const openLater = once((): LaterPart => {
    if (sumOf(later) !== head.laterSum) return NOTHING_LATER;
    const [more, files] = JSON.parse(later.toString('utf8')) as [readonly FolderRow[], readonly FileRow[]];
    return { folders: byPath(more), files: byPath(files) };
  });
  const below = (path: string): string => path.slice(real.length + 1);
  const isBelow = (path: string): boolean => path === real || path.startsWith(`${real}/`);
  const findFolder = (path: string): FolderRow | undefined =>
    isBelow(path) ? (folders.get(below(path)) ?? openLater().folders.get(below(path))) : undefined;
  return {
    listing: (path) => listingOf(findFolder(path)),
    text: (path) => factsOf(findFolder(path.slice(0, path.lastIndexOf('/'))), path),
    record: (path) => (isBelow(path) ? recordOf(openLater().files.get(below(path))) : undefined),
    misses: 0,
  };
}

interface Head {
  readonly start: number;
  readonly firstLength: number;
  readonly firstSum: number;
  readonly laterLength: number;
  readonly laterSum: number;
}

/** The path of the root is in it. */
const MOST_HEAD_BYTES = 32 * 1_024;

function readHead(bytes: Buffer, program: string): Head | undefined {
  const end = bytes.subarray(0, MOST_HEAD_BYTES).indexOf('\n');
  if (end < 0) return undefined;
  const head = parseHead(bytes.toString('utf8', 0, end));
  if (head?.[0] !== FORMAT || head[1] !== program) return undefined;
  const [, , firstLength, firstSum, laterLength, laterSum] = head;
  return { start: end + 1, firstLength, firstSum, laterLength, laterSum };
}

type HeadRow = readonly [number, string, number, number, number, number];

function parseHead(text: string): HeadRow | undefined {
  try {
    const head: unknown = JSON.parse(text);
    return Array.isArray(head) && head.length === 6 ? (head as unknown as HeadRow) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface LaterPart {
  readonly folders: ReadonlyMap<string, FolderRow>;
  readonly files: ReadonlyMap<string, FileRow>;
}

const NOTHING_LATER: LaterPart = { folders: new Map(), files: new Map() };

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const byPath = <T extends readonly [string, ...unknown[]]>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row[0], row]));

const stampOf = ([ino, size, mtimeMs, ctimeMs]: StampRow): FileStamp => ({ ino, size, mtimeMs, ctimeMs });

const listingOf = (row: FolderRow | undefined): RememberedListing | undefined =>
  row && { stamp: stampOf(row[1]), entries: () => readEntries(row[2]) };

const readEntries = (text: string): Entry[] =>
  text === ''
    ? []
    : text.split('/').map((entry) => ({ name: entry.slice(1), kind: entry[0] === 'f' ? 'file' : 'folder' }));

function factsOf(row: FolderRow | undefined, path: string): RememberedFacts | undefined {
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
