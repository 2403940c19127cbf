// The files of one skill's folder: size and digest of each, kept while its stamp stays the same, and the bytes of one of them.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { sleep } from '../../async/sleep.ts';
import { digestOf, isTextBytes, MAX_SKILL_BYTES, type Manifest, mediaTypeOf } from '../../document/manifest.ts';
import { compareCodePoints } from '../../document/names.ts';
import { fileUri } from '../../document/skill-uri.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { Allocate } from '../scan/byte-arena.ts';
import { type Folder, joinRelative, ownerOf } from '../scan/folder.ts';
import { CLOCK_SLACK_MS } from '../scan/hold-back.ts';
import type { Memory } from '../scan/memory.ts';
import {
  type Fence,
  type FileStamp,
  findLinkTarget,
  findStamp,
  isYoung,
  type ReadFailure,
  readSafe,
  readSafePiece,
  type SafeFile,
  sameStamp,
} from '../scan/safe-read.ts';
import type { Skill } from './skill.ts';

interface FileRecord {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly digest: string;
  readonly mimeType: string;
  /** Valid UTF-8. */
  readonly isText: boolean;
  /** The file's ctime and inode; 0 when it was written so shortly before that equal ones would prove nothing. */
  readonly changedMs: number;
  readonly inode: number;
}

export interface FileRecords {
  /** In path order (code points). */
  readonly files: readonly FileRecord[];
  /** False when some could not be listed: too many, too large, unreadable. */
  readonly complete: boolean;
  /** Paths of files that are not what a lock names (S3). */
  readonly tampered?: readonly string[];
}

export interface RecordsRequest {
  readonly folder: Folder;
  /** The bytes of SKILL.md that are served: its digest is theirs, whatever the disk says meanwhile. */
  readonly skillBytes: Buffer;
  readonly allowLinks: Fence;
  readonly previous: FileRecords | undefined;
  readonly now: () => Date;
  /** Room for the bytes of a file while its digest is made. */
  readonly allocate: Allocate;
  readonly memory?: Memory | undefined;
  /** Where every file is fixed beforehand. */
  readonly pins?: FilePins | undefined;
}

/** What the files of one skill must be, by their paths below its folder. */
export interface FilePins {
  readonly paths: readonly string[];
  digestOf(path: string): string | undefined;
}

/** Far above what the extension allows (512), so that such a skill's files can still be read by the tools. */
const MAX_LISTED_FILES = 4_096;
/** Twice the extension's limit: such a skill is a problem already, and its digests must not hold up the others. */
const MAX_HASHED_BYTES = 2 * MAX_SKILL_BYTES;

/** What has the same stamp as before is not read again. */
export function loadFileRecords(request: RecordsRequest): FileRecords {
  const { folder, previous, pins } = request;
  const known = new Map(previous?.files.map((record) => [record.path, record]));
  const paths = filePaths(folder, '', []).sort(compareCodePoints);
  const files: FileRecord[] = [];
  const tampered = pins ? missingFrom(paths, pins) : [];
  let bytes = 0;
  let gone = 0;
  for (const path of paths.slice(0, MAX_LISTED_FILES)) {
    if (bytes > MAX_HASHED_BYTES) break;
    const before = known.get(path);
    const isSkillFile = path === folder.skillFileName;
    const record = isSkillFile ? skillRecord(path, request) : loadRecord(path, before, request);
    if (record === 'gone') gone += 1;
    else if (record && pins && pins.digestOf(path) !== record.digest) tampered.push(path);
    else if (record) files.push(record);
    bytes += typeof record === 'object' ? record.size : 0;
  }
  const complete = tampered.length === 0 && files.length + gone === paths.length;
  return tampered.length > 0 ? { files, complete, tampered } : { files, complete };
}

function missingFrom(paths: readonly string[], pins: FilePins): string[] {
  const there = new Set(paths);
  return pins.paths.filter((path) => !there.has(path));
}

/** The records as hosts see them. The file that makes it a skill is always `SKILL.md` in its address (R1). */
export function manifestFrom(skill: Skill, records: FileRecords, folder: Folder | undefined): Manifest {
  const files = records.files.map(({ path, size, digest, mimeType }) => {
    const isSkillFile = path === skill.fileName;
    const uri = isSkillFile ? skill.uri : fileUri(skill.segments, path);
    return { path, uri, digest, size, mimeType: isSkillFile ? 'text/markdown' : mimeType };
  });
  return {
    files,
    isComplete: records.complete,
    folders: folder ? folderPaths(folder, '', []) : [],
    totalSize: files.reduce((sum, file) => sum + file.size, 0),
  };
}

