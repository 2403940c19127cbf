// Reads the skills below one root into a tree of folders, in bounded slices. Never executes, never leaves the fence.
import { dirname } from 'node:path';
import type { TimeSlice } from '../../async/time-slice.ts';
import type { FrontmatterReader } from '../../document/frontmatter.ts';
import type { Issue } from '../../document/issue.ts';
import { compareCodePoints } from '../../document/names.ts';
import { ok } from '../../values/result.ts';
import { type Allocate, createByteArena } from './byte-arena.ts';
import type { Changes } from './change-set.ts';
import {
  createDraft,
  type Draft,
  deniedFolder,
  type EntryIssue,
  type Folder,
  type FolderPath,
  isJustTooDeep,
  isSearched,
  keepContents,
  keptFolder,
  ownerOf,
  pathBelow,
  pinnedPath,
  rootIsASkill,
  tooDeep,
  tooManyFolders,
  undecodableName,
} from './folder.ts';
import { type HoldBackRules, waitForWriterMs } from './hold-back.ts';
import { decideLink, isSameTarget } from './links.ts';
import type { Memory } from './memory.ts';
import { belowRoot, missingContent, type Pinned, pinnedEntries, pinnedIssues, unreadableContent } from './pinned.ts';
import { type Pin, RememberedText } from './remembered-text.ts';
import {
  type Entry,
  type Fence,
  type FileStamp,
  findLinkTarget,
  findStamp,
  isFenced,
  type LinkTarget,
  listFolder,
  type ReadFailure,
  sameStamp,
} from './safe-read.ts';
import {
  findSkillEntry,
  isUnparsed,
  loadSkillFile,
  parseText,
  recallSkillFile,
  type SkillFile,
  type UnparsedSkillFile,
} from './skill-file.ts';

/** Beyond this a root is not a folder of skills but a disk. */
const MAX_FOLDERS = 100_000;
/** When a folder or file could not be looked at for want of descriptors or the like. */
const BUSY_RETRY_MS = 500;
/** What Node puts where bytes of a name are not UTF-8: such a name cannot be opened. */
const UNDECODABLE = '\ufffd';

export interface ScanJob extends HoldBackRules {
  /** `only`: the one direct child that is looked at. */
  readonly root: {
    readonly path: string;
    readonly real: string;
    readonly inode: number;
    readonly only: string | undefined;
    /** Its folders and files, where they are fixed beforehand. */
    readonly pinned?: Pinned | undefined;
  };
  /** Real paths of all roots and of the `--allow-links` directories. */
  readonly fence: Fence;
  readonly allowLinks: Fence;
  readonly previous: Folder | undefined;
  /** What an earlier process learned of this root. */
  readonly memory?: Memory | undefined;
  readonly changes: Changes;
  /** A first look: skills are found and read, folders inside them are left for later. */
  readonly isFirstLook: boolean;
  readonly slice: TimeSlice;
  /**
   * Called with each folder before it is listed, so that a watcher sees what the listing misses. Answers its stamp, where it was
   * asked for.
   */
  readonly beforeListing: (folder: Folder) => FileStamp | undefined;
  readonly openYaml: () => Promise<FrontmatterReader>;
  /** Filled in: folders to look at again, with the milliseconds to wait; a skill is still being written, a file was busy. */
  readonly again: Map<string, number>;
}

export async function scanRoot(job: ScanJob): Promise<Folder> {
  const scan = new Scan(job);
  const top = scan.start();
  while (scan.visitNext()) if (job.slice.isSpent()) await job.slice.rest();
  if (scan.needsYaml()) scan.parseWith(await job.openYaml());
  return top;
}

/** One scan from start to end: folders waiting to be visited, texts waiting for the YAML reader. */
class Scan {
  readonly #job: ScanJob;
  readonly #waiting: { readonly draft: Draft; readonly previous: Folder | undefined; readonly fresh: boolean }[] = [];
  readonly #unparsed: { readonly draft: Draft; readonly file: UnparsedSkillFile }[] = [];
  /** What a first scan reads stays together; what a refresh reads comes and goes. */
  readonly #allocate: Allocate;
  /** One date for all that is read: thousands of equal ones would be a megabyte. */
  readonly #startedAt: Date;
  #askedAt = 0;
  #visited = 0;
  /** Said once, at the first folder that was not searched whole: not at each of the many that wait. */
  #toldFull = false;

  constructor(job: ScanJob) {
    this.#job = job;
    this.#allocate = job.previous ? Buffer.allocUnsafe : createByteArena();
    this.#startedAt = job.now();
  }

