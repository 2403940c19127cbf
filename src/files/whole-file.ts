// Puts a file in its place whole or not at all: on the disk under a name beside it first. What a killed process left there goes.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { codeOf } from '../values/error-code.ts';

/** Of this thread alone, and nothing here waits: no two writers have the same. */
export const nameBeside = (path: string, what: 'old' | 'tmp'): string =>
  join(dirname(path), `.${basename(path)}.${OWN}.${what}-repertoire`);

const OWN = `${process.pid}-${threadId}`;

/** Hands over a finished file of this text, and takes away what is left of it. */
export function withWholeFile<T>(path: string, text: string, mode: number, place: (temporary: string) => T): T {
  const temporary = nameBeside(path, 'tmp');
  try {
    writeNew(temporary, text, mode);
    return place(temporary);
  } finally {
    // A full disk leaves the beginning of it.
    rmSync(temporary, { force: true });
  }
}

/** On the disk before it gets its name: a power cut leaves no empty file. */
function writeNew(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
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
    for (const { name, what } of leftoversOf(path)) {
      const left = join(dirname(path), name);
      if (what === 'old' && !existsSync(path)) renameSync(left, path);
      else rmSync(left, { force: true });
    }
  } catch (error) {
    // What is wrong with the folder is said by the writing itself.
    if (codeOf(error) === undefined) throw error;
  }
}

function leftoversOf(path: string): readonly { readonly name: string; readonly what: string | undefined }[] {
  const prefix = `.${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ name, match: LEFT.exec(name.slice(prefix.length)) }))
    .filter(({ name, match }) => match !== null && (isOwn(name) || !isAlive(Number(match[1]))))
    .map(({ name, match }) => ({ name, what: match?.[2] }));
}

/** Nothing here waits, so it is of an earlier process that had our number. */
const isOwn = (name: string): boolean => name.includes(`.${OWN}.`);

const LEFT = /^(\d{1,10})(?:-\d+)?\.(old|tmp)-repertoire$/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