/** The same files with the same bytes, whatever their times say. */
export const sameContent = (a: FileRecords, b: FileRecords): boolean =>
  a.complete === b.complete &&
  (a.tampered ?? []).join('\0') === (b.tampered ?? []).join('\0') &&
  a.files.length === b.files.length &&
  a.files.every((file, index) => file.digest === b.files[index]?.digest && file.path === b.files[index]?.path);

/** One supporting file's bytes as they are now. `path` comes from a record, never from a client. */
export function readSkillFileBytes(
  folder: Folder,
  path: string,
  allowLinks: Fence,
  allocate?: Allocate,
): Result<SafeFile, ReadFailure> {
  const fence = [ownerOf(folder) ?? folder.real, ...allowLinks];
  const file = findReal(folder, path);
  const read = readSafe(file, fence, MAX_SKILL_BYTES, allocate);
  if (read.ok || read.failure !== 'outside') return read;
  const target = findLinkTarget(file);
  return target.ok ? readSafe(target.value.real, fence, MAX_SKILL_BYTES) : fail(target.failure);
}

function filePaths(folder: Folder, relative: string, into: string[]): string[] {
  for (const name of folder.files) into.push(joinRelative(relative, name));
  for (const child of folder.folders) {
    // A nested folder that is a link is a skill of its own elsewhere, not a part of this one.
    if (child.links === folder.links) filePaths(child, joinRelative(relative, child.name), into);
    if (into.length > MAX_LISTED_FILES) break;
  }
  return into;
}

function folderPaths(folder: Folder, relative: string, into: string[]): readonly string[] {
  for (const child of folder.folders) {
    if (child.links > folder.links || into.length > MAX_LISTED_FILES) continue;
    const path = joinRelative(relative, child.name);
    into.push(path);
    folderPaths(child, path, into);
  }
  return into;
}

const findReal = (folder: Folder, path: string): string => `${folder.real}/${path}`;

function loadRecord(
  path: string,
  before: FileRecord | undefined,
  request: RecordsRequest,
): FileRecord | 'gone' | undefined {
  const { folder, allowLinks, now, memory } = request;
  const known = before ?? recall(path, request);
  if (known && isUnchanged(known, findReal(folder, path))) return known;
  if (memory) memory.misses += 1;
  const askedAt = now();
  const read = readSkillFileBytes(folder, path, allowLinks, request.allocate);
  // It changes under every try: what was known of it stands until it can be read, and is then not believed unread.
  if (!read.ok && read.failure === 'busy' && before) return { ...before, changedMs: 0 };
  // Deleted since the folder was listed: no file of the skill any more. A name that is no UTF-8 only looks so.
  if (!read.ok) return read.failure === 'missing' && !path.includes('\ufffd') ? 'gone' : undefined;
  const { bytes, stamp } = read.value;
  return recordOf(path, bytes, isYoung(stamp, askedAt) ? undefined : stamp);
}

/** Its digest is that of the text that is served: an earlier process made it, where the file is still the one it read. */
function skillRecord(path: string, request: RecordsRequest): FileRecord {
  const stamp = request.folder.skill?.text === request.folder.skill?.good ? request.folder.skill?.stamp : undefined;
  const known = stamp && recall(path, request);
  const isSame = known && known.changedMs === stamp.ctimeMs && known.inode === stamp.ino && known.size === stamp.size;
  return isSame ? { ...known, changedMs: 0, inode: 0 } : recordOf(path, request.skillBytes, undefined);
}

function recall(path: string, { folder, memory }: RecordsRequest): FileRecord | undefined {
  const known = folder.links === 0 ? memory?.record(findReal(folder, path)) : undefined;
  return known && { path, ...known };
}

function isUnchanged({ changedMs, inode, size }: FileRecord, file: string): boolean {
  const stamp = changedMs === 0 ? undefined : findStamp(file);
  return stamp !== undefined && stamp.ctimeMs === changedMs && stamp.ino === inode && stamp.size === size;
}

function recordOf(path: string, bytes: Buffer, stamp: FileStamp | undefined): FileRecord {
  const { ctimeMs = 0, ino = 0 } = stamp ?? {};
  const mimeType = mediaTypeOf(path, bytes);
  const isText = isTextBytes(bytes);
  return { path, size: bytes.length, digest: digestOf(bytes), mimeType, isText, changedMs: ctimeMs, inode: ino };
}

export interface FileRequest {
  /** The skill as it is now: asked again for each attempt. */
  findSkill(): { readonly skill: Skill; readonly folder: Folder | undefined; readonly records: FileRecords };
  /** By a path of the manifest, never from a client. */
  readonly path: string;
  readonly allowLinks: Fence;
  readonly now: () => Date;
  /** Brings the records of a directory up to date. */
  lookAt(directory: string): Promise<void>;
  /** A lock names its digest: bytes that have it are all of it, no matter how young the file is (S3). */
  readonly isPinned: boolean;
}

/** A file that is being written is waited for this often, this long. */
const ATTEMPTS = 12;
const QUIET_MS = 60;

