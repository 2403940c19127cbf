// Users: one suite for every store (B2, B4, B5).
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Accounts, createAccounts, STORE_KINDS, taskOf, userOf } from './accounts-world.ts';
import { moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
const openAccounts = createAccounts(world);

describe.each(STORE_KINDS)('on %s', (kind) => {
  let accounts: Accounts;
  beforeEach(async () => {
    accounts = await openAccounts(kind);
  });

  test('a user is there afterwards as given, without the hash; the hash is found by the email', async () => {
    const { users } = accounts;
    const user = userOf({ displayName: 'Åsa 🌱', createdAt: moment(123), passwordHash: '$argon2id$x' });
    expect(await users.create(user)).toBe(true);
    const { passwordHash, ...shown } = user;
    expect(await users.find(user.id)).toEqual(shown);
    expect(await users.findPassword(user.email)).toEqual({ userId: user.id, passwordHash });
    expect(await users.find(randomUUID())).toBeUndefined();
    expect(await users.findPassword('nobody@example.org')).toBeUndefined();
  });

  test('an email is unique without letter case, and keeps the case in which it was given (B5)', async () => {
    const { users } = accounts;
    const name = `Zoë.${randomUUID()}`;
    const first = userOf({ email: `${name}@Example.ORG` });
    expect(await users.create(first)).toBe(true);
    for (const email of [
      first.email,
      `${name.toUpperCase()}@EXAMPLE.org`,
      first.email.normalize('NFD').toLowerCase(),
    ]) {
      expect(await users.create(userOf({ email }))).toBe(false);
      expect(await users.findPassword(email)).toMatchObject({ userId: first.id });
    }
    expect((await users.find(first.id))?.email).toBe(`${name}@Example.ORG`);
  });

  test('of many who take one email at once one gets it (B5)', async () => {
    const { users } = accounts;
    const email = `${randomUUID()}@example.org`;
    const taken = await Promise.all(Array.from({ length: 20 }, () => users.create(userOf({ email }))));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test('a user who is deleted takes the tasks along, and no other user (B4)', async () => {
    const { users, tasks } = accounts;
    const [gone, stays] = [userOf(), userOf()];
    for (const user of [gone, stays]) await users.create(user);
    const [lost, kept] = [taskOf(gone.id), taskOf(stays.id)];
    for (const task of [lost, kept]) await tasks.create(task);
    expect(await users.delete(gone.id)).toBe(true);
    expect(await users.delete(gone.id)).toBe(false);
    expect(await users.find(gone.id)).toBeUndefined();
    expect(await users.findPassword(gone.email)).toBeUndefined();
    expect(await tasks.find(gone.id, lost.id)).toBeUndefined();
    expect(await tasks.find(stays.id, kept.id)).toEqual(kept);
    // The email is free again, and the tasks do not come back with it.
    expect(await users.create(gone)).toBe(true);
    expect(await tasks.list({ userId: gone.id, status: undefined, limit: 10, offset: 0 })).toEqual({
      tasks: [],
      totalCount: 0,
    });
  });
});
