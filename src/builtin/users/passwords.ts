// Passwords as they are stored: argon2id, so that guessing costs memory and time (B2). The only file that loads argon2.
import type { Options } from '@node-rs/argon2';
import { createTurns } from '../../async/turns.ts';

export interface Passwords {
  hash(password: string, signal: AbortSignal): Promise<string>;
  /** Takes as long without a hash to compare with: the time does not tell whether there is one. */
  matches(password: string, hash: string | undefined, signal: AbortSignal): Promise<boolean>;
}

/** What OWASP recommends at least: 19 MiB and two passes, about 20 ms. */
const SETTINGS: Options = {
  // Argon2id. The package's enum has no value at run time.
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
};

/** Of a random password that was thrown away, made with these settings. */
export const UNUSED_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$gjvzjYt/xWqbvAp41rq+Gg$s5wLh1EQmlUDTlydtOwmjtxZNqgeFP6hX5VRj91ON0E';

/** It runs on Node's four threads for slow work: some stay free for files and names. */
const AT_ONCE = 2;

export function createPasswords(): Passwords {
  const inTurn = createTurns(AT_ONCE);
  const load = () => import('@node-rs/argon2');
  return {
    hash: (password, signal) => inTurn(async () => (await load()).hash(password, SETTINGS), signal),
    matches: async (password, hash = UNUSED_HASH, signal) => {
      const isRight = await inTurn(async () => (await load()).verify(hash, password), signal);
      return isRight && hash !== UNUSED_HASH;
    },
  };
}
