// Which of the entries of a skill's folder become its files, or why the skill cannot be kept: names that no machine can hold apart,
// links that leave it, devices (S5). Pure.
import type { Issue } from '../document/issue.ts';
import { toOneLine } from '../text/one-line.ts';
import { fail, ok, type Result } from '../values/result.ts';

export interface RawEntry {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  readonly isUtf8: boolean;
  /** `nested`: another repository (a submodule). */
  readonly kind: 'file' | 'link' | 'nested' | 'other';
  readonly executable: boolean;
  /** Where a link leads, as it is written. */
  readonly target?: string | undefined;
}

export interface ChosenFile<T extends RawEntry> {
  readonly path: string;
  readonly executable: boolean;
  /** What has its bytes: the entry itself, or where a link inside the skill leads. */
  readonly entry: T;
}

export interface Choice<T extends RawEntry> {
  readonly files: readonly ChosenFile<T>[];
  /** What is left out, or is not what it seems. */
  readonly issues: readonly Issue[];
}

/** The failure costs the whole skill. */
export function chooseFiles<T extends RawEntry>(entries: readonly T[]): Result<Choice<T>, Issue> {
  const fault = entries.map(entryFault).find((each) => each !== undefined) ?? collisionFault(entries);
  if (fault !== undefined) return fail(fault);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const files: ChosenFile<T>[] = [];
  const issues: Issue[] = [];
  for (const entry of entries) {
    if (entry.kind === 'file') files.push({ path: entry.path, executable: entry.executable, entry });
    else if (entry.kind === 'nested') issues.push(nestedRepository(entry.path));
    else {
      const led = followLink(entry, byPath);
      if (!led.ok) return fail(led.failure);
      if (led.value === undefined) issues.push(linkLeftOut(entry.path));
      else files.push({ path: entry.path, executable: led.value.executable, entry: led.value });
    }
  }
  return ok({ files, issues });
}

/** No file system gives more to a name, or to a path of ours below the data directory. */
const LONGEST_NAME = 255;
const LONGEST_PATH = 1_024;
const CONTROL = /\p{Cc}/u;
/** Taken by other systems for a drive, a stream, or a repository of their own. */
const FORBIDDEN = /^(?:\.{1,2}|\.git|git~\d+)$/i;

function entryFault({ path, isUtf8, kind }: RawEntry): Issue | undefined {
  if (!isUtf8) return costs('source-bad-name', `the name of "${shown(path)}" is not valid UTF-8`, 'Rename the file');
  const parts = path.split('/');
  const isLeaving = path.startsWith('/') || parts.some((part) => part === '' || FORBIDDEN.test(part));
  if (isLeaving || path.includes('\\') || CONTROL.test(path))
    return costs('source-bad-name', `"${shown(path)}" is no name for a file of a skill`, 'Rename the file');
  const isLong = Buffer.byteLength(path) > LONGEST_PATH || parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME);
  if (isLong) return costs('source-bad-name', `the name of "${shown(path)}" is too long`, 'Use shorter names');
  if (kind === 'other') return costs('source-bad-file', `"${shown(path)}" is neither a file nor a link`, 'Remove it');
  return undefined;
}

/** Two names that are one on a disk without letter case, or with other rules for accents: also of the folders on the way. */
function collisionFault(entries: readonly RawEntry[]): Issue | undefined {
  const seen = new Map<string, string>();
  const files = new Set<string>();
  for (const { path } of entries) {
    const parts = path.split('/');
    for (let length = 1; length <= parts.length; length += 1) {
      const part = parts.slice(0, length).join('/');
      const isFile = length === parts.length;
      const key = foldName(part);
      const first = seen.get(key);
      if (first !== undefined && (first !== part || isFile || files.has(key))) return collides(first, part);
      seen.set(key, part);
      if (isFile) files.add(key);
    }
  }
  return undefined;
}

export const foldName = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

const collides = (first: string, second: string): Issue =>
  costs(
    'source-bad-name',
    first === second
      ? `it has "${shown(first)}" twice`
      : `"${shown(first)}" and "${shown(second)}" are one name where letter case does not count`,
    'Rename one of the two',
  );

const MOST_LINKS = 5;

/** `undefined`: to a folder of the skill, or to nothing: left out. A link that leaves the skill costs it. */
function followLink<T extends RawEntry>(link: T, byPath: ReadonlyMap<string, T>): Result<T | undefined, Issue> {
  let entry: T = link;
  for (let step = 0; step < MOST_LINKS; step += 1) {
    const target = resolveLink(entry.path, entry.target ?? '');
    if (target === undefined) return fail(leaves(link.path));
    const next = byPath.get(target);
    if (next === undefined || next.kind === 'nested') return ok(undefined);
    if (next.kind === 'file') return ok(next);
    entry = next;
  }
  return ok(undefined);
}

/** `undefined`: outside the skill. */
function resolveLink(path: string, target: string): string | undefined {
  if (target === '' || target.startsWith('/') || target.includes('\\') || CONTROL.test(target)) return undefined;
  const parts = path.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const shown = (path: string): string => toOneLine(path, 120);

const costs = (rule: string, cause: string, fix: string): Issue => ({
  rule,
  severity: 'error',
  message: `Cannot take this skill from its source: ${cause}`,
  fix,
});

const leaves = (path: string): Issue =>
  costs('source-link-leaves', `the link "${shown(path)}" leads out of the skill`, 'Put the file itself into the skill');

const linkLeftOut = (path: string): Issue => ({
  rule: 'source-left-out',
  severity: 'warning',
  message: `Cannot take "${shown(path)}" from the source: it is a link to a folder, or to nothing`,
  fix: 'Put the files themselves into the skill',
});

const nestedRepository = (path: string): Issue => ({
  rule: 'source-left-out',
  severity: 'warning',
  message: `Cannot take "${shown(path)}" from the source: it is another repository (a submodule), and those are not fetched`,
  fix: 'Put its files into the skill, or add that repository as a source',
});

const POINTER = Buffer.from('version https://git-lfs.github.com/spec/');

/** Large files that lie elsewhere: what the repository has is a note of where. */
export const isPointer = (bytes: Buffer): boolean =>
  bytes.length < 1_024 && bytes.subarray(0, POINTER.length).equals(POINTER);

export const pointerLeft = (path: string): Issue => ({
  rule: 'source-left-out',
  severity: 'warning',
  message: `Cannot take the content of "${shown(path)}" from the source: it is kept in Git LFS, which is not fetched`,
  fix: 'Put the file itself into the repository, or do without it',
});
