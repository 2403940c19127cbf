// The SKILL.md of one folder: which file it is, its text, and the last good text when the present one cannot be served.
import { isUtf8 } from 'node:buffer';
import type { FrontmatterReader } from '../../document/frontmatter.ts';
import type { Issue } from '../../document/issue.ts';
import { digestOf } from '../../document/manifest.ts';
import { type ParsedDocument, parseSkillDocument, type SkillDocument } from '../../document/skill-document.ts';
import type { Allocate } from './byte-arena.ts';
import type { Memory } from './memory.ts';
import { type Pin, RememberedText } from './remembered-text.ts';
import { rememberRuleIssues } from './rule-issues.ts';
import {
  changedMs,
  type Entry,
  type Fence,
  type FileStamp,
  findLinkTarget,
  findStamp,
  isFenced,
  isYoung,
  type ReadFailure,
  readSafe,
  sameStamp,
} from './safe-read.ts';

/** T6: what `get_skill` by name still answers. */
export const MAX_SKILL_FILE_BYTES = 1_048_576;
/** What is read at all: a file a little over the limit is still served by URI, with a problem that says so. */
const MAX_READ_BYTES = 2 * MAX_SKILL_FILE_BYTES;

/** One state of the file's text. */
export interface SkillText {
  readonly bytes: Buffer;
  readonly document: SkillDocument | undefined;
  readonly issues: readonly Issue[];
  readonly loadedAt: Date;
}

/** Without reading one that was remembered. */
export const sizeOf = (text: SkillText): number => (text instanceof RememberedText ? text.size : text.bytes.length);

/** `tampered`: it is not the file that a lock names (S3). */
export type SkillFileFailure = ReadFailure | 'invalid-utf8' | 'tampered';

export interface SkillFile {
  /** As on disk: `SKILL.md`, `skill.md`, `SKILL.MD` … */
  readonly fileName: string;
  /** The entry is a link: what it leads to is not watched. */
  readonly isLink: boolean;
  /** Where that link leads, when it may be read. */
  readonly target: string | undefined;
  /** What the file holds now; absent when it cannot be read. */
  readonly text: SkillText | undefined;
  readonly failure: SkillFileFailure | undefined;
  /** Absent when the file was changed so shortly before it was read that an equal stamp would prove nothing. */
  readonly stamp: FileStamp | undefined;
  /** When the file was last changed, by its own account. */
  readonly modifiedMs: number;
  /** What is served: the present text, or the last good one (D8). Absent when there never was a good one. */
  readonly good: SkillText | undefined;
}

export interface SkillFileRequest {
  readonly fileName: string;
  readonly kind: Entry['kind'];
  /** Real path of the folder. */
  readonly folder: string;
  readonly fence: Fence;
  readonly previous: SkillFile | undefined;
  /** False: something happened in this folder, so an unchanged stamp is not believed. */
  readonly trustStamp: boolean;
  readonly allocate: Allocate;
  readonly memory?: Memory | undefined;
  readonly now: Date;
  /** The folder's own name, as it is served. */
  readonly folderName: string;
  /** `sha256:…` that its bytes must have. Then only what has it is served, and no last good text (S3). */
  readonly pin?: Pin | undefined;
}

export const isSkillFileName = (name: string): boolean => name.length === 8 && name.toLowerCase() === 'skill.md';

/** `SKILL.md` before any other spelling; a file or link before a folder of that name (D2). */
export function findSkillEntry(entries: readonly Entry[]): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of entries) {
    if (isSkillFileName(entry.name) && (best === undefined || isBetter(entry, best))) best = entry;
  }
  return best;
}

/** Whatever order the disk lists them in. */
const isBetter = (a: Entry, b: Entry): boolean => rank(a) - rank(b) > 0 || (rank(a) === rank(b) && a.name < b.name);

const rank = ({ name, kind }: Entry): number =>
  (kind === 'file' || kind === 'link' ? 2 : 0) + (name === 'SKILL.md' ? 1 : 0);

/** Reads the file, or answers the previous value when its stamp has not changed. Parsing comes after: see parseText. */
export function loadSkillFile(request: SkillFileRequest): SkillFile | UnparsedSkillFile {
  const { fileName, previous } = request;
  const located = locate(request);
  if ('failure' in located) return unreadable(request, located.failure);
  if (request.trustStamp && previous?.text && isUnchanged(located.path, previous)) return previous;
  const remembered = previous === undefined && request.kind === 'file' ? recallSkillFile(request) : undefined;
  if (remembered) return remembered;
  if (request.memory) request.memory.misses += 1;
  const read = readSafe(located.path, request.fence, MAX_READ_BYTES, request.allocate);
  if (!read.ok) return unreadable(request, read.failure);
  const { bytes, stamp } = read.value;
  if (request.pin !== undefined && digestOf(bytes) !== request.pin()) return unreadable(request, 'tampered');
  if (previous?.text && previous.fileName === fileName && bytes.equals(previous.text.bytes)) {
    return {
      ...previous,
      ...linkFields(request, located.path),
      failure: undefined,
      ...stampFields(stamp, request.now),
    };
  }
  if (!isUtf8(bytes)) return unreadable(request, 'invalid-utf8');
  return { fileName, ...linkFields(request, located.path), bytes, stamp, loadedAt: request.now, previous };
}