  start(): Folder {
    const { path, real, inode } = this.#job.root;
    const at = { name: '', path, real, relative: '', depth: 0, links: 0, inode };
    const { previous } = this.#job;
    // Another one lies in its place: whatever else is known to have changed, nothing in it is what it was.
    return this.#draft(at, undefined, previous, previous !== undefined && previous.inode !== inode);
  }

  visitNext(): boolean {
    const next = this.#waiting.pop();
    if (next === undefined) return false;
    this.#visited += 1;
    const { draft, previous } = next;
    const { changes } = this.#job;
    const isKnown = previous !== undefined && !next.fresh && !previous.unreadable;
    const isClean = isKnown && !changes.isDirty(previous);
    const isFresh = next.fresh || changes.isReplaced(draft.path);
    if (isClean && !isFresh) this.#keep(draft, previous);
    else this.#list(draft, previous, isFresh || isReplaced(draft, previous));
    return true;
  }

  needsYaml(): boolean {
    return this.#unparsed.length > 0;
  }

  parseWith(yaml: FrontmatterReader): void {
    for (const { draft, file } of this.#unparsed) this.#takeText(draft, file, yaml);
  }

  /** A folder to be filled in when its turn comes. */
  #draft(at: FolderPath, parent: Folder | undefined, previous: Folder | undefined, fresh: boolean): Draft {
    const draft = createDraft(at, parent);
    this.#waiting.push({ draft, previous, fresh });
    return draft;
  }

  /** Only something below it changed. */
  #keep(draft: Draft, previous: Folder): void {
    keepContents(draft, previous);
    draft.unreadable = previous.unreadable;
    draft.issues = previous.issues;
    draft.folders = previous.folders.map((child) => this.#childAgain(draft, child));
  }

