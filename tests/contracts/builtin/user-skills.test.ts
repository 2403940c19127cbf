// The user skills: limits on both sides, duplicates, passwords that nobody sees, throttled tries, on every store (B2, B4, B5).
import { randomUUID } from 'node:crypto';
import type * as Argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { NOW as BEGIN, type Builtin, KINDS, PASSWORD, useBuiltinWorld } from './builtin-world.ts';

const world = useBuiltinWorld();

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOW = BEGIN.toISOString();
const SEEDLING = '🌱';

/** An address that nobody has, of so many code points. */
const addressOf = (length: number) => `${randomUUID()}@${SEEDLING.repeat(length - 39)}.x`;

describe.each(KINDS)('on %s', (kind) => {
  let builtin: Builtin;
  let email: string;
  beforeAll(async () => {
    builtin = await world.open(kind);
  });
  beforeEach(() => {
    email = `${randomUUID()}@example.org`;
  });
  afterAll(() => world.closeAll());

  const create = (given: object = {}) => builtin.invoke('user_creation', { email, password: PASSWORD, ...given });
  const check = (password: string, address = email) =>
    builtin.output('credential_validation', { email: address, password });

  test('user_creation gives the id, the email as given, and when (B2)', async () => {
    const made = await builtin.output('user_creation', { email: email.toUpperCase(), password: PASSWORD });
    expect(made).toEqual({ user_id: expect.stringMatching(UUID), email: email.toUpperCase(), created_at: NOW });
    expect(await builtin.users.find(String(made.user_id))).toMatchObject({ displayName: null });
    expect((await builtin.users.findPassword(email))?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test.each([
    ['the shortest email', () => ({ email: `${String.fromCodePoint(0x1f300 + Math.floor(Math.random() * 400))}@b.c` })],
    ['an email of 254', () => ({ email: addressOf(254) })],
    ['a password of 8', () => ({ password: SEEDLING.repeat(8) })],
    ['a password of 128', () => ({ password: SEEDLING.repeat(128) })],
    ['a display name of 0', () => ({ display_name: '' })],
    ['a display name of 100', () => ({ display_name: SEEDLING.repeat(100) })],
    ['a display name of null', () => ({ display_name: null })],
  ])('user_creation takes %s (B5)', async (_what, given) => {
    const input = given();
    const answer = await create(input);
    expect(answer).toMatchObject({ success: true });
    const user = answer.success ? await builtin.users.find(String(answer.outputPayload.user_id)) : undefined;
    expect(user).toMatchObject({ email: 'email' in input ? input.email : email });
    expect(user?.displayName).toBe('display_name' in input ? input.display_name : null);
  });

  test.each([
    ['no email', { email: undefined }, 'email: is required'],
    ['an email of null', { email: null }, 'email: '],
    ['an email without @', { email: 'a.b' }, 'email: must be an email address'],
    ['an email without a dot', { email: 'a@b' }, 'email: must be an email address'],
    ['an email with two @', { email: 'a@b@c.d' }, 'email: must be an email address'],
    ['an email without a name', { email: '@b.c' }, 'email: must be an email address'],
    ['an email that ends with a dot', { email: 'a@b.' }, 'email: must be an email address'],
    ['an email of 255', { email: addressOf(255) }, 'email: must have at most 254 characters'],
    ['no password', { password: undefined }, 'password: is required'],
    ['a password of 7', { password: SEEDLING.repeat(7) }, 'password: must have at least 8 characters'],
    ['a password of 129', { password: SEEDLING.repeat(129) }, 'password: must have at most 128 characters'],
    ['a display name of 101', { display_name: 'x'.repeat(101) }, 'display_name: must have at most 100 characters'],
    ['an unknown field', { is_admin: true }, 'is_admin: is not a known field'],
  ])('user_creation refuses %s (B5)', async (_what, given, complaint) => {
    const answer = await create(given);
    expect(answer).toMatchObject({ success: false, failure: { code: 'VALIDATION_ERROR' } });
    expect(answer.success || answer.failure.message).toContain(complaint);
    expect(await builtin.users.findPassword(email)).toBeUndefined();
  });

  test('an email that makes patterns slow is refused (B5)', async () => {
    // A pattern that begins anew at each dot would take minutes: longer than a test may.
    expect(await create({ email: `a@${'.'.repeat(900_000)}@` })).toMatchObject({ success: false });
  });

  test('an email that somebody has is refused in any letter case, naming the field (B5)', async () => {
    await builtin.createUser(email);
    expect(await create({ email: email.toUpperCase() })).toMatchObject({
      success: false,
      failure: {
        code: 'VALIDATION_ERROR',
        message: 'Input validation failed: email: belongs to another user already',
        details: { violations: [{ path: 'email' }] },
      },
    });
  });

  test('credential_validation: right, wrong, unknown; one answer for everything that is not right (B4)', async () => {
    const user_id = await builtin.createUser(email);
    expect(await check(PASSWORD)).toEqual({ valid: true, user_id });
    expect(await check(PASSWORD, email.toUpperCase())).toEqual({ valid: true, user_id });
    for (const [password, address] of [
      [`${PASSWORD} `, email],
      [PASSWORD.toUpperCase(), email],
      ['x', email],
      [PASSWORD, `${randomUUID()}@example.org`],
      [PASSWORD, 'no address'],
    ] as const) {
      expect(await check(password, address)).toEqual({ valid: false, user_id: null });
    }
  });

  test('a password is the same however its accents were typed (B2)', async () => {
    await create({ password: 'pässwörd'.normalize('NFD') });
    expect(await check('pässwörd'.normalize('NFC'))).toMatchObject({ valid: true });
    expect(await check('password')).toMatchObject({ valid: false });
  });

  test.each([
    ['an email of 0', { email: '' }, 'email: '],
    ['an email of 255', { email: 'x'.repeat(255) }, 'email: '],
    ['a password of 0', { password: '' }, 'password: '],
    ['a password of 4097', { password: 'x'.repeat(4_097) }, 'password: '],
  ])('credential_validation refuses %s (B4)', async (_what, given, complaint) => {
    const said = await builtin.failure('credential_validation', { email, password: PASSWORD, ...given });
    expect(said).toMatch(/^VALIDATION_ERROR /);
    expect(said).toContain(complaint);
  });

  test('ten tries per minute and email, however it is written, known or not (B4)', async () => {
    await builtin.createUser(email);
    for (const address of [email, `jos\u00e9-${randomUUID()}@example.org`]) {
      const written = [address, address.toUpperCase(), ` ${address}\t`, address.normalize('NFD'), `\u00a0${address}`];
      const spellings = [...written, ...written];
      await Promise.all(spellings.map((spelling) => check('wrong', spelling)));
      builtin.clock.monotonicMs += 1_500;
      const input = { email: address, password: PASSWORD };
      expect(await builtin.failure('credential_validation', input)).toBe(
        'RATE_EXCEEDED Rate limit exceeded. Retry after 59s',
      );
    }
    expect(await check(PASSWORD, `${randomUUID()}@example.org`)).toMatchObject({ valid: false });
    builtin.clock.monotonicMs += 58_500;
    expect(await check(PASSWORD)).toMatchObject({ valid: true });
  });

  test('no password and no hash is in the log, an answer, an error or a line (B2, T9)', async () => {
    const secret = 'S3cret-Pass-phrase';
    const before = builtin.log.ended.length;
    await create({ password: secret });
    await create({ password: secret, display_name: `my password is ${secret}` });
    await create({ email: secret, password: secret });
    await create({ passwort: secret });
    await check(secret);
    await check(`${secret}?`);
    const seen = JSON.stringify([builtin.log.begun, builtin.log.ended, builtin.lines]);
    expect(builtin.log.ended).toHaveLength(before + 6);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain('argon2');
    expect(seen).toContain('[redacted]');
  });

  test('account_deletion takes tasks, password and email along (B4)', async () => {
    const user_id = await builtin.createUser(email);
    const task_id = await builtin.createTask(user_id);
    const other = await builtin.createUser();
    await builtin.createTask(other);
    expect(await builtin.output('account_deletion', { user_id })).toEqual({ user_id, deleted_at: NOW });
    expect(await builtin.failure('account_deletion', { user_id })).toBe(
      `NOT_FOUND Resource not found: user ${user_id}`,
    );
    expect(await builtin.failure('task_retrieval', { user_id })).toMatch(/^NOT_FOUND .*user/);
    expect(await builtin.tasks.find(user_id, task_id)).toBeUndefined();
    expect(await check(PASSWORD)).toEqual({ valid: false, user_id: null });
    expect(await builtin.output('task_retrieval', { user_id: other })).toMatchObject({ total_count: 1 });
    expect(await builtin.createUser(email)).not.toBe(user_id);
  });
});

test('an unknown user costs the same work as a wrong password (B4)', async () => {
  const builtin = await world.open('memory');
  const email = `${randomUUID()}@example.org`;
  await builtin.createUser(email);
  const compared = spyOnComparisons();
  const workFor = async (address: string) => {
    compared.length = 0;
    await builtin.output('credential_validation', { email: address, password: 'wrong password' });
    // Everything but salt and hash: algorithm, version, memory, passes.
    return compared.map((hash) => hash.split('$').slice(0, 4));
  };
  const known = await workFor(email);
  expect(known).toEqual([['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']]);
  expect(await workFor('nobody@example.org')).toEqual(known);
});

/** The hashes that passwords are compared with until the end of the test, by the real argon2: it is loaded for each. */
function spyOnComparisons(): string[] {
  const compared: string[] = [];
  vi.doMock('@node-rs/argon2', async (importOriginal) => {
    const argon2 = await importOriginal<typeof Argon2>();
    const verify: typeof argon2.verify = (hash, ...rest) => {
      compared.push(String(hash));
      return argon2.verify(hash, ...rest);
    };
    return { ...argon2, verify };
  });
  onTestFinished(() => void vi.doUnmock('@node-rs/argon2'));
  return compared;
}
