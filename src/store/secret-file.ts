// A secret in the data directory: made once, for its owner's eyes alone, whole or not at all.
import { closeSync, constants, existsSync, fchmodSync, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import { clearLeftovers, keepRename, placeAnew, withWholeFile } from '../files/whole-file.ts';
import { codeOf } from '../values/error-code.ts';
import { fail, type Result } from '../values/result.ts';

export const isSecretThere = (path: string): boolean => existsSync(path);

/** Where there is none yet. Of several processes that start at once, one gives the name to a file that is complete. */
export function addSecret(path: string, make: () => string): void {
  if (!isSecretThere(path)) write(path, make(), (temporary) => void placeAnew(temporary, path));
}

/** In place of the one that is there. */
export const replaceSecret = (path: string, secret: string): void =>
  write(path, secret, (temporary) => {
    renameSync(temporary, path);
    keepRename(path);
  });

function write(path: string, secret: string, place: (temporary: string) => void): void {
  makeDirectory(dirname(path));
  clearLeftovers(path);
  withWholeFile(path, `${secret}\n`, 0o600, place);
}

export interface Secret {
  readonly text: string;
  /** Others could read it: they cannot any more. */
  readonly wasOpen: boolean;
}

const MOST_BYTES = 8_192;

/** `undefined`: it is no file. */
export function readSecret(path: string): Secret | undefined {
  // Without waiting: a pipe of that name does not block the start.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const wasOpen = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
    if (wasOpen) fchmodSync(descriptor, 0o600);
    const bytes = Buffer.alloc(MOST_BYTES);
    return { text: bytes.toString('latin1', 0, readSync(descriptor, bytes)).trim(), wasOpen };
  } finally {
    closeSync(descriptor);
  }
}

interface Words {
  /** "the operator token" */
  readonly what: string;
  readonly file: string;
  /** The variable that takes the place of the file. */
  readonly variable: string;
}

/** What the disk refuses becomes a sentence. */
export function withSecretFile<T>(words: Words, work: () => Result<T, string>): Result<T, string> {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error) ?? '';
    const reason =
      reasonsFor(words)[code] ??
      (code.startsWith('E') ? `the system answers ${code}; look at that directory` : undefined);
    if (reason === undefined) throw error;
    return fail(`Cannot keep ${words.what} in the data directory: ${reason}`);
  }
}

export const MOVE = 'move it away and start again';

function reasonsFor({ file, variable }: Words): Readonly<Record<string, string>> {
  const forbidden = `permission is denied; give this user the right to write there, or set ${variable}`;
  return {
    EACCES: forbidden,
    EPERM: forbidden,
    EROFS: `the disk is read-only; set ${variable}, or name another directory with --data`,
    ENOSPC: 'the disk is full; make room on it',
    EDQUOT: 'the disk is full; make room on it',
    ENOENT: 'it cannot be made; name another directory with --data',
    ENOTDIR: 'it is a file or below one; name another directory with --data',
    EISDIR: `${file} is a directory; ${MOVE}`,
    ELOOP: 'its links go in circles; fix them',
  };
}
