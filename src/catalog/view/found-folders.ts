// What each scanned folder means, kept as long as nothing about it changes, so that a refresh costs what changed.
import type { Issue } from '../../document/issue.ts';
import { manifestIssues } from '../../document/manifest.ts';
import type { Allocate } from '../scan/byte-arena.ts';
import type { EntryIssue, Folder } from '../scan/folder.ts';
import type { Memory } from '../scan/memory.ts';
import { belowRoot, type Pinned, pinnedFiles, tamperedFile } from '../scan/pinned.ts';
import type { Root } from '../scan/root.ts';
import type { Fence } from '../scan/safe-read.ts';
import { type FilePins, type FileRecords, loadFileRecords, sameContent } from './file-records.ts';
import { describeFolder, type FoundFolder } from './found-folder.ts';
import type { Skill } from './skill.ts';

interface Kept {
  readonly root: Root;
  readonly folder: Folder;
  readonly found: FoundFolder;
  /** Absent until the skill's files are asked for. */
  readonly records: FileRecords | undefined;
}

export class FoundFolders {
  readonly #allowLinks: Fence;
  readonly #now: () => Date;
  /** By root first: a folder in two overlapping roots means two things. Then by the folder's path. */
  readonly #byRoot = new Map<Root, Map<string, Kept>>();
  /** Also for a skill that a newer one has replaced here, but not yet in the snapshot: its files stay of its state (R2). */
  readonly #bySkill = new WeakMap<Skill, Kept>();
  /** Digests need a file's bytes for a moment only: one piece of memory serves all but the largest. */
  readonly #scratch = Buffer.allocUnsafe(64 * 1024);
  readonly #allocate: Allocate = (size) =>
    size > this.#scratch.length ? Buffer.allocUnsafe(size) : this.#scratch.subarray(0, size);

  /** What an earlier process learned of the root that a folder lies in. */
  readonly #memoryOf: (root: Root) => Memory | undefined;

  constructor(allowLinks: Fence, now: () => Date, memoryOf: (root: Root) => Memory | undefined = () => undefined) {
    this.#allowLinks = allowLinks;
    this.#now = now;
    this.#memoryOf = memoryOf;
  }

  /** The previous value itself when neither the SKILL.md nor any file of the skill changed. */
  describe(root: Root, folder: Folder): FoundFolder {
    const before = this.#byRoot.get(root)?.get(folder.path);
    if (before?.folder === folder) return before.found;
    const records = before?.records && this.#loadRecords(root, folder, before.records);
    const isSame = before !== undefined && sameFacts(before.folder, folder) && sameRecords(before.records, records);
    return this.#put({ root, folder, records, found: isSame ? before.found : describe(root, folder, records) });
  }

  rootOf(skill: Skill): Root | undefined {
    return this.#bySkill.get(skill)?.root;
  }

  folderOf(skill: Skill): Folder | undefined {
    return this.#bySkill.get(skill)?.folder;
  }

  /** Reads the files the first time. */
  recordsOf(skill: Skill): FileRecords {
    const kept = this.#bySkill.get(skill);
    if (kept === undefined) return { files: [], complete: false };
    return kept.records ?? this.#loadFirstRecords(skill, kept) ?? { files: [], complete: false };
  }

  /** Those that have been read, of this very state. */
  knownRecordsAt(root: Root, folder: Folder): FileRecords | undefined {
    const kept = this.#byRoot.get(root)?.get(folder.path);
    return kept?.folder === folder ? kept.records : undefined;
  }

  /** Roots of sources and of the library are others with each change, in which most folders are the same. */
  keepOnly(paths: ReadonlySet<string>, roots: ReadonlySet<Root>): void {
    for (const [root, byPath] of this.#byRoot) {
      if (!roots.has(root)) this.#byRoot.delete(root);
      for (const [path, { found }] of byPath) {
        if (paths.has(path)) continue;
        byPath.delete(path);
        for (const skill of heldIn(found)) this.#bySkill.delete(skill);
      }
    }
  }

  /** Afterwards `describe` tells what is wrong with the files, too. */
  #loadFirstRecords(skill: Skill, kept: Kept): FileRecords | undefined {
    const records = this.#loadRecords(kept.root, kept.folder, undefined);
    this.#bySkill.set(skill, { ...kept, records });
    if (this.#byRoot.get(kept.root)?.get(kept.folder.path) !== kept) return records;
    const isSound = recordIssues(records).length === 0;
    const found = isSound ? kept.found : describe(kept.root, kept.folder, records);
    this.#put({ ...kept, records, found });
    return records;
  }

  #put(kept: Kept): FoundFolder {
    const { root, folder, found } = kept;
    const byPath = this.#byRoot.get(root) ?? new Map<string, Kept>();
    this.#byRoot.set(root, byPath.set(folder.path, kept));
    for (const skill of heldIn(found)) this.#bySkill.set(skill, kept);
    return found;
  }

  #loadRecords(root: Root, folder: Folder, previous: FileRecords | undefined): FileRecords | undefined {
    const skillBytes = (folder.skill?.good ?? folder.skill?.text)?.bytes;
    if (skillBytes === undefined) return undefined;
    return loadFileRecords({
      folder,
      skillBytes,
      allowLinks: this.#allowLinks,
      previous,
      now: this.#now,
      allocate: this.#allocate,
      memory: this.#memoryOf(root),
      pins: root.pinned && pinsOf(root, root.pinned, folder),
    });
  }
}

function pinsOf(root: Root, pinned: Pinned, { path }: Folder): FilePins {
  const below = belowRoot(root, path);
  return { paths: pinnedFiles(pinned, below), digestOf: (file) => pinned.digestOf(`${below}/${file}`) };
}

const heldIn = ({ skill, unnamed }: FoundFolder): readonly Skill[] => [skill ?? unnamed ?? []].flat();

const describe = (root: Root, folder: Folder, records: FileRecords | undefined): FoundFolder =>
  describeFolder(root, folder, recordIssues(records));

function recordIssues(records: FileRecords | undefined): readonly Issue[] {
  if (records === undefined) return [];
  const issues = [...(records.tampered ?? []).map(tamperedFile), ...manifestIssues(records.files)];
  return records.complete || issues.length > 0 ? issues : [filesLeftOut];
}

const filesLeftOut: Issue = {
  rule: 'files-left-out',
  severity: 'warning',
  message: 'Cannot serve the skill to every host: some of its files cannot be read, or are larger than 16 MiB',
  fix: 'Make every file of the skill readable and smaller, or move what does not belong to it elsewhere',
};

const sameFacts = (a: Folder, b: Folder): boolean =>
  a.unreadable === b.unreadable &&
  a.real === b.real &&
  a.inside === b.inside &&
  a.skillFileName === b.skillFileName &&
  a.skill?.text === b.skill?.text &&
  a.skill?.good === b.skill?.good &&
  a.skill?.failure === b.skill?.failure &&
  a.issues.length === b.issues.length &&
  a.issues.every((entry, index) => isSameIssue(entry, b.issues[index]));

const isSameIssue = (a: EntryIssue, b: EntryIssue | undefined): boolean =>
  a.name === b?.name && a.issue.rule === b.issue.rule && a.issue.target === b.issue.target;

const sameRecords = (a: FileRecords | undefined, b: FileRecords | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameContent(a, b);
