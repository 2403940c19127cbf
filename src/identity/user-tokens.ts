// Users' tokens: JWTs of one algorithm, signed with the key of this installation, which is fetched when the first one comes.
// Whatever is wrong with a token, the answer is the same (B2).
import { randomUUID, type webcrypto } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { keptPromise } from '../async/kept-promise.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { StoreUnavailable } from '../values/store-unavailable.ts';
import { isUuid } from '../values/uuid.ts';
import { type Issuer, type Lent, lentBy, readLent } from './lent-grants.ts';
import { randomText } from './token.ts';

interface UserClaims {
  readonly userId: string;
  readonly email: string;
  /** What the issuer wrote into it, for programs of their own: it grants nothing here (N6). */
  readonly scopes: readonly string[];
}

/** `issuer`: who asks for it: no more of what its user was granted comes with it than they have themselves. Absent: nothing. */
export interface NewUserToken extends UserClaims {
  readonly issuer?: Issuer | undefined;
}

export interface UserToken extends UserClaims {
  readonly lends: Lent;
  readonly expiresAt: Date;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Keeps secrets that all processes share (B2). Implemented in store/. */
export interface SecretStore {
  /** The one of this name; made by the first call. Rejects when the store cannot be reached. */
  getOrAdd(name: string, make: () => string): Promise<string>;
}

export interface UserTokens {
  /** Rejects when the store that keeps the key cannot be reached. */
  issue(claims: NewUserToken, seconds: number): Promise<IssuedToken>;
  /** `unavailable`: the key cannot be had now. */
  verify(token: string): Promise<Result<UserToken, 'bad' | 'unavailable'>>;
}

export interface UserTokenParts {
  /** `REPERTOIRE_SECRET`; absent: one that the store keeps. */
  readonly signingSecret: string | undefined;
  /** Absent: there is no store, so the key lasts as long as this process. */
  readonly secrets: SecretStore | undefined;
  readonly now: () => Date;
}

/** As many as the digest that HS256 is made of. */
const LEAST_BYTES = 32;
const NAME = 'user-token-key';

/** As long as the digest that it is made into. */
export const isStrongSecret = (secret: string): boolean => Buffer.byteLength(secret) >= LEAST_BYTES;

/** The failure is a sentence: `serve` refuses to start with a weak key. */
export function createUserTokens({ signingSecret, secrets, now }: UserTokenParts): Result<UserTokens, string> {
  if (signingSecret !== undefined && !isStrongSecret(signingSecret)) {
    return fail(
      `Cannot sign tokens: REPERTOIRE_SECRET has fewer than ${LEAST_BYTES} bytes; set it to ${LEAST_BYTES} or more random ones`,
    );
  }
  const key = keptPromise(async () =>
    importSigningKey(signingSecret ?? (await secrets?.getOrAdd(NAME, randomText)) ?? randomText()),
  );
  return ok({
    issue: async (claims, seconds) => issueUserToken(await key.get(), claims, { from: now(), seconds }),
    async verify(token) {
      if (!isUserTokenShaped(token)) return BAD;
      const found = await findKey(key.get);
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
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined; // The next token asks again.
    throw error;
  }
}

export type SigningKey = webcrypto.CryptoKey;

const ALGORITHM = 'HS256';
/** Issuer and audience: tokens of other programs are not ours, though they were signed with the same key. */
const US = 'repertoire';
/** How far clocks of several machines may differ. Not for the end of a token: for its beginning. */
const LEEWAY_SECONDS = 60;
/** 256 scopes of 256 characters, each of four bytes. In a header Node takes less. */
const MOST_LENGTH = 360_000;

/** Three parts of base64url, the last of which has the 32 bytes of HS256. */
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]{43}$/;

/** Looks like one: worth a look at its signature. */
export const isUserTokenShaped = (token: string): boolean => token.length <= MOST_LENGTH && SHAPE.test(token);

/** The bytes of a secret as a key that can do nothing else than HS256. */
export const importSigningKey = (secret: string): Promise<SigningKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);

export async function issueUserToken(
  key: SigningKey,
  { userId, email, scopes, issuer }: NewUserToken,
  lifetime: { readonly from: Date; readonly seconds: number },
): Promise<IssuedToken> {
  const { SignJWT } = await import('jose');
  const issued = Math.floor(lifetime.from.getTime() / 1_000);
  const expires = issued + lifetime.seconds;
  const token = await new SignJWT({ email, scopes: [...scopes], ...(issuer && { lends: lentBy(issuer) }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(US)
    .setAudience(US)
    .setSubject(userId)
    .setJti(randomUUID())
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(key);
  return { token, expiresAt: new Date(expires * 1_000) };
}

export async function verifyUserToken(key: SigningKey, token: string, now: Date): Promise<UserToken | undefined> {
  if (!isUserTokenShaped(token)) return undefined;
  // Loaded by the first such token: most servers never see one.
  const { jwtVerify, errors } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: US,
      audience: US,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: now,
    });
    return readClaims(payload, now.getTime() / 1_000);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** What is missing is as wrong as what is wrong. The library's types are promises of the token: here they are checked. */
function readClaims(payload: JWTPayload, nowSeconds: number): UserToken | undefined {
  const { sub, exp, iat, jti, email, scopes, lends } = payload as Readonly<Record<string, unknown>>;
  if (!isTime(exp) || !isTime(iat)) return undefined;
  if (exp <= nowSeconds || iat > nowSeconds + LEEWAY_SECONDS) return undefined;
  if (typeof sub !== 'string' || !isUuid(sub) || typeof jti !== 'string' || jti === '') return undefined;
  if (typeof email !== 'string' || !isTexts(scopes)) return undefined;
  return { userId: sub, email, scopes, lends: readLent(lends), expiresAt: new Date(exp * 1_000) };
}

/** Seconds that a date can hold: JSON has numbers without an end, too (1e999). */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && !Number.isNaN(new Date(value * 1_000).getTime());

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
