// People and what they were granted: one suite for every store (N6).
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Grants } from '../../../src/identity/people.ts';
import { BadCursor } from '../../../src/skills/record/invocation-log.ts';
import { type Accounts, createAccounts, STORE_KINDS, userOf } from './accounts-world.ts';
import { moment } from './store-world.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
const openAccounts = createAccounts(world);

const NONE: Grants = { roles: [], scopes: [] };

describe.each(STORE_KINDS)('on %s', (kind) => {
  let accounts: Accounts;
  beforeEach(async () => {
    accounts = await openAccounts(kind);
  });

  const grant = (email: string, grants: Grants) =>
    accounts.people.grant({ email, grants, actor: 'local', at: moment() });
  const ungrant = (email: string, grants: Grants | 'all') =>
    accounts.people.ungrant({ email, grants, actor: 'local', at: moment() });

  test('a new user has nothing; grants add up, in whatever letter case the email is written (N6)', async () => {
    const user = userOf({ displayName: 'Åsa' });
    await accounts.users.create(user);
    const { passwordHash: _secret, ...shown } = user;
    expect(await accounts.people.find(user.id)).toEqual({ ...shown, ...NONE });
    await grant(user.email.toUpperCase(), { roles: ['Planner', 'Clerk'], scopes: ['runs:approve'] });
    const after = await grant(user.email, { roles: ['Clerk', '*'], scopes: ['log:read', 'log:read'] });
    const granted = { roles: ['*', 'Clerk', 'Planner'], scopes: ['log:read', 'runs:approve'] };
    expect(after).toEqual({ ...shown, ...granted });
    expect(await accounts.people.find(user.id)).toEqual(after);
  });

  test('ungrant takes the named ones away, once or twice, or everything (N6)', async () => {
    const user = userOf();
    await accounts.users.create(user);
    await grant(user.email, { roles: ['A', 'B'], scopes: ['log:read', 'skills:propose'] });
    const left = { roles: ['B'], scopes: ['skills:propose'] };
    for (const _again of [1, 2])
      expect(await ungrant(user.email, { roles: ['A', 'never'], scopes: ['log:read'] })).toMatchObject(left);
    expect(await ungrant(user.email, NONE)).toMatchObject(left);
    for (const _again of [1, 2]) expect(await ungrant(user.email, 'all')).toMatchObject(NONE);
  });

  test('what one person has is no other’s, and an email of no user changes nothing (N6)', async () => {
    const [one, other] = [userOf(), userOf()];
    for (const user of [one, other]) await accounts.users.create(user);
    await grant(one.email, { roles: ['A'], scopes: ['log:read'] });
    expect(await accounts.people.find(other.id)).toMatchObject(NONE);
    expect(await grant(`${randomUUID()}@example.org`, { roles: ['A'], scopes: [] })).toBeUndefined();
    expect(await ungrant(`${randomUUID()}@example.org`, 'all')).toBeUndefined();
    expect(await accounts.people.find(randomUUID())).toBeUndefined();
  });

  test('who is deleted takes the grants along: the next with this email starts with nothing (N6, B4)', async () => {
    const user = userOf();
    await accounts.users.create(user);
    await grant(user.email, { roles: ['A'], scopes: ['skills:approve'] });
    await accounts.users.delete(user.id);
    expect(await accounts.people.find(user.id)).toBeUndefined();
    // Not even with the same id.
    await accounts.users.create(user);
    expect(await accounts.people.find(user.id)).toMatchObject(NONE);
  });

  test('of many grants at once none is lost (N6)', async () => {
    const user = userOf();
    await accounts.users.create(user);
    const roles = Array.from({ length: 12 }, (_, index) => `Role${String(index).padStart(2, '0')}`);
    await Promise.all(roles.map((role) => grant(user.email, { roles: [role], scopes: ['log:read'] })));
    expect(await accounts.people.find(user.id)).toMatchObject({ roles, scopes: ['log:read'] });
  });

  test('they are listed by email, page by page, or those whose email has some letters (N6)', async () => {
    const tag = randomUUID();
    const emails = ['a', 'b', 'c_d', 'c%d', 'e'].map((name) => `${name}.${tag}@Example.org`);
    for (const email of emails) await accounts.users.create(userOf({ email }));
    await grant(emails[1] ?? '', { roles: ['A', 'B'], scopes: ['log:read'] });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await accounts.people.list({ email: tag.toUpperCase(), limit: 2, cursor });
      expect(page.people.length).toBeLessThanOrEqual(2);
      found.push(...page.people.map(({ email, roles }) => `${email} ${roles.join(',')}`));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(emails.map((email, index) => `${email} ${index === 1 ? 'A,B' : ''}`).toSorted());
    const { people } = await accounts.people.list({ email: `c_d.${tag}`, limit: 10 });
    expect(people.map(({ email }) => email)).toEqual([emails[2]]);
    await expect(accounts.people.list({ limit: 10, cursor: 'bm9uZQ' })).rejects.toThrow(BadCursor);
  });
});

describe.each(['sqlite', 'postgres'] as const)('the trail on %s (L5)', (kind) => {
  test('has an entry for what was granted and taken away, and none where nothing changed (N6, L5)', async () => {
    const store = world.open(await world.place(kind));
    const user = userOf();
    await store.users.create(user);
    const { email } = user;
    const change = { email: email.toUpperCase(), actor: 'local', at: moment() };
    const both: Grants = { roles: ['A', 'B'], scopes: ['log:read'] };
    for (const _again of [1, 2]) await store.people.grant({ ...change, grants: both });
    await store.people.grant({ ...change, grants: { roles: ['B', 'C'], scopes: [] } });
    await store.people.ungrant({ ...change, grants: { roles: ['never'], scopes: [] } });
    for (const _again of [1, 2]) await store.people.ungrant({ ...change, grants: 'all' });
    const { entries } = await store.trail.list({ limit: 10 });
    const told = entries.map(({ actor, action, subject, details }) => ({ actor, action, subject, details }));
    expect(told.toReversed()).toEqual([
      { actor: 'local', action: 'user.grant', subject: email, details: both },
      { actor: 'local', action: 'user.grant', subject: email, details: { roles: ['C'], scopes: [] } },
      {
        actor: 'local',
        action: 'user.ungrant',
        subject: email,
        details: { roles: ['A', 'B', 'C'], scopes: ['log:read'] },
      },
    ]);
  });

  test('says what a person loses whose account is deleted, and nothing of one who had nothing (L5)', async () => {
    const store = world.open(await world.place(kind));
    const [person, plain] = [userOf(), userOf()];
    for (const user of [person, plain]) await store.users.create(user);
    const grants: Grants = { roles: ['A'], scopes: ['skills:approve'] };
    await store.people.grant({ email: person.email, grants, actor: 'local', at: moment() });
    for (const { id } of [person, plain]) expect(await store.users.delete(id, 'agent:janitor')).toBe(true);
    const { entries } = await store.trail.list({ limit: 10 });
    expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      ['agent:janitor', 'user.ungrant', person.email],
      ['local', 'user.grant', person.email],
    ]);
    expect(entries[0]?.details).toEqual({ ...grants, reason: 'the account was deleted' });
    expect((await store.trail.verify()).fault).toBeUndefined();
  });
});