  #list(draft: Draft, previous: Folder | undefined, fresh: boolean): void {
    const left = previous?.unsorted;
    const isListed = previous !== undefined && left !== undefined && left !== 'unlisted';
    if (isListed && !fresh && !this.#job.changes.isOutdated(previous)) {
      keepSkill(draft, previous);
      this.#sort(draft, left, undefined, fresh);
      return;
    }
    if (previous === undefined && this.#recallSkill(draft)) return;
    const seen = this.#job.beforeListing(draft);
    const { pinned } = this.#job.root;
    if (pinned && draft.depth === 0) {
      draft.folders = this.#pinnedFolders(draft, pinned, previous);
      return;
    }
    const listing = this.#listFolder(draft.real, seen);
    if (draft.inside === undefined && isJustTooDeep(draft)) {
      const issues = listing.ok ? atSkillFile(listing.value, tooDeep) : [];
      if (issues.length > 0 && this.#isStillInside(draft)) draft.issues = issues;
      return;
    }
    if (!listing.ok) {
      // What was only remembered is no last good text: a start without notes would have none.
      this.#cannotList(draft, left === 'unlisted' ? undefined : previous, listing.failure);
      return;
    }
    const entries = this.#ofInterest(draft, listing.value);
    const fixed = pinned ? pinnedEntries(pinned, this.#below(draft), entries) : entries;
    const isLeft = left === 'unlisted' && isUnread(previous?.skill) && isUsualSkillFile(findSkillEntry(fixed));
    // Whether the text is still the same is seen when it is read.
    if (isLeft) keepSkill(draft, previous);
    else if (draft.searchable && draft.depth > 0) this.#loadSkill(draft, fixed, previous);
    // That it is a skill is all that a first look wants to know.
    if (this.#job.isFirstLook && draft.skillFileName !== undefined) draft.unsorted = entries;
    else this.#sort(draft, entries, previous, fresh);
  }

  /** A first look at a SKILL.md that shows no change since an earlier process read it: what lies beside it can wait. */
  #recallSkill(draft: Draft): boolean {
    const { isFirstLook, memory, fence } = this.#job;
    if (!isFirstLook || draft.links > 0 || draft.depth === 0 || !draft.searchable) return false;
    const { fileName } = USUAL_SKILL_FILE;
    const pin = this.#pinOf(draft, fileName);
    const { real: folder, name: folderName } = draft;
    const skill = recallSkillFile({ fileName, folder, folderName, fence, memory, now: this.#startedAt, pin });
    if (skill === undefined) return false;
    draft.skillFileName = skill.fileName;
    draft.skill = skill;
    draft.unsorted = 'unlisted';
    return true;
  }

  /** A folder that shows no change since an earlier process listed it holds what it held then. */
  #listFolder(real: string, seen: FileStamp | undefined): ReturnType<typeof listFolder> {
    const { memory } = this.#job;
    const known = memory?.listing(real);
    const stamp = known && (seen ?? findStamp(real));
    if (stamp && sameStamp(stamp, known.stamp)) return ok(known.entries());
    if (memory) memory.misses += 1;
    return listFolder(real);
  }

  /** Files, folders to visit, and what is left out, in the order of their names. */
  #sort(draft: Draft, listed: readonly Entry[], previous: Folder | undefined, fresh: boolean): void {
    const { pinned } = this.#job.root;
    const entries = pinned ? pinnedEntries(pinned, this.#below(draft), listed) : listed;
    const before = previous && new Map(previous.folders.map((folder) => [folder.name, folder]));
    const files: string[] = [];
    const folders: Folder[] = [];
    // A root holds skills; that it is one itself is easily meant, and never what happens.
    const issues = draft.depth === 0 ? atSkillFile(entries, rootIsASkill) : [];
    if (pinned) issues.push(...pinnedIssues(pinned, this.#below(draft), listed));
    const visit = (name: string, target: LinkTarget | undefined) => {
      const known = before?.get(name);
      const isSame =
        known && !fresh && (target === undefined ? known.links === draft.links : isSameTarget(known, target));
      const folder = this.#child(draft, name, target, known, isSame === true);
      if (folder) folders.push(folder);
    };
    for (const { name, kind } of entries.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
      if (kind === 'file') files.push(name);
      else if (kind === 'folder') visit(name, undefined);
      else if (kind === 'link') {
        const decision = decideLink(draft, name, this.#job);
        if (decision.take === 'folder') visit(name, decision.target);
        else if (decision.take === 'file' || name === draft.skillFileName) files.push(name);
        else if (decision.issue) issues.push({ name, issue: decision.issue, isLink: true });
      }
    }
    if (this.#isFull && !this.#toldFull) issues.push({ name: '', issue: tooManyFolders, isLink: false });
    this.#toldFull = this.#isFull;
    // Names are shown where something is wrong: not those of a folder that was put in this one's at meanwhile.
    if (issues.length > 0 && !this.#isStillInside(draft)) return;
    draft.files = files;
    draft.folders = folders;
    draft.isPlain = this.#isWhole(draft) && files.length + folders.length === listed.length && !entries.some(isLink);
    if (issues.length > 0) draft.issues = issues;
  }

  #isStillInside({ real }: Folder): boolean {
    const target = findLinkTarget(real);
    return target.ok && isFenced(target.value.real, this.#job.fence);
  }

  #ofInterest(folder: Folder, entries: Entry[]): Entry[] {
    return this.#isWhole(folder) ? entries : entries.filter(({ name }) => name === this.#job.root.only);
  }

  /** Everything in it counts. */
  #isWhole({ depth }: Folder): boolean {
    return depth > 0 || this.#job.root.only === undefined;
  }

  /** What was good stays while the folder cannot be looked into (D8). */
  #cannotList(draft: Draft, previous: Folder | undefined, failure: ReadFailure): void {
    // Behind a link nothing happened in the folder above: it is told to look at the link again.
    if (failure === 'missing' && draft.links > 0) this.#job.again.set(dirname(draft.path), 0);
    if (this.#job.root.pinned) {
      // What cannot be checked has no last good text (S3).
      if (failure === 'busy') this.#job.again.set(draft.path, BUSY_RETRY_MS);
      draft.issues = [{ name: '', issue: failure === 'missing' ? missingContent : unreadableContent, isLink: false }];
      return;
    }
    if (failure === 'missing') {
      if (draft.name.includes(UNDECODABLE)) draft.issues = [{ name: '', issue: undecodableName, isLink: false }];
      return;
    }
    draft.unreadable = true;
    if (failure === 'busy') this.#job.again.set(draft.path, BUSY_RETRY_MS);
    if (failure === 'denied') draft.issues = [{ name: '', issue: deniedFolder, isLink: false }];
    if (previous === undefined) return;
    keepContents(draft, previous);
    draft.folders = previous.folders.map(keptFolder);
  }

  /** The folders of a root that is fixed beforehand, wherever their address says that they are. */
  #pinnedFolders(top: Folder, pinned: Pinned, previous: Folder | undefined): readonly Folder[] {
    const before = new Map(previous?.folders.map((folder) => [folder.path, folder]));
    return pinned.folders.map((each) => {
      const at = pinnedPath(top, each);
      const known = before.get(at.path);
      return known ? this.#childAgain(top, known) : this.#draft(at, top, undefined, true);
    });
  }

  #below({ path }: Folder): string {
    return belowRoot(this.#job.root, path);
  }

  #pinOf(draft: Folder, name: string): Pin | undefined {
    const { pinned } = this.#job.root;
    return pinned && (() => pinned.digestOf(`${this.#below(draft)}/${name}`));
  }

  get #isFull(): boolean {
    return this.#visited + this.#waiting.length > MAX_FOLDERS;
  }

  /** Inside a skill every folder counts for its files; elsewhere only where skills are searched for, or just missed. */
  #isWorthVisiting(parent: Folder, at: FolderPath): boolean {
    if (this.#isFull) return false;
    return ownerOf(parent) !== undefined || isSearched(at) || isJustTooDeep(at);
  }

  /** `isSame`: it is the folder that `previous` describes. `undefined` when it is not worth a visit. */
  #child(
    parent: Folder,
    name: string,
    target: LinkTarget | undefined,
    previous: Folder | undefined,
    isSame: boolean,
  ): Folder | undefined {
    if (previous && isSame && previous.inside === ownerOf(parent)) return this.#childAgain(parent, previous);
    const at = pathBelow(parent, name, target);
    return this.#isWorthVisiting(parent, at) ? this.#draft(at, parent, previous, true) : undefined;
  }

  /** The previous value itself when nothing in it or below it changed: a refresh costs what changed, not what is there. */
  #childAgain(parent: Folder, previous: Folder): Folder {
    const isDue = previous.unreadable || this.#job.changes.isTouched(previous.path);
    return isDue ? this.#draft(previous, parent, previous, false) : previous;
  }

