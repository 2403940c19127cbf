// The lock on disk: in the project, or in the data directory for every project (S2). Read strictly, written whole. And which locks
// use what is kept here, so that nothing is removed that one of them names.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import { oneAtATime } from '../files/one-at-a-time.ts';
import { keepRename, withWholeFile } from '../files/whole-file.ts';
import { codeOf } from '../values/error-code.ts';
import { fail, ok, type Result } from '../values/result.ts';
import type { ContentPlace } from './content.ts';
import { EMPTY_LOCK, type Lock, type LockedSource, parseLock, renderLock } from './lock.ts';
import type { LockPlace } from './lock-stamp.ts';
import { sha256Of } from './skill-digest.ts';

/** No lock is as large. */
const MOST_BYTES = 64 * 1024 * 1024;

/** `undefined`: there is none. The failure is a sentence. */
export function loadLock(path: string): Result<Lock | undefined, string> {
  const text = readLock(path);
  if (!text.ok) return fail(`Cannot read the lock "${path}": ${text.failure}`);
  if (text.value === undefined) return ok(undefined);
  const parsed = parseLock(text.value);
  return parsed.ok ? parsed : fail(`Cannot read the lock "${path}": ${parsed.failure}`);
}

function readLock(path: string): Result<string | undefined, string> {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return fail('it is no file');
    return stats.size > MOST_BYTES ? fail('it is larger than 64 MB') : ok(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR' ? ok(undefined) : fail(`it cannot be read (${code})`);
  }
}

/** One process at a time, on the lock as it is then: no change of another is lost. The failure is a sentence. */
export async function changeLock(
  { path }: Pick<LockPlace, 'path'>,
  content: ContentPlace,
  change: (lock: Lock) => Lock,
): Promise<Result<Lock, string>> {
  try {
    const changed = await oneAtATime(noteOf(content, path), () => writeChanged(path, content, change));
    return changed.ok ? changed.value : fail(`Cannot write the lock "${path}": ${changed.failure}`);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return fail(`Cannot write the lock "${path}": ${REASONS[code] ?? code}`);
  }
}

function writeChanged(path: string, content: ContentPlace, change: (lock: Lock) => Lock): Result<Lock, string> {
  const loaded = loadLock(path);
  if (!loaded.ok) return loaded;
  const lock = change(loaded.value ?? EMPTY_LOCK);
  const text = renderLock(lock);
  registerLock(content, path);
  const before = readLock(path);
  if (before.ok && before.value === text) return ok(lock);
  makeDirectory(dirname(path), 0o777);
  withWholeFile(path, text, 0o644, (temporary) => renameSync(temporary, path));
  keepRename(path);
  return ok(lock);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
};

/** One small file for each lock: two processes never write the same one. */
export function registerLock(content: ContentPlace, path: string): void {
  const note = noteOf(content, path);
  if (existsSync(note)) return;
  makeDirectory(content.locks);
  withWholeFile(note, `${path}\n`, 0o600, (temporary) => renameSync(temporary, note));
}

const noteOf = ({ locks }: ContentPlace, path: string): string => join(locks, sha256Of(path));

/** Every entry of a known lock. A lock that is gone is forgotten; one that cannot be read is the failure. */
export function usedEntries(
  content: ContentPlace,
  places: readonly Pick<LockPlace, 'path'>[],
): Result<readonly LockedSource[], string> {
  const used: LockedSource[] = [];
  for (const path of new Set([...places.map((place) => place.path), ...knownLocks(content)])) {
    const lock = loadLock(path);
    if (!lock.ok) return lock;
    if (lock.value === undefined) rmSync(noteOf(content, path), { force: true });
    used.push(...(lock.value?.sources ?? []));
  }
  return ok(used);
}

function knownLocks({ locks }: ContentPlace): readonly string[] {
  const notes = existsSync(locks) ? readdirSync(locks).filter((name) => /^[0-9a-f]{64}$/.test(name)) : [];
  return notes.map((name) => readFileSync(join(locks, name), 'utf8').trimEnd());
}
