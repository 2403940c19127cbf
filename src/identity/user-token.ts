// A user's token: a JWT with one algorithm and one key. Whatever is wrong with one, the answer is the same (B2).
import { randomUUID, type webcrypto } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { isUuid } from '../values/uuid.ts';

export type SigningKey = webcrypto.CryptoKey;

export interface UserClaims {
  readonly userId: string;
  readonly email: string;
  readonly scopes: readonly string[];
}

export interface UserToken extends UserClaims {
  readonly expiresAt: Date;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

const ALGORITHM = 'HS256';
/** Issuer and audience: nobody else's tokens are ours, though they were signed with the same key. */
const US = 'repertoire';
/** How far clocks of several machines may differ. A token ends when it ends: this is for its beginning. */
const LEEWAY_SECONDS = 60;
const MOST_LENGTH = 4_096;

/** Three parts of base64url, none of them empty. */
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/;

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
  { userId, email, scopes }: UserClaims,
  lifetime: { readonly from: Date; readonly seconds: number },
): Promise<IssuedToken> {
  const { SignJWT } = await import('jose');
  const issued = Math.floor(lifetime.from.getTime() / 1_000);
  const expires = issued + lifetime.seconds;
  const token = await new SignJWT({ email, scopes: [...scopes] })
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

/** What is missing is as wrong as what is wrong. */
function readClaims(payload: JWTPayload, nowSeconds: number): UserToken | undefined {
  const { sub = '', exp = 0, iat = Number.POSITIVE_INFINITY, jti, email, scopes } = payload;
  if (exp <= nowSeconds || iat > nowSeconds + LEEWAY_SECONDS) return undefined;
  if (!isUuid(sub) || typeof jti !== 'string' || jti === '') return undefined;
  if (typeof email !== 'string' || !isTexts(scopes)) return undefined;
  return { userId: sub, email, scopes, expiresAt: new Date(exp * 1_000) };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
