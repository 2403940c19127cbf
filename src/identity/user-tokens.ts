// Issues and verifies users' tokens with the key of this installation, which is fetched when the first one comes (B2).
import { fail, ok, type Result } from '../values/result.ts';
import type { SecretStore } from './secret-store.ts';
import { randomText } from './token.ts';
import {
  type IssuedToken,
  importSigningKey,
  issueUserToken,
  isUserTokenShaped,
  type SigningKey,
  type UserClaims,
  type UserToken,
  verifyUserToken,
} from './user-token.ts';

export interface UserTokens {
  /** Rejects when the store that keeps the key cannot be reached. */
  issue(claims: UserClaims, seconds: number): Promise<IssuedToken>;
  /** `unavailable`: the key cannot be had now. */
  verify(token: string): Promise<Result<UserToken, 'bad' | 'unavailable'>>;
}

export interface UserTokenParts {
  /** `REPERTOIRE_SECRET`; absent: one that the store keeps. */
  readonly signingSecret: string | undefined;
  /** Absent: there is no store, so the key lives and dies with this process. */
  readonly secrets: SecretStore | undefined;
  readonly now: () => Date;
}

/** As many as the digest that HS256 is made of. */
const LEAST_BYTES = 32;
const NAME = 'user-token-key';

/** The failure is a sentence: whoever serves refuses to start with a weak key. */
export function createUserTokens({ signingSecret, secrets, now }: UserTokenParts): Result<UserTokens, string> {
  if (signingSecret !== undefined && Buffer.byteLength(signingSecret) < LEAST_BYTES) {
    return fail(
      `Cannot sign tokens: REPERTOIRE_SECRET has fewer than ${LEAST_BYTES} bytes; set it to ${LEAST_BYTES} or more random ones`,
    );
  }
  const key = once(async () => {
    return importSigningKey(signingSecret ?? (await secrets?.getOrAdd(NAME, randomText)) ?? randomText());
  });
  return ok({
    issue: async (claims, seconds) => issueUserToken(await key(), claims, { from: now(), seconds }),
    async verify(token) {
      if (!isUserTokenShaped(token)) return BAD;
      const found = await findKey(key);
      if (found === undefined) return UNAVAILABLE;
      const verified = await verifyUserToken(found, token, now());
      return verified === undefined ? BAD : ok(verified);
    },
  });
}

const BAD = fail('bad' as const);
const UNAVAILABLE = fail('unavailable' as const);

async function findKey(key: () => Promise<SigningKey>): Promise<SigningKey | undefined> {
  try {
    return await key();
  } catch {
    return undefined; // Whatever keeps the store from answering: the next token asks again.
  }
}

/** Shared by all who ask at once; a failure is not kept. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
