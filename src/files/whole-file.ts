// Puts a file in its place whole or not at all: on the disk under a name beside it first. What a killed process left there goes.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../values/error-code.ts';
import { isAlive } from './is-alive.ts';

/** New each time. A process number alone would not do: two containers with one data directory often have the same. */
export const nameBeside = (path: string, what: 'old' | 'tmp'): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(8).toString('hex')}.${what}-repertoire`);

/** Hands over a finished file of this text, and takes away what is left of it. */
export function withWholeFile<T>(path: string, text: string, mode: number, place: (temporary: string) => T): T {
  const temporary = nameBeside(path, 'tmp');
  const descriptor = openSync(temporary, 'wx', mode);
  // From here on it is ours to take away. A full disk leaves the beginning of it.
  try {
    fill(descriptor, text);
    return place(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** On the disk before it gets its name: a power cut leaves no empty file. */
function fill(descriptor: number, text: string): void {
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** False: there is a file of that name by now, and it stays. */
export function placeAnew(temporary: string, path: string): boolean {
  try {
    giveName(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** Of file systems without links (FAT, some network drives). */
const WITHOUT_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

function giveName(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!WITHOUT_LINKS.includes(codeOf(error) ?? '')) throw error;
    copyWhole(temporary, path);
  }
}

function copyWhole(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') rmSync(to, { force: true });
    throw error;
  }
}

/** A power cut does not bring the old one back. */
export function keepRename(path: string): void {
  try {
    const descriptor = openSync(dirname(path), constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // The new one counts in any case: some systems do not open directories, and some directories may not be read.
    if (codeOf(error) === undefined) throw error;
  }
}

/**
 * What processes that are gone left beside this file: it may hold secrets. A former text is put back where the file itself is
 * missing, because then it is the only one.
 */
export function clearLeftovers(path: string): void {
  try {
    for (const { left, what, isGone } of findBeside(path)) {
      if (what === 'old' && isGone && !existsSync(path)) renameSync(left, path);
      else if (isAbandoned(left, isGone)) rmSync(left, { force: true });
    }
  } catch (error) {
    // What is wrong with the folder is said by the writing itself.
    if (codeOf(error) === undefined) throw error;
  }
}

interface Beside {
  readonly left: string;
  readonly what: string | undefined;
  /** No process that can be seen from here has its number, except this one, which has none of its own in work now. */
  readonly isGone: boolean;
}

function findBeside(path: string): readonly Beside[] {
  const prefix = `.${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const [match, pid, what] = LEFT.exec(name.slice(prefix.length)) ?? [];
      if (match === undefined) return [];
      return [{ left: join(dirname(path), name), what, isGone: Number(pid) === process.pid || !isAlive(Number(pid)) }];
    });
}

const LEFT = /^(\d{1,10})(?:-[0-9a-f]{1,16})?\.(old|tmp)-repertoire$/;

/**
 * A process in another container or on another machine cannot be seen from here, so one that seems gone gets a minute. And a
 * number that is taken may be another process's by now: nothing is in work for an hour.
 */
function isAbandoned(left: string, isGone: boolean): boolean {
  const stats = lstatSync(left, { throwIfNoEntry: false });
  // Since it has this name: a former text keeps the time at which it was written.
  return stats !== undefined && Date.now() - stats.ctimeMs >= (isGone ? 60_000 : 3_600_000);
}
