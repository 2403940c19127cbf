// What each scanned folder means, kept as long as nothing about it changes, so that a refresh costs what changed.
import type { Issue } from '../document/issue.ts';
import { manifestIssues } from '../document/manifest.ts';
import { type FileRecords, loadFileRecords, sameContent } from './file-records.ts';
import type { Folder } from './folder.ts';
import { describeFolder, type FoundFolder } from './found-folder.ts';
import type { Root } from './roots.ts';
import type { Fence } from './safe-read.ts';
import type { Skill } from './skill.ts';

interface Shelved {
  readonly root: Root;
  readonly folder: Folder;
  readonly found: FoundFolder;
  /** Absent until somebody asks for the skill's files. */
  readonly records: FileRecords | undefined;
}

export class SkillShelf {
  readonly #allowLinks: Fence;
  readonly #now: () => Date;
  readonly #byPath = new Map<string, Shelved>();
  readonly #bySkill = new WeakMap<Skill, string>();

  constructor(allowLinks: Fence, now: () => Date) {
    this.#allowLinks = allowLinks;
    this.#now = now;
  }

  /** The previous value itself when neither the SKILL.md nor any file of the skill changed. */
  describe(root: Root, folder: Folder): FoundFolder {
    const before = this.#byPath.get(folder.path);
    if (before?.folder === folder && before.root === root) return before.found;
    const records = before?.records && this.#loadRecords(folder, before.records);
    const isSame =
      before !== undefined &&
      before.root === root &&
      sameFacts(before.folder, folder) &&
      sameRecords(before.records, records);
    return this.#put({ root, folder, records, found: isSame ? before.found : describe(root, folder, records) });
  }

  folderOf(skill: Skill): Folder | undefined {
    return this.#shelved(skill)?.folder;
  }

  /** Reads the files the first time. */
  recordsOf(skill: Skill): FileRecords {
    const shelved = this.#shelved(skill);
    if (shelved === undefined) return { files: [], complete: false };
    return shelved.records ?? this.loadRecords(shelved.folder.path) ?? { files: [], complete: false };
  }

  /** Afterwards `describe` tells what is wrong with the files, too. `undefined`: no such skill folder. */
  loadRecords(path: string): FileRecords | undefined {
    const shelved = this.#byPath.get(path);
    if (shelved?.folder.skill?.good === undefined || shelved.records) return shelved?.records;
    const records = this.#loadRecords(shelved.folder, undefined);
    const isSound = recordIssues(records).length === 0;
    const found = isSound ? shelved.found : describe(shelved.root, shelved.folder, records);
    this.#put({ ...shelved, records, found });
    return records;
  }

  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of [...this.#byPath.keys()]) if (!paths.has(path)) this.#byPath.delete(path);
  }

  #shelved(skill: Skill): Shelved | undefined {
    const path = this.#bySkill.get(skill);
    return path === undefined ? undefined : this.#byPath.get(path);
  }

  #put(shelved: Shelved): FoundFolder {
    this.#byPath.set(shelved.folder.path, shelved);
    if (shelved.found.skill) this.#bySkill.set(shelved.found.skill, shelved.folder.path);
    return shelved.found;
  }

  #loadRecords(folder: Folder, previous: FileRecords | undefined): FileRecords | undefined {
    const skillBytes = folder.skill?.good?.bytes;
    if (skillBytes === undefined) return undefined;
    return loadFileRecords({ folder, skillBytes, allowLinks: this.#allowLinks, previous, now: this.#now });
  }
}

const describe = (root: Root, folder: Folder, records: FileRecords | undefined): FoundFolder =>
  describeFolder(root, folder, recordIssues(records));

const recordIssues = (records: FileRecords | undefined): readonly Issue[] =>
  records ? manifestIssues(records.files) : [];

const sameFacts = (a: Folder, b: Folder): boolean =>
  a.unreadable === b.unreadable &&
  a.real === b.real &&
  a.skill?.fileName === b.skill?.fileName &&
  a.skill?.text === b.skill?.text &&
  a.skill?.good === b.skill?.good &&
  a.skill?.failure === b.skill?.failure &&
  a.issues.length === b.issues.length &&
  a.issues.every(({ name, issue }, index) => name === b.issues[index]?.name && issue === b.issues[index]?.issue);

const sameRecords = (a: FileRecords | undefined, b: FileRecords | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameContent(a, b);
