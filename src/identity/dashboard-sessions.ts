// The dashboard's session: a token, sealed with a key that all replicas have, so that the browser keeps nothing that is
// one. Nothing is stored: whoever brings a session is looked up by its token, as if that had come itself (H5).
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

interface Session {
  readonly token: string;
  /** Worth a new seal: whoever comes often stays. */
  readonly isOld: boolean;
}

export interface DashboardSessions {
  seal(token: string): string;
  /** `undefined`: none of ours, changed on the way, or over. */
  unseal(value: string): Session | undefined;
}

interface SessionParts {
  /** The same for every server that shall know the session, and after a restart. */
  readonly secret: string;
  readonly now: () => Date;
}

/** A week. The token in it may end before. */
export const SESSION_SECONDS = 604_800;
const OLD_SECONDS = 86_400;
/** How far clocks of several machines may differ. */
const LEEWAY_SECONDS = 60;

export function createDashboardSessions({ secret, now }: SessionParts): DashboardSessions {
  const key = keyOf(secret);
  const nowSeconds = () => Math.floor(now().getTime() / 1_000);
  return {
    seal: (token) => PREFIX + encrypt(key, `${nowSeconds()} ${token}`).toString('base64url'),
    unseal: (value) => {
      const text = decrypt(key, bytesOf(value));
      if (text === undefined) return undefined;
      const space = text.indexOf(' ');
      const age = nowSeconds() - Number(text.slice(0, space));
      if (age >= SESSION_SECONDS || age < -LEEWAY_SECONDS) return undefined;
      return { token: text.slice(space + 1), isOld: age >= OLD_SECONDS };
    },
  };
}

/** As tokens have one: what hides tokens in logs knows it. */
const PREFIX = 'rps_';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** For nothing else: the secret signs users' tokens, too, or is a token itself. */
const keyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'repertoire dashboard session', KEY_BYTES)));

function encrypt(key: KeyObject, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'latin1'), cipher.final(), cipher.getAuthTag()]);
}

/** The cipher compares its tag in constant time. */
function decrypt(key: KeyObject, bytes: Buffer): string | undefined {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'latin1');
  try {
    return text + decipher.final('latin1');
  } catch {
    return undefined; // The one way in which it says that the tag is not that of these bytes and this key.
  }
}

const NONE = Buffer.alloc(0);

/** One spelling for one session: Node reads base64url with strange characters and loose ends, too. */
function bytesOf(value: string): Buffer {
  if (!value.startsWith(PREFIX)) return NONE;
  const text = value.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : NONE;
}