/** What an earlier process read, where the file shows no change since; one that is not there, or no file, shows one. */
export function recallSkillFile({
  fileName,
  folder,
  fence,
  folderName,
  memory,
  now,
  pin,
}: Pick<SkillFileRequest, 'fileName' | 'folder' | 'folderName' | 'fence' | 'memory' | 'now' | 'pin'>):
  | SkillFile
  | undefined {
  const path = `${folder}/${fileName}`;
  const known = memory?.text(path);
  if (known === undefined) return undefined;
  const { stamp, issues } = known;
  const present = findStamp(path);
  if (present === undefined || !sameStamp(present, stamp)) return undefined;
  const document = known.document();
  rememberRuleIssues(document, { folderName, issues: known.ruleIssues });
  const text = new RememberedText({ path, fence, stamp, issues, document, loadedAt: now, pin });
  const fields = { failure: undefined, stamp, modifiedMs: changedMs(stamp) };
  return { fileName, isLink: false, target: undefined, text, ...fields, good: text };
}

/** A text that was read and waits for its frontmatter to be parsed. */
export interface UnparsedSkillFile {
  readonly fileName: string;
  readonly isLink: boolean;
  readonly target: string | undefined;
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
  readonly loadedAt: Date;
  readonly previous: SkillFile | undefined;
}

export const isUnparsed = (file: SkillFile | UnparsedSkillFile): file is UnparsedSkillFile => 'bytes' in file;

/** `undefined`: the text needs the YAML reader and none was given. */
export function parseText(file: UnparsedSkillFile, yaml: FrontmatterReader | undefined): SkillFile | undefined {
  const parsed = parseBytes(file.bytes, yaml);
  if (parsed === undefined) return undefined;
  const { fileName, isLink, target, bytes, stamp, loadedAt } = file;
  const text = { bytes, document: parsed.document, issues: parsed.issues, loadedAt };
  const good = parsed.document ? text : file.previous?.good;
  return { fileName, isLink, target, text, failure: undefined, ...stampFields(stamp, loadedAt), good };
}

/** Behind the line that seems to close the frontmatter, so that the parser sees that it is one. */
const MARGIN_BYTES = 256;

/** The body says nothing about a skill: only the head is decoded, which spares a start with 1,000 skills 8 MB of text. */
function parseBytes(bytes: Buffer, yaml: FrontmatterReader | undefined): ParsedDocument | undefined {
  const closing = bytes.indexOf('\n---', 3);
  const end = closing < 0 ? bytes.length : closing + MARGIN_BYTES;
  const parsed = parseSkillDocument(bytes.toString('utf8', 0, end), yaml);
  const seemsUnclosed = end < bytes.length && parsed?.issues.some(({ rule }) => rule === 'frontmatter-unclosed');
  return seemsUnclosed ? parseSkillDocument(bytes.toString('utf8'), yaml) : parsed;
}

const linkFields = ({ kind }: SkillFileRequest, path: string): Pick<SkillFile, 'isLink' | 'target'> =>
  kind === 'link' ? { isLink: true, target: path } : { isLink: false, target: undefined };

type Located = { readonly path: string } | { readonly failure: ReadFailure };

/** A link is resolved first, and must end inside the fence. */
function locate(request: SkillFileRequest): Located {
  const path = `${request.folder}/${request.fileName}`;
  if (request.kind === 'file') return { path };
  if (request.kind !== 'link') return { failure: 'not-a-file' };
  const target = findLinkTarget(path);
  if (!target.ok) return { failure: target.failure };
  if (!isFenced(target.value.real, request.fence)) return { failure: 'outside' };
  return target.value.kind === 'file' ? { path: target.value.real } : { failure: 'not-a-file' };
}

function isUnchanged(path: string, previous: SkillFile): boolean {
  const stamp = previous.stamp && findStamp(path);
  return stamp !== undefined && previous.stamp !== undefined && sameStamp(stamp, previous.stamp);
}

function unreadable({ fileName, kind, previous, pin }: SkillFileRequest, failure: SkillFileFailure): SkillFile {
  // A passing state of the machine must not cost a skill its present text.
  if (failure === 'busy' && previous) return previous;
  // What is not what the lock names has no last good text (S3).
  const good = failure === 'missing' || pin !== undefined ? undefined : previous?.good;
  return {
    fileName,
    isLink: kind === 'link',
    target: undefined,
    text: undefined,
    failure,
    stamp: undefined,
    modifiedMs: 0,
    good,
  };
}

const stampFields = (stamp: FileStamp, now: Date): Pick<SkillFile, 'stamp' | 'modifiedMs'> => ({
  stamp: isYoung(stamp, now) ? undefined : stamp,
  modifiedMs: changedMs(stamp),
});
