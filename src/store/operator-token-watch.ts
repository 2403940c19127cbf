// Notices that the operator's token was rotated while a server runs, also by a process on another machine that shares the data
// directory (H5, N3).
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorTokenFault } from '../identity/token.ts';
import { codeOf } from '../values/error-code.ts';
import { TOKEN_FILE } from './operator-token-file.ts';

export interface TokenWatch {
  readonly dataDirectory: string;
  /** The one that is valid now. */
  readonly token: string;
  readonly onRotated: (token: string) => void;
  /** A sentence, once: the file holds no token any more. The last one stays valid. */
  readonly onProblem: (message: string) => void;
  readonly everyMs?: number;
}

/** Read and not only looked at: a shared disk may answer with times from its memory, and opening a file asks again. */
const EVERY_MS = 500;

/** Answers how to stop. Does not keep the process alive. */
export function watchOperatorToken({
  dataDirectory,
  onRotated,
  onProblem,
  everyMs = EVERY_MS,
  ...at
}: TokenWatch): () => void {
  const path = join(dataDirectory, TOKEN_FILE);
  let { token } = at;
  const buffer = Buffer.alloc(MOST_BYTES);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  // Twice: an editor may be writing it.
  let faults = 0;
  const look = async () => {
    const found = await readToken(path, token, buffer);
    if (isStopped) return;
    faults = found === undefined ? faults + 1 : 0;
    if (faults === 2) onProblem(UNREADABLE);
    if (found !== undefined && found !== token) {
      token = found;
      onRotated(found);
    }
    wait();
  };
  const wait = () => {
    timer = setTimeout(() => void look(), everyMs).unref();
  };
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const UNREADABLE =
  'Cannot read the operator token in the data directory any more: the last one stays valid until the server stops; put the file back, or make a new one with `repertoire token --rotate`';

/** Far more than a token has. */
const MOST_BYTES = 8_192;

/** Undefined: there is none now, for whatever reason. It is read all the time: what only a new one needs is not asked else. */
async function readToken(path: string, known: string, buffer: Buffer): Promise<string | undefined> {
  try {
    // Without waiting: a pipe of that name is not read.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { bytesRead } = await file.read(buffer, 0, MOST_BYTES);
      const token = buffer.toString('latin1', 0, bytesRead).trim();
      if (token === known) return token;
      return operatorTokenFault(token) === undefined && (await file.stat()).isFile() ? token : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
