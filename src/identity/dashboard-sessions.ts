// The dashboard's session: a token, or who signed in with a password, in an encrypted JWT, sealed with a key that all replicas
// have, so that the browser holds nothing that is a token. Nothing is stored: its token or its user is looked up with each
// request, as if that had been sent (H5, N6).
import { hkdfSync, type webcrypto } from 'node:crypto';
import { createBoundedMap } from '../async/bounded-map.ts';
import { keptPromise } from '../async/kept-promise.ts';
import type { SignedIn } from './authentication.ts';

/** A token, or a person who signed in with email and password. */
export type SessionOwner = string | SignedIn;

export interface DashboardSession {
  readonly owner: SessionOwner;
  /** To be replaced by a new one: a person who comes often stays signed in. */
  readonly isOld: boolean;
}

export interface DashboardSessions {
  seal(owner: SessionOwner): Promise<string>;
  /** `undefined`: none of ours, changed on the way, or expired. At once for one that was opened lately. */
  unseal(value: string): DashboardSession | undefined | Promise<DashboardSession | undefined>;
}

export interface RenewableSessions extends DashboardSessions {
  /** From now on: what was sealed with another one is none of ours. */
  replaceSecret(secret: string): void;
}

interface SessionParts {
  /** The same for every server that shall know the session, and after a restart. */
  readonly secret: string;
  readonly now: () => Date;
}

/** What was sealed. In seconds since 1970. */
interface Sealed {
  readonly owner: SessionOwner;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A week. The token in it may expire before, the person be deleted. */
export const SESSION_SECONDS = 604_800;
const OLD_SECONDS = 86_400;
/** How far clocks of several machines may differ. */
const LEEWAY_SECONDS = 60;
/** Of those that were opened: decrypting takes longer than the rest of a small request. */
const MOST_OPENED = 1_000;
/** Then it is opened again: its token must not stay in memory long after the person has left. */
const OPENED_MS = 5 * 60_000;

export function createDashboardSessions({ secret, now }: SessionParts): RenewableSessions {
  let key = keptPromise(() => importKey(secret));
  const opened = createBoundedMap<string, Sealed>({ most: MOST_OPENED });
  const nowSeconds = () => Math.floor(now().getTime() / 1_000);
  const toSession = ({ owner, issuedAt, expiresAt }: Sealed): DashboardSession | undefined => {
    const at = nowSeconds();
    if (at >= expiresAt || at < issuedAt - LEEWAY_SECONDS) return undefined;
    return { owner, isOld: at >= issuedAt + OLD_SECONDS };
  };
  const open = async (value: string) => {
    const keyThen = key;
    const sealed = await decrypt(await keyThen.get(), value.slice(PREFIX.length), now());
    if (sealed === undefined || keyThen !== key) return undefined;
    const session = toSession(sealed);
    if (session === undefined) return undefined;
    opened.set(value, sealed);
    setTimeout(() => opened.delete(value), OPENED_MS).unref();
    return session;
  };
  return {
    seal: async (owner) => PREFIX + (await encrypt(await key.get(), owner, nowSeconds())),
    unseal: (value) => {
      const known = opened.get(value);
      if (known === undefined) return isOneSpelling(value) ? open(value) : undefined;
      const session = toSession(known);
      if (session === undefined) opened.delete(value);
      return session;
    },
    replaceSecret: (another) => {
      key = keptPromise(() => importKey(another));
      opened.clear();
    },
  };
}

/** As tokens have one: what hides tokens in logs knows it. */
const PREFIX = 'rps_';
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

type SessionKey = webcrypto.CryptoKey;

/** For nothing else: the secret signs users' tokens, too, or is a token itself. */
const importKey = (secret: string): Promise<SessionKey> => {
  const bytes = hkdfSync('sha256', secret, '', 'repertoire dashboard session', 32);
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
};

async function encrypt(key: SessionKey, owner: SessionOwner, issuedAt: number): Promise<string> {
  // Loaded by the first session: a server for programs alone never needs it.
  const { EncryptJWT } = await import('jose');
  return new EncryptJWT(typeof owner === 'string' ? { token: owner } : claimsOf(owner))
    .setProtectedHeader(HEADER)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + SESSION_SECONDS)
    .encrypt(key);
}

async function decrypt(key: SessionKey, text: string, now: Date): Promise<Sealed | undefined> {
  const { jwtDecrypt, errors } = await import('jose');
  try {
    const { payload } = await jwtDecrypt(text, key, {
      keyManagementAlgorithms: [HEADER.alg],
      contentEncryptionAlgorithms: [HEADER.enc],
      currentDate: now,
    });
    const { token, iat, exp } = payload;
    const owner = typeof token === 'string' ? token : signedInOf(payload);
    if (owner === undefined || iat === undefined || exp === undefined) return undefined;
    return { owner, issuedAt: iat, expiresAt: exp };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

const claimsOf = ({ userId, at }: SignedIn) => ({ user: userId, signed_in: at.getTime() });

function signedInOf({ user, signed_in: ms }: Readonly<Record<string, unknown>>): SignedIn | undefined {
  return typeof user === 'string' && typeof ms === 'number' ? { userId: user, at: new Date(ms) } : undefined;
}

/** The five parts of an encrypted JWT, of which the second is empty with a key of our own. */
const SHAPE = /^rps_[\w-]+\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/;

/** Base64url can be read with loose ends, too: of one session only the spelling that was sent out is good. */
const isOneSpelling = (value: string): boolean =>
  SHAPE.test(value) &&
  value
    .slice(PREFIX.length)
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