  #loadSkill(draft: Draft, entries: readonly Entry[], previous: Folder | undefined): void {
    const entry = findSkillEntry(entries);
    if (entry === undefined) return;
    draft.skillFileName = entry.name;
    this.#askedAt = this.#job.now().getTime();
    const file = loadSkillFile({
      fileName: entry.name,
      kind: entry.kind,
      folder: draft.real,
      fence: this.#job.fence,
      previous: believable(previous?.skill),
      trustStamp: this.#job.changes.trustStamps,
      allocate: this.#allocate,
      memory: this.#job.memory,
      now: this.#startedAt,
      folderName: draft.name,
      pin: this.#pinOf(draft, entry.name),
    });
    if (isUnparsed(file)) {
      this.#takeText(draft, file, undefined);
      return;
    }
    if (file.failure && !this.#isStillInside(draft)) return;
    draft.skill = file;
    if (file.failure === 'busy') this.#job.again.set(draft.path, BUSY_RETRY_MS);
  }

  #takeText(draft: Draft, file: UnparsedSkillFile, yaml: FrontmatterReader | undefined): void {
    const parsed = parseText(file, yaml);
    if (parsed === undefined) {
      this.#unparsed.push({ draft, file });
      return;
    }
    const change = { path: draft.path, previous: file.previous, next: parsed, askedAt: this.#askedAt };
    // A text that has its digest is whole: to hold it back would leave its skill without any, because the one before was another folder's.
    const wait = this.#job.root.pinned ? 0 : waitForWriterMs(change, this.#job);
    if (wait > 0) this.#job.again.set(draft.path, wait);
    draft.skill = wait > 0 ? file.previous : parsed;
  }
}

const USUAL_SKILL_FILE = { fileName: 'SKILL.md', kind: 'file' } as const;

/** No other spelling comes before this one (D2). */
const isUsualSkillFile = (entry: Entry | undefined): boolean =>
  entry?.name === USUAL_SKILL_FILE.fileName && entry.kind === USUAL_SKILL_FILE.kind;

function keepSkill(draft: Draft, previous: Folder | undefined): void {
  draft.skillFileName = previous?.skillFileName;
  draft.skill = previous?.skill;
}

/** Another folder lies where a root or the target of a link was: its watcher cannot name what happened to itself. */
function isReplaced(draft: Draft, previous: Folder | undefined): boolean {
  if (previous?.inode === undefined) return false;
  draft.inode = findStamp(draft.real)?.ino ?? draft.inode;
  return draft.inode !== previous.inode;
}

const isUnread = (file: SkillFile | undefined): boolean => file?.text instanceof RememberedText && file.text.isUnread;

/** A text that was remembered and could not be read since is no last good one. */
const believable = (file: SkillFile | undefined): SkillFile | undefined =>
  file?.good instanceof RememberedText && !file.good.load() ? undefined : file;

const isLink = ({ kind }: Entry): boolean => kind === 'link';

/** Where a SKILL.md lies that is none to us. */
function atSkillFile(entries: readonly Entry[], issue: Issue): EntryIssue[] {
  const entry = findSkillEntry(entries);
  return entry ? [{ name: entry.name, issue, isLink: false }] : [];
}
