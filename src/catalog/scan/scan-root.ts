// Reads the skills below one root into a tree of folders, in bounded slices. Never executes, never leaves the fence.
import { dirname } from 'node:path';
import type { TimeSlice } from '../../async/time-slice.ts';
import type { FrontmatterReader } from '../../document/frontmatter.ts';
import type { Issue } from '../../document/issue.ts';
import { compareCodePoints } from '../../document/names.ts';
import { type Allocate, createByteArena } from './byte-arena.ts';
import type { Changes } from './change-set.ts';
import { type EntryIssue, type Folder, keptFolder, ownerOf } from './folder.ts';
import {
  createDraft,
  type Draft,
  isJustTooDeep,
  isSearched,
  keepContents,
  type Place,
  placeBelow,
} from './folder-draft.ts';
import { deniedFolder, rootIsASkill, tooDeep, tooManyFolders, undecodableName } from './folder-issues.ts';
import { holdBackMs } from './hold-back.ts';
import { decideLink } from './links.ts';
import { type Entry, type Fence, findLinkTarget, isFenced, listFolder, type ReadFailure } from './safe-read.ts';
import {
  findSkillEntry,
  isUnparsed,
  loadSkillFile,
  parseText,
  type SkillFile,
  type UnparsedSkillFile,
} from './skill-file.ts';

/** Beyond this a root is not a folder of skills but a disk. */
const MAX_FOLDERS = 100_000;
/** When a folder or file could not be looked at for want of descriptors or the like. */
const BUSY_RETRY_MS = 500;
/** What Node puts where bytes of a name are not UTF-8: such a name cannot be opened. */
const UNDECODABLE = '\ufffd';

export interface ScanJob {
  /** `only`: the one direct child that is looked at. */
  readonly root: { readonly path: string; readonly real: string; readonly only: string | undefined };
  /** Real paths of all roots and of the `--allow-links` directories. */
  readonly fence: Fence;
  readonly allowLinks: Fence;
  readonly previous: Folder | undefined;
  readonly changes: Changes;
  /** A first look: skills are found and read, folders inside them are left for later. */
  readonly isFirstLook: boolean;
  readonly slice: TimeSlice;
  readonly now: () => Date;
  /** Called with each folder before it is listed, so that a watcher sees what the listing misses. */
  readonly beforeListing: (folder: Folder) => void;
  readonly openYaml: () => Promise<FrontmatterReader>;
  /** How long a change of this folder's skill has been held back already; `undefined`: hold nothing back. */
  readonly heldBackMs: ((path: string) => number) | undefined;
  /** The text before may be a half one itself: looking finished beside it is not enough. */
  readonly isPreviousUnproven: boolean;
}

export interface ScanResult {
  readonly folder: Folder;
  /** Folders to look at again, with the milliseconds to wait: a skill is still being written, a file was busy. */
  readonly unsettled: ReadonlyMap<string, number>;
}

export async function scanRoot(job: ScanJob): Promise<ScanResult> {
  const scan = new Scan(job);
  const top = scan.start();
  while (scan.visitNext()) if (job.slice.isSpent()) await job.slice.rest();
  if (scan.needsYaml()) scan.parseWith(await job.openYaml());
  return { folder: top, unsettled: scan.unsettled };
}

