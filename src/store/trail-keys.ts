// The keys of the trail: from REPERTOIRE_SECRET, else from a file in the data directory; never from the database (L5).
import { join } from 'node:path';
import { randomText } from '../identity/token.ts';
import { isStrongSecret } from '../identity/user-tokens.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { addSecret, isSecretThere, MOVE, readSecret, withSecretFile } from './secret-file.ts';
import { KeyUnavailable } from './store-errors.ts';
import { createTrailKey, type TrailKey } from './trail-hash.ts';

export interface TrailKeySource {
  /** Absolute; made when it is not there and a key has to be. */
  readonly dataDirectory: string;
  /** `REPERTOIRE_SECRET`, the same for several servers. */
  readonly secret: string | undefined;
}

export interface TrailKeys {
  /** To write with: made when there is none. Throws KeyUnavailable. */
  own(): TrailKey;
  /** To look with: also the file's where a secret is set now, for entries from before. Makes nothing. Throws KeyUnavailable. */
  known(): readonly TrailKey[];
}

const FILE = 'trail-key';
const WORDS = { what: 'the key of the trail', file: FILE, variable: 'REPERTOIRE_SECRET' } as const;

/** Nothing is read before it is needed. */
export function createTrailKeys(source: TrailKeySource | undefined): TrailKeys {
  let own: TrailKey | undefined;
  const readSource = () => {
    if (source === undefined) throw new Error('The trail of a PostgreSQL needs a key: pass trailKey');
    return { secret: source.secret, path: join(source.dataDirectory, FILE) };
  };
  return {
    own() {
      const { secret, path } = readSource();
      own ??= getOrThrow(secret === undefined ? openKeyFile(path) : givenKey(secret));
      return own;
    },
    known() {
      const { secret, path } = readSource();
      const given = secret === undefined ? [] : [getOrThrow(givenKey(secret))];
      return isSecretThere(path) ? [...given, getOrThrow(withSecretFile(WORDS, () => readKey(path)))] : given;
    },
  };
}

function givenKey(secret: string): Result<TrailKey, string> {
  if (isStrongSecret(secret)) return ok(createTrailKey(secret));
  return fail('Cannot key the trail: REPERTOIRE_SECRET has fewer than 32 bytes; set it to 32 or more random ones');
}

/** Processes that start at the same time all get the same. */
const openKeyFile = (path: string): Result<TrailKey, string> =>
  withSecretFile(WORDS, () => {
    addSecret(path, randomText);
    return readKey(path);
  });

function readKey(path: string): Result<TrailKey, string> {
  const secret = readSecret(path);
  if (secret === undefined) return fail(`Cannot key the trail: ${FILE} in the data directory is no file; ${MOVE}`);
  if (isStrongSecret(secret.text)) return ok(createTrailKey(secret.text));
  // Never a reason for a new one: no entry from before could be verified any more.
  return fail(`Cannot key the trail: ${FILE} in the data directory is cut off; restore it from a backup`);
}

function getOrThrow(opened: Result<TrailKey, string>): TrailKey {
  if (!opened.ok) throw new KeyUnavailable(opened.failure);
  return opened.value;
}
