// What of a scanned root may be remembered: only what the disk can be asked about again by stamps alone.
import { lstatSync, type Stats, statfsSync } from 'node:fs';
import type { TimeSlice } from '../../async/time-slice.ts';
import { codeOf } from '../../values/error-code.ts';
import { type Folder, joinRelative, walkFolders } from '../scan/folder.ts';
import { ruleIssues } from '../scan/rule-issues.ts';
import type { FileStamp } from '../scan/safe-read.ts';
import type { FileRecords } from '../view/file-records.ts';
import { ListingProof, type ProofRequest } from './listing-proof.ts';
import { entriesText, type FolderRow, type NoteEncoder, skillRow, stampRow } from './note.ts';

export interface NoteRequest extends ProofRequest {
  /** The files of the skill in this folder, where they have been read. */
  readonly recordsOf: (folder: Folder) => FileRecords | undefined;
  readonly slice: TimeSlice;
  readonly encoder: NoteEncoder;
}

/** In pieces. Ends with false on a file system whose times prove nothing, and where folders were moved meanwhile. */
export async function* takeNote(request: NoteRequest): AsyncGenerator<Buffer, boolean> {
  const { top, slice, encoder } = request;
  const device = findStats(top.real)?.dev;
  if (device === undefined || !keepsExactTimes(top.real)) return false;
  const proof = new ListingProof(request);
  const folders: Folder[] = [];
  walkFolders(top, (folder) => void folders.push(folder));
  for (const folder of folders) {
    if (slice.isSpent()) await slice.rest();
    const stats = isAskable(folder) ? findStats(folder.real) : undefined;
    const isAsked = stats?.dev === device && stats.isDirectory();
    const path = pathBelow(top, folder);
    addFolder(encoder, { folder, path, stamp: isAsked && proof.stands(folder, stats) ? stats : undefined, isAsked });
    if (isAsked) addFiles(encoder, folder, path, request.recordsOf(folder));
    yield* encoder.ready();
  }
  if (!proof.isUndisturbed()) return false;
  yield* encoder.end();
  return true;
}

/** On the disk: the address of a folder that is fixed beforehand says something else. Nothing behind a link is asked for. */
const pathBelow = (top: Folder, { real, relative, links }: Folder): string =>
  links === 0 ? real.slice(top.real.length + 1) : relative;

/** Behind a link another folder may lie at any time. */
const isAskable = ({ links, unreadable, unsorted }: Folder): boolean =>
  links === 0 && !unreadable && unsorted === undefined;

/** A stamp that no folder has, for one whose listing is not remembered. */
const NEVER: FileStamp = { ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };

/** `isAsked`: false: nothing of it is remembered, only that what comes next does not lie in the skill before it. */
interface NotedFolder {
  readonly folder: Folder;
  /** Below the root. */
  readonly path: string;
  readonly stamp: FileStamp | undefined;
  readonly isAsked: boolean;
}

function addFolder(encoder: NoteEncoder, { folder, path, stamp, isAsked }: NotedFolder): void {
  const { files, folders, inside } = folder;
  const skill = isAsked ? noted(folder) : null;
  if (inside !== undefined && stamp === undefined && skill === null) return;
  const names = folders.map(({ name }) => name);
  const row: FolderRow = [path, stampRow(stamp ?? NEVER), stamp ? entriesText(files, names) : '', skill];
  if (inside === undefined) encoder.addOuter(row);
  else encoder.addInner(row);
}

function noted({ name, skill }: Folder): FolderRow[3] {
  const text = skill?.text;
  if (!skill?.stamp || skill.isLink || !text?.document || text !== skill.good) return null;
  const { fileName, stamp } = skill;
  const { document, issues } = text;
  if (!keepsItsForm(document.frontmatter)) return null;
  return skillRow({ fileName, stamp, document, issues, ruleIssues: ruleIssues(document, name) });
}

function addFiles(encoder: NoteEncoder, folder: Folder, below: string, records: FileRecords | undefined): void {
  for (const record of records?.files ?? []) {
    const { path, size, digest, mimeType, isText } = record;
    const { ctimeMs, ino } = stampOfText(folder, path) ?? { ctimeMs: record.changedMs, ino: record.inode };
    if (ctimeMs > 0) encoder.addFile([joinRelative(below, path), size, digest, mimeType, isText ? 1 : 0, ctimeMs, ino]);
  }
}

/** The digest of a SKILL.md is that of the text that is served: it goes with the stamp of that text. */
function stampOfText({ skillFileName, skill }: Folder, path: string): FileStamp | undefined {
  return path === skillFileName && skill?.text === skill?.good ? skill?.stamp : undefined;
}

/** JSON has no other numbers. */
const keepsItsForm = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.values(value).every(keepsItsForm);
};

function findStats(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * File systems of local disks that give every change of a file and of a folder a time of its own, finer than a
 * millisecond. Others (FAT, network drives) keep coarse times, do not touch the folder's, or answer from a cache.
 */
const EXACT: Readonly<Record<string, readonly number[]>> = {
  // ext2 to ext4, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs, overlay
  linux: [0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x794c7630],
  // APFS
  darwin: [26],
};

function keepsExactTimes(path: string): boolean {
  try {
    return EXACT[process.platform]?.includes(statfsSync(path).type) === true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}
