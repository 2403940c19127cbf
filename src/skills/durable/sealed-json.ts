// Values that wait in the store for their run, encrypted: what the log redacts must not be beside it in plain text (J6).
import { createCipheriv, createDecipheriv, type DecipherGCM, hkdfSync, randomBytes } from 'node:crypto';
import { keptPromise } from '../../async/kept-promise.ts';

export interface SealedJson {
  /** `about`: what it belongs to; opened for anything else it is no value. Rejects when the key cannot be had. */
  seal(value: unknown, about: string): Promise<string>;
  /** Rejects when it was changed, belongs to something else, or was sealed with another key. */
  unseal(text: string, about: string): Promise<unknown>;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `secret`: the same for every process that may take up the run, and after a restart. `purpose`: each has a key of its own. */
export function createSealedJson(secret: () => Promise<string>, purpose = 'repertoire/runs'): SealedJson {
  const key = keptPromise(async () => Buffer.from(hkdfSync('sha256', await secret(), '', purpose, 32)));
  return {
    seal: async (value, about) => sealWith(await key.get(), value, about),
    unseal: async (text, about) => unsealWith(await key.get(), text, about),
  };
}

function sealWith(key: Buffer, value: unknown, about: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(JSON.stringify(value) ?? 'null', 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]).toString('base64');
}

function unsealWith(key: Buffer, text: string, about: string): unknown {
  const bytes = Buffer.from(text, 'base64');
  // The decoder skips what is not Base64: without this, a text changed that way would still open.
  if (bytes.toString('base64') !== text) throw new Error('Cannot open a sealed value: it was changed');
  const [nonceEnd, tagEnd] = [1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES];
  if (bytes.length < tagEnd || bytes[0] !== VERSION) throw new Error('Cannot open a sealed value: it is none of ours');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, nonceEnd), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(nonceEnd, tagEnd));
  const body = decipher.update(bytes.subarray(tagEnd));
  return JSON.parse(Buffer.concat([body, finalOf(decipher)]).toString('utf8'));
}

function finalOf(decipher: DecipherGCM): Buffer {
  try {
    return decipher.final();
  } catch (cause) {
    // The only way in which it fails: the tag does not fit. Operators read this.
    const what = 'it was sealed with another key, or changed; give every server the same REPERTOIRE_SECRET';
    throw new Error(`Cannot open a sealed value: ${what}`, { cause });
  }
}
