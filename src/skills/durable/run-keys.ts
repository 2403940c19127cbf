// Idempotency keys (J3): what a key stands for, as hashes that tell nothing of the key, the caller or the input.
import { createHmac, hkdfSync } from 'node:crypto';
import { keptPromise } from '../../async/kept-promise.ts';
import { type Caller, ownerKey } from '../../identity/caller.ts';
import { isPlainObject } from '../../values/field-rules.ts';
import type { RunKey } from './run-store.ts';

export type HashKey = (given: GivenKey) => Promise<RunKey>;

interface GivenKey {
  readonly key: string;
  readonly skill: string;
  readonly caller: Caller;
  readonly input: unknown;
}

/** `secret`: the same for every process of the store. */
export function createHashKey(secret: () => Promise<string>): HashKey {
  const hmacKey = keptPromise(async () => Buffer.from(hkdfSync('sha256', await secret(), '', 'repertoire/keys', 32)));
  return async ({ key, skill, caller, input }) => {
    const hashKey = await hmacKey.get();
    const hash = (...parts: readonly string[]) =>
      createHmac('sha256', hashKey).update(JSON.stringify(parts)).digest('hex');
    const keyHash = hash('key', ownerKey(caller), skill, key);
    return { keyHash, inputHash: hash('input', keyHash, canonicalJson(input)) };
  };
}

/** Ends the sentence "Idempotency-Key …"; `undefined` when it will do. */
export const keyFault = (key: string): string | undefined =>
  /^[\x21-\x7e]{1,255}$/.test(key) ? undefined : 'must have 1 to 255 visible characters';

/** The same text for the same JSON, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (isPlainObject(part) ? sorted(part) : part)) ?? 'null';
}

const sorted = (object: object): object =>
  Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