/** One scan from start to end: folders waiting to be visited, texts waiting for the YAML reader. */
class Scan {
  readonly unsettled = new Map<string, number>();
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
    const { path, real } = this.#job.root;
    const place = { name: '', path, real, relative: '', depth: 0, links: 0 };
    return this.#draft(place, undefined, this.#job.previous, false);
  }

  visitNext(): boolean {
    const next = this.#waiting.pop();
    if (next === undefined) return false;
    this.#visited += 1;
    const { draft, previous, fresh } = next;
    if (previous && !fresh && !previous.unreadable && !this.#job.changes.isDirty(previous)) this.#keep(draft, previous);
    else this.#list(draft, previous, fresh);
    return true;
  }

  needsYaml(): boolean {
    return this.#unparsed.length > 0;
  }

  parseWith(yaml: FrontmatterReader): void {
    for (const { draft, file } of this.#unparsed) this.#takeText(draft, file, yaml);
  }

  /** A folder to be filled in when its turn comes. */
  #draft(place: Place, parent: Folder | undefined, previous: Folder | undefined, fresh: boolean): Draft {
    const draft = createDraft(place, parent);
    const replaced = fresh || this.#job.changes.isReplaced(place.path);
    this.#waiting.push({ draft, previous, fresh: replaced });
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
    if (previous?.unsorted) {
      draft.skillFileName = previous.skillFileName;
      draft.skill = previous.skill;
      this.#sort(draft, previous.unsorted, undefined, fresh);
      return;
    }
    this.#job.beforeListing(draft);
    const listing = listFolder(draft.real);
    if (draft.inside === undefined && isJustTooDeep(draft)) {
      const issues = listing.ok ? atSkillFile(listing.value, tooDeep) : [];
      if (issues.length > 0 && this.#isStillInside(draft)) draft.issues = issues;
      return;
    }
    if (!listing.ok) {
      this.#cannotList(draft, previous, listing.failure);
      return;
    }
    const entries = this.#ofInterest(draft, listing.value);
    if (draft.searchable && draft.depth > 0) this.#loadSkill(draft, entries, previous);
    // That it is a skill is all that a first look wants to know.
    if (this.#job.isFirstLook && draft.skillFileName !== undefined) draft.unsorted = entries;
    else this.#sort(draft, entries, previous, fresh);
  }

  /** Files, folders to visit, and what is left out, in the order of their names. */
  #sort(draft: Draft, entries: readonly Entry[], previous: Folder | undefined, fresh: boolean): void {
    const before = previous && new Map(previous.folders.map((folder) => [folder.name, folder]));
    const files: string[] = [];
    const folders: Folder[] = [];
    // A root holds skills; that it is one itself is easily meant, and never what happens.
    const issues = draft.depth === 0 ? atSkillFile(entries, rootIsASkill) : [];
    const visit = (name: string, target: string | undefined) => {
      const known = before?.get(name);
      const isSame = known && !fresh && (target === undefined ? known.links === draft.links : known.real === target);
      const folder = this.#child(draft, name, target, known, isSame === true);
      if (folder) folders.push(folder);
    };
    for (const { name, kind } of entries.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
      if (kind === 'file') files.push(name);
      else if (kind === 'folder') visit(name, undefined);
      else if (kind === 'link') {
        const decision = decideLink(draft, name, this.#job);
        if (decision.take === 'folder') visit(name, decision.real);
        else if (decision.take === 'file' || name === draft.skillFileName) files.push(name);
        else if (decision.issue) issues.push({ name, issue: decision.issue });
      }
    }
    if (this.#isFull && !this.#toldFull) issues.push({ name: '', issue: tooManyFolders });
    this.#toldFull = this.#isFull;
    // Names are shown where something is wrong: not those of a folder that was put in this one's place meanwhile.
    if (issues.length > 0 && !this.#isStillInside(draft)) return;
    draft.files = files;
    draft.folders = folders;
    if (issues.length > 0) draft.issues = issues;
  }

  #isStillInside({ real }: Folder): boolean {
    const target = findLinkTarget(real);
    return target.ok && isFenced(target.value.real, this.#job.fence);
  }

  #ofInterest(folder: Folder, entries: Entry[]): Entry[] {
    const { only } = this.#job.root;
    return only === undefined || folder.depth > 0 ? entries : entries.filter(({ name }) => name === only);
  }

  /** What was good stays while the folder cannot be looked into (D8). */
  #cannotList(draft: Draft, previous: Folder | undefined, failure: ReadFailure): void {
    // Behind a link nothing happened in the folder above: it is told to look at the link again.
    if (failure === 'missing' && draft.links > 0) this.unsettled.set(dirname(draft.path), 0);
    if (failure === 'missing') {
      if (draft.name.includes(UNDECODABLE)) draft.issues = [{ name: '', issue: undecodableName }];
      return;
    }
    draft.unreadable = true;
    if (failure === 'busy') this.unsettled.set(draft.path, BUSY_RETRY_MS);
    if (failure === 'denied') draft.issues = [{ name: '', issue: deniedFolder }];
    if (previous === undefined) return;
    keepContents(draft, previous);
    draft.folders = previous.folders.map(keptFolder);
  }

  get #isFull(): boolean {
    return this.#visited + this.#waiting.length > MAX_FOLDERS;
  }

  /** Inside a skill every folder counts for its files; elsewhere only where skills are searched for, or just missed. */
  #isWorthVisiting(parent: Folder, place: Place): boolean {
    if (this.#isFull) return false;
    return ownerOf(parent) !== undefined || isSearched(place) || isJustTooDeep(place);
  }

  /** `isSame`: it is the folder that `previous` describes. `undefined` when it is not worth a visit. */
  #child(
    parent: Folder,
    name: string,
    target: string | undefined,
    previous: Folder | undefined,
    isSame: boolean,
  ): Folder | undefined {
    if (previous && isSame && previous.inside === ownerOf(parent)) return this.#childAgain(parent, previous);
    const place = placeBelow(parent, name, target);
    return this.#isWorthVisiting(parent, place) ? this.#draft(place, parent, previous, true) : undefined;
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
      previous: previous?.skill,
      trustStamp: this.#job.changes.trustStamps,
      allocate: this.#allocate,
      now: this.#startedAt,
    });
    if (isUnparsed(file)) {
      this.#takeText(draft, file, undefined);
      return;
    }
    if (file.failure && !this.#isStillInside(draft)) return;
    draft.skill = file;
    if (file.failure === 'busy') this.unsettled.set(draft.path, BUSY_RETRY_MS);
  }

  #takeText(draft: Draft, file: UnparsedSkillFile, yaml: FrontmatterReader | undefined): void {
    const parsed = parseText(file, yaml);
    if (parsed === undefined) {
      this.#unparsed.push({ draft, file });
      return;
    }
    const wait = this.#holdBackMs(draft.path, file.previous, parsed);
    if (wait > 0) this.unsettled.set(draft.path, wait);
    draft.skill = wait > 0 ? file.previous : parsed;
  }

  #holdBackMs(path: string, previous: SkillFile | undefined, next: SkillFile): number {
    const { heldBackMs, now } = this.#job;
    if (heldBackMs === undefined || next.text === undefined) return 0;
    const fresh = { ...next.text, modifiedMs: next.modifiedMs };
    // The time of asking, not of now: a process that was held up after the read would take a young text for an old one.
    const at = Math.min(now().getTime(), Math.max(this.#askedAt, next.modifiedMs));
    const waitedMs = heldBackMs(path);
    const alone = this.#job.isPreviousUnproven ? holdBackMs(undefined, fresh, at, waitedMs) : 0;
    return Math.max(alone, holdBackMs(previous?.text, fresh, at, waitedMs));
  }
}

/** Where a SKILL.md lies that is none to us. */
function atSkillFile(entries: readonly Entry[], issue: Issue): EntryIssue[] {
  const entry = findSkillEntry(entries);
  return entry ? [{ name: entry.name, issue }] : [];
}
