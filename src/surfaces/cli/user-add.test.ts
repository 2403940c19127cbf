// `user add` on a real folder: the person can sign in, the trail knows, and the password is nowhere (N6, L5).
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PATIENT } from '../../../tests/support/patience.ts';
import { createPasswords } from '../../builtin/users/passwords.ts';
import { openStore } from '../../store/store.ts';
import { ok } from '../../values/result.ts';
import { createCommandWorld } from './fixtures/command-world.ts';
import type { OptionName } from './options.ts';
import { readSecretLine } from './terminal/ask-secret.ts';
import { run } from './user-add.ts';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'repertoire-user-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const PASSWORD = 'correct horse battery';

async function add(email: string | undefined, password: string, flags: readonly OptionName[] = []) {
  const operands = email === undefined ? ['add'] : ['add', email];
  const world = createCommandWorld({ given: { data }, operands, flags });
  const code = await run(world.context, async () => ok(password));
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test('a person is added who can sign in, with an entry in the trail, and the password is kept as a hash (N6, L5)', async () => {
  const added = await add('Grace@Example.com', PASSWORD, ['json']);
  expect([added.code, JSON.parse(added.stdout)]).toMatchObject([0, { email: 'Grace@Example.com' }]);
  const store = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
  const { entries } = await store.trail.list({ limit: 5 });
  const stored = await store.users.findPassword('grace@example.com');
  await store.close();
  expect(entries).toMatchObject([{ actor: 'local', action: 'user.add', subject: 'Grace@Example.com' }]);
  const signal = new AbortController().signal;
  expect(await createPasswords().matches(PASSWORD, stored?.passwordHash, signal)).toBe(true);
  for (const file of readdirSync(data, { withFileTypes: true }))
    if (file.isFile()) expect(readFileSync(join(data, file.name), 'latin1')).not.toContain(PASSWORD);
});

test('an email that is taken or none, and a short password, are one sentence, and nothing is entered (N6)', async () => {
  expect((await add('ada@example.com', PASSWORD)).stderr).toMatch(/^ada@example\.com may sign in .*user grant/);
  for (const [email, password, reason] of [
    ['ADA@example.com', PASSWORD, /belongs to another user already/],
    ['ada', PASSWORD, /must be an email address/],
    ['bob@example.com', 'short', /at least 8 characters/],
  ] as const) {
    const { code, stdout, stderr } = await add(email, password);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(reason)]);
    expect(stderr).toMatch(/^Cannot add "[^"]+": [^\n]+\n$/);
    expect(stderr).not.toContain(password);
  }
  expect((await add(undefined, PASSWORD)).code).toBe(2);
  const store = openStore({ kind: 'sqlite', dataDirectory: data }, PATIENT);
  expect((await store.trail.list({ limit: 5 })).entries).toHaveLength(1);
  await store.close();
});

test('a store that cannot be used is told as by every other command (N7)', async () => {
  writeFileSync(join(data, 'repertoire.db'), 'no database at all, and longer than the header of one '.repeat(4));
  const { code, stdout, stderr } = await add('ada@example.com', PASSWORD);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^Cannot use the log: its file is damaged; [^\n]+\n$/),
  ]);
});

test('the password is the first line of standard input, whole, however it arrives (N6)', async () => {
  const from = async function* (...parts: readonly string[]) {
    for (const part of parts) yield Buffer.from(part);
  };
  expect(await readSecretLine(from('two ', 'words\r\nmore'))).toBe('two words');
  expect(await readSecretLine(from('no end'))).toBe('no end');
  expect(await readSecretLine(from('\n'))).toBeUndefined();
  expect(await readSecretLine(from())).toBeUndefined();
});
