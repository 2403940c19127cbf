// A root whose every file was fixed beforehand by a digest (S3): which folders it has, and what each file in them must be. Pure.
import type { Issue } from '../../document/issue.ts';
import type { EntryIssue } from './folder.ts';
import type { Entry } from './safe-read.ts';
import { isSkillFileName } from './skill-file.ts';

export interface Pinned {
  /** Tells what is remembered of this root from others in the same directory. */
  readonly key: string;
  /** In path order, none inside another. */
  readonly folders: readonly PinnedFolder[];
  /** `sha256:…` of a file, by its path below the root's directory. `undefined`: no such file belongs there. */
  digestOf(path: string): string | undefined;
  isExecutable(path: string): boolean;
  /** What belongs into a folder, by its path below the root's directory. */
  entriesOf(path: string): ReadonlyMap<string, 'file' | 'folder'> | undefined;
  /** What cannot be served at all. `path`: as people know it. */
  readonly faults: readonly { readonly path: string; readonly issue: Issue }[];
}

export interface PinnedFolder {
  /** Its address: the folders below the root, with `/`. */
  readonly relative: string;
  /** Where its files lie: a name in the root's directory; behind `./`, once or more, where another skill has the same files. */
  readonly directory: string;
}

/** Of what a folder lists, what belongs there. */
export const pinnedEntries = (pinned: Pinned, path: string, entries: readonly Entry[]): Entry[] => {
  const expected = pinned.entriesOf(path);
  return entries.filter(({ name, kind }) => expected?.get(name) === kind);
};

/** What does not belong there, and what is missing. */
export function pinnedIssues(pinned: Pinned, path: string, entries: readonly Entry[]): readonly EntryIssue[] {
  const expected = pinned.entriesOf(path);
  if (expected === undefined) return [{ name: '', issue: unknownFiles, isLink: false }];
  const kinds = new Map(entries.map(({ name, kind }) => [name, kind]));
  const issues: EntryIssue[] = [];
  for (const { name, kind } of entries) {
    if (expected.get(name) !== kind) issues.push({ name, issue: notOfTheSource, isLink: false });
  }
  for (const name of expected.keys()) {
    if (!kinds.has(name))
      issues.push({ name, issue: isSkillFileName(name) ? missingText : missingFile, isLink: false });
  }
  return issues;
}

/** Every file that belongs into a folder, by its path below it. */
export function pinnedFiles(pinned: Pinned, path: string, below = '', into: string[] = []): readonly string[] {
  for (const [name, kind] of pinned.entriesOf(path) ?? []) {
    const relative = below === '' ? name : `${below}/${name}`;
    if (kind === 'file') into.push(relative);
    else pinnedFiles(pinned, `${path}/${name}`, relative, into);
  }
  return into;
}

/** Of a folder or file in such a root: its path below the root's directory. */
export const belowRoot = (root: { readonly path: string }, path: string): string => path.slice(root.path.length + 1);

/** Half of it is the same for all: what to do. */
const FIX = 'Run repertoire sync: it brings back what the lock says';

const tampered = (cause: string): Issue => ({
  rule: 'source-tampered',
  severity: 'warning',
  message: `Cannot serve this: ${cause}`,
  fix: FIX,
});

const notOfTheSource = tampered('it was put there, or replaced, after the source was added; the lock does not name it');

const missingFile = tampered('the lock names it, and it is not there any more');

/** Of a folder whose manifest is not the one of the lock. */
const unknownFiles: Issue = {
  rule: 'source-tampered',
  severity: 'error',
  message: 'Cannot serve the skill: the list of its files is missing, or not the one that the lock names',
  fix: FIX,
};

const missingText: Issue = {
  rule: 'source-tampered',
  severity: 'error',
  message: 'Cannot serve the skill: its SKILL.md is not there any more',
  fix: FIX,
};

/** Of a SKILL.md. */
export const tamperedText: Issue = {
  rule: 'source-tampered',
  severity: 'error',
  message: 'Cannot serve the skill: its SKILL.md is not the one that the lock names',
  fix: FIX,
};

/** Of a supporting file: the skill is served without it. */
export const tamperedFile = (path: string): Issue => ({
  rule: 'source-tampered',
  severity: 'warning',
  message: `Cannot serve the file "${path}" of this skill: it is not the one that the lock names`,
  fix: FIX,
});

export const missingContent: Issue = {
  rule: 'source-missing',
  severity: 'error',
  message: 'Cannot serve the skill: the lock names it, but its content is not on this machine yet',
  fix: 'Run repertoire sync',
};

export const unreadableContent: Issue = {
  rule: 'source-missing',
  severity: 'error',
  message: 'Cannot serve the skill: its content in the data directory cannot be read',
  fix: 'Give yourself permission to read the data directory, then run repertoire sync',
};

/** Of a copy of the library there is no lock to tell of, and nothing to run: the server brings it again by itself (N7). */
export const ofLibrary = ({ message, ...issue }: Issue): Issue => ({
  ...issue,
  message: `${message.slice(0, message.lastIndexOf(': '))}: its copy in the data directory is not what the library has`,
  fix: 'Keep other programs out of the data directory: the server brings the copy from the database again',
});
