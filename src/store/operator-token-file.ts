// The operator's token in the data directory: made once, for its owner's eyes alone, whole or not at all (H5).
import { closeSync, constants, existsSync, fchmodSync, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clearLeftovers, keepRename, placeAnew, withWholeFile } from '../files/whole-file.ts';
import { createOperatorToken, operatorTokenFault } from '../identity/token.ts';
import { codeOf } from '../values/error-code.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { makeDirectory } from './data-directory.ts';

export interface OperatorToken {
  readonly token: string;
  /** A sentence about what was fixed. */
  readonly warning: string | undefined;
}

export interface OperatorTokenSource {
  /** Absolute; made when it is not there. */
  readonly dataDirectory: string;
  /** `REPERTOIRE_OPERATOR_TOKEN`, the same for several servers: no file is looked at. */
  readonly operatorToken: string | undefined;
}

/** The existing token, or a new one. Processes that start at the same time all get the same. */
export function openOperatorToken(source: OperatorTokenSource): Result<OperatorToken, string> {
  if (source.operatorToken !== undefined) return given(source.operatorToken);
  const path = pathIn(source);
  return attempt(() => {
    // Of several processes that start at once, one gives the name to a file that is complete.
    if (!existsSync(path)) writeToken(path, (temporary) => void placeAnew(temporary, path));
    return readFile(path);
  });
}

/** A new token in place of the existing one, valid or not. */
export function rotateOperatorToken(source: OperatorTokenSource): Result<OperatorToken, string> {
  if (source.operatorToken !== undefined) {
    return fail(
      'Cannot make a new operator token: REPERTOIRE_OPERATOR_TOKEN sets it; change that variable where the server is started',
    );
  }
  const path = pathIn(source);
  return attempt(() => {
    writeToken(path, (temporary) => {
      renameSync(temporary, path);
      keepRename(path);
    });
    return readFile(path);
  });
}

const pathIn = ({ dataDirectory }: OperatorTokenSource): string => join(dataDirectory, 'operator-token');

function given(token: string): Result<OperatorToken, string> {
  const fault = operatorTokenFault(token);
  if (fault === undefined) return ok({ token, warning: undefined });
  return fail(`Cannot use REPERTOIRE_OPERATOR_TOKEN: ${fault}; set it to 32 or more random letters and digits`);
}

function writeToken(path: string, place: (temporary: string) => void): void {
  makeDirectory(dirname(path));
  clearLeftovers(path);
  withWholeFile(path, `${createOperatorToken()}\n`, 0o600, place);
}

const MOST_BYTES = 8_192;

function readFile(path: string): Result<OperatorToken, string> {
  // Without waiting: a pipe of that name does not block the start.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile())
      return fail(`Cannot use the operator token: operator-token in the data directory is no file; ${MOVE}`);
    const isOpen = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
    if (isOpen) fchmodSync(descriptor, 0o600);
    const bytes = Buffer.alloc(MOST_BYTES);
    const token = bytes.toString('latin1', 0, readSync(descriptor, bytes)).trim();
    const fault = operatorTokenFault(token);
    if (fault !== undefined) return fail(`Cannot use the operator token in the data directory: ${fault}; ${RENEW}`);
    return ok({ token, warning: isOpen ? CLOSED : undefined });
  } finally {
    closeSync(descriptor);
  }
}

const MOVE = 'move it away and start again';
const RENEW = 'make a new one with repertoire token --rotate';
const CLOSED =
  'Others could read the operator token: its file is now for you alone; make a new token with repertoire token --rotate';

function attempt(work: () => Result<OperatorToken, string>): Result<OperatorToken, string> {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error) ?? '';
    const reason =
      reasons[code] ?? (code.startsWith('E') ? `the system answers ${code}; look at that directory` : undefined);
    if (reason === undefined) throw error;
    return fail(`Cannot keep the operator token in the data directory: ${reason}`);
  }
}

const FORBIDDEN = 'permission is denied; give this user the right to write there, or set REPERTOIRE_OPERATOR_TOKEN';

const reasons: Readonly<Record<string, string>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: 'the disk is read-only; set REPERTOIRE_OPERATOR_TOKEN, or name another directory with --data',
  ENOSPC: 'the disk is full; make room on it',
  EDQUOT: 'the disk is full; make room on it',
  ENOENT: 'it cannot be made; name another directory with --data',
  ENOTDIR: 'it is a file or below one; name another directory with --data',
  EISDIR: `operator-token is a directory; ${MOVE}`,
  ELOOP: 'its links go in circles; fix them',
};