/** The bytes of the manifest, once the file's writer seems to be done (R2, F8). The failure says why in half a sentence. */
export async function readFinishedFile(request: FileRequest): Promise<Result<Buffer, string>> {
  const { path, allowLinks } = request;
  let emptyStamp: FileStamp | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { skill, folder, records } = request.findSkill();
    const record = records.files.find((file) => file.path === path);
    if (record === undefined || folder === undefined) return fail('it is not one of the files of the skill');
    if (path === folder.skillFileName) return ok(skill.bytes);
    const askedAt = request.now().getTime();
    const read = readSkillFileBytes(folder, path, allowLinks);
    const isKnown = read.ok && digestOf(read.value.bytes) === record.digest;
    const isEmpty = isKnown && read.value.bytes.length === 0;
    if (isKnown) {
      const { bytes, stamp } = read.value;
      const isSameEmpty = emptyStamp !== undefined && sameStamp(emptyStamp, stamp);
      const isResting = isQuiet(stamp.mtimeMs, askedAt, request.now()) && (!isEmpty || isSameEmpty);
      const isDone = request.isPinned || isResting;
      // A writer that never rests must not keep the file from its readers; but empty is how a file looks before it is written.
      if (isDone || (attempt === ATTEMPTS && !isEmpty)) return ok(bytes);
    }
    // ext4 shows a file that is being emptied with its former time for a moment: only a second look at the same state
    // proves it empty, and another state may be the next write.
    emptyStamp = isEmpty ? read.value.stamp : undefined;
    await sleep(QUIET_MS);
    await request.lookAt(dirname(`${folder.path}/${path}`));
  }
  return fail('it is being changed; try again in a moment');
}

/**
 * A large file that is sent while it is read.
 *
 * @example
 * const [skill] = catalog.current.skills;
 * const file = skill && catalog.openFile(skill, 'references/measurements.csv');
 * if (file) for (const piece of file.pieces()) console.log(piece.length);
 */
export interface FilePieces {
  readonly size: number;
  readonly digest: string;
  readonly isText: boolean;
  /** Its bytes in their order. Throws, with the code `FILE_CHANGED`, before the last piece when they are not those of the digest. */
  pieces(): Generator<Buffer>;
}

/** The bytes on disk are not those of the digest any more. */
class FileChanged extends Error {
  readonly code = 'FILE_CHANGED';
}

export interface PiecesRequest {
  readonly folder: Folder | undefined;
  readonly records: FileRecords;
  /** By a path of the manifest, never from a client. */
  readonly path: string;
  readonly allowLinks: Fence;
  readonly now: Date;
  /** Every byte is checked before the first is served (S3). */
  readonly isPinned: boolean;
}

/**
 * The file in pieces, if it is on disk as it was when its digest was made, and rests. `undefined`: `readFinishedFile` finds
 * out. Between two pieces it is closed: a client that takes its time holds no descriptor (F6), and each piece is read by the
 * same rules as the whole.
 */
export function findPieces(request: PiecesRequest): FilePieces | undefined {
  const { folder, records, path, allowLinks, now } = request;
  const record = records.files.find((file) => file.path === path);
  if (record === undefined || folder === undefined || path === folder.skillFileName) return undefined;
  if (request.isPinned) return undefined;
  const file = findReal(folder, path);
  const stamp = isUnchanged(record, file) ? findStamp(file) : undefined;
  if (stamp === undefined || !isQuiet(stamp.mtimeMs, now.getTime(), now)) return undefined;
  const fence = [ownerOf(folder) ?? folder.real, ...allowLinks];
  const { size, digest, isText } = record;
  return { size, digest, isText, pieces: () => readPieces(file, fence, record) };
}

/** What is read and not yet taken by one client. */
const PIECE_BYTES = 256 * 1024;

function* readPieces(file: string, fence: Fence, { size, digest, inode }: FileRecord): Generator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  for (let position = 0; position < size; position += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, size - position);
    const read = readSafePiece(file, fence, { position, length });
    if (!read.ok || read.value.stamp.ino !== inode || read.value.bytes.length < length) throw new FileChanged(file);
    hash.update(read.value.bytes);
    if (held !== undefined) yield held;
    held = read.value.bytes;
  }
  // The last piece waits until all of it is known to be what was promised.
  if (`sha256:${hash.digest('hex')}` !== digest) throw new FileChanged(file);
  if (held !== undefined) yield held;
}

/** `askedAt`: from before the read, because a process that is held up after it would take a young file for an old one. */
function isQuiet(modifiedMs: number, askedAt: number, now: Date): boolean {
  const isOfTheFuture = modifiedMs > now.getTime() + CLOCK_SLACK_MS;
  return isOfTheFuture || askedAt - modifiedMs >= QUIET_MS;
}
