// Hashes of passwords: memory-hard, salted, and as slow for nobody as for somebody (B2, B4).
import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { createPasswords, UNUSED_HASH } from './passwords.ts';

const { signal } = new AbortController();
const passwords = createPasswords();

test('hash() is argon2id with a salt of its own, and matches() knows the password (B2)', async () => {
  const [one, two] = await Promise.all([
    passwords.hash('correct horse', signal),
    passwords.hash('correct horse', signal),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await passwords.matches('correct horse', one, signal)).toBe(true);
  expect(await passwords.matches('Correct horse', one, signal)).toBe(false);
});

test("nobody's hash costs what every other costs, and no password matches it (B4)", async () => {
  const fresh = await passwords.hash('correct horse', signal);
  expect(parseOptions(UNUSED_HASH)).toEqual(parseOptions(fresh));
  expect(await passwords.matches('correct horse', undefined, signal)).toBe(false);
});
