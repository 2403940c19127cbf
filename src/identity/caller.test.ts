// Who may invoke what (X5, H5).
import { describe, expect, test } from 'vitest';
import {
  agentCaller,
  callerOf,
  LOCAL_OPERATOR,
  mayInvoke,
  mayReadLog,
  ownerKey,
  refusalOf,
  rightsKey,
  userCaller,
} from './caller.ts';

const access = (assignedTo: readonly string[], userField?: string) => ({ assignedTo, userField });

describe('refusalOf (X5, X10)', () => {
  test('lets the operator invoke everything', () => {
    expect(refusalOf(LOCAL_OPERATOR, access(['TaskAgent']), {})).toBeUndefined();
  });

  test.each([
    ['by its own name', agentCaller('TaskAgent'), ['TaskAgent'], true],
    ['by one of its roles', agentCaller('helper', ['UserAgent', 'TaskAgent']), ['TaskAgent'], true],
    ['by any name where nobody is assigned', agentCaller('stranger'), [], true],
    ['not by its name when its roles are others', agentCaller('TaskAgent', ['AIAgent']), ['TaskAgent'], false],
    ['by the role * to everything', agentCaller('helper', ['*']), ['TaskAgent'], true],
    ['not by a name that has a * in it', agentCaller('Task*'), ['TaskAgent'], false],
    ['not in another letter case', agentCaller('taskagent'), ['TaskAgent'], false],
    ['not without roles', agentCaller('TaskAgent', []), ['TaskAgent'], false],
  ])('lets an agent in %s', (_how, caller, assigned, allowed) => {
    expect(refusalOf(caller, access(assigned), {}) === undefined).toBe(allowed);
  });

  test('lets a user in where the skill is open to users, for their own id only (H5)', () => {
    const user = userCaller('550e8400-e29b-41d4-a716-446655440000');
    const own = { user_id: '550E8400-E29B-41D4-A716-446655440000' };
    expect(refusalOf(user, access([], 'user_id'), own)).toBeUndefined();
    expect(refusalOf(user, access([]), own)).toMatch(/not open to users/);
    for (const other of [{ user_id: 'x' }, {}, null, 'text', { user_id: [user.name] }, Object.create(own)]) {
      expect(refusalOf(user, access([], 'user_id'), other)).toMatch(/user_id must be/);
    }
  });

  test.each([
    ['by one of their roles', ['TaskAgent'], ['TaskAgent', 'AIAgent'], true],
    ['by the role * to everything', ['*'], ['TaskAgent'], true],
    ['by the role * where none is assigned', ['*'], [], true],
    ['not by another role', ['AIAgent'], ['TaskAgent'], false],
    ['not where none is assigned: that is for agents', ['AIAgent'], [], false],
    ['not in another letter case', ['taskagent'], ['TaskAgent'], false],
  ])('lets a user in %s, as an agent of that role (N6)', (_how, roles, assigned, allowed) => {
    const user = userCaller('u-1', roles);
    expect(mayInvoke(user, access(assigned))).toBe(allowed);
    expect(refusalOf(user, access(assigned), {}) === undefined).toBe(allowed);
    // For any id where a role opens it, else for their own.
    expect(mayInvoke(user, access(assigned, 'user_id'))).toBe(true);
    expect(refusalOf(user, access(assigned, 'user_id'), { user_id: 'u-2' }) === undefined).toBe(allowed);
    expect(refusalOf(user, access(assigned, 'user_id'), { user_id: 'u-1' })).toBeUndefined();
  });

  test.each([
    ['Ada', 'ada', false],
    ['Ada', 'Ada', true],
    ['Ada', ' Ada', false],
    ['550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-41d4-a716-446655440001', false],
    // The Kelvin sign becomes an ordinary k in lower case.
    ['k', '\u212a', false],
  ])('user %j is the one of user_id %j: %j; only UUIDs have no letter case (H5)', (id, given, allowed) => {
    expect(refusalOf(userCaller(id), access([], 'user_id'), { user_id: given }) === undefined).toBe(allowed);
  });
});

test('callerOf: the agent that was named, else the operator (X9)', () => {
  expect(callerOf(undefined)).toBe(LOCAL_OPERATOR);
  expect(callerOf('TaskAgent')).toEqual(agentCaller('TaskAgent'));
});

test('rightsKey: the same for the same roles in whatever order, never for another kind of caller (X10)', () => {
  expect(rightsKey(agentCaller('a', ['x', 'y']))).toBe(rightsKey(agentCaller('b', ['y', 'x'])));
  const others = [
    agentCaller('a', ['x']),
    agentCaller('a', ['x,y']),
    LOCAL_OPERATOR,
    userCaller('a'),
    agentCaller('a', []),
    agentCaller('a', ['x'], ['log:read']),
    userCaller('a', ['x']),
    userCaller('a', ['x'], ['log:read']),
    userCaller('a', ['x'], ['log:read', 'runs:approve']),
  ];
  expect(new Set(others.map(rightsKey)).size).toBe(others.length);
});

test('the log is for the operator and for whom its scope was granted, and no role opens it (H5, N6)', () => {
  expect(mayReadLog(LOCAL_OPERATOR)).toBe(true);
  expect(mayReadLog(userCaller('a', [], ['log:read']))).toBe(true);
  const others = [
    userCaller('a', ['*', 'log:read'], ['skills:approve', 'runs:approve']),
    agentCaller('log:read', ['*']),
  ];
  expect(others.map(mayReadLog)).toEqual([false, false]);
});

describe('whose something is, as it is stored (J2, J3)', () => {
  test.each([
    ['operator:local', LOCAL_OPERATOR],
    ['agent:TaskAgent', agentCaller('TaskAgent')],
    ['user:550e8400-e29b-41d4-a716-446655440000', userCaller('550e8400-e29b-41d4-a716-446655440000')],
    ['agent:Zoë’s 🤖', agentCaller('Zoë’s 🤖')],
  ])('is legible: %s', (key, caller) => {
    expect(ownerKey(caller)).toBe(key);
  });

  test.each([
    ['a credential', `rpa_${'aB3'.repeat(15)}`],
    ['one that is hidden', `rpa_\u200b${'aB3'.repeat(15)}`],
    ['NUL', 'a\0b'],
    ['a line', 'a\nb'],
    ['half a character', 'a\ud800'],
    ['too much', 'x'.repeat(10_000)],
  ])('is a digest where the name holds %s, another for each (T9, X7)', (_what, name) => {
    expect(ownerKey(agentCaller(name))).toMatch(/^#[0-9a-f]{64}$/);
    expect(ownerKey(agentCaller(name))).toBe(ownerKey(agentCaller(name)));
    expect(ownerKey(agentCaller(`${name}2`))).not.toBe(ownerKey(agentCaller(name)));
    const through = { ...userCaller('u-1'), via: { client: 'Host', clientId: name, person: 'user:u-1', scopes: [] } };
    expect(ownerKey(through)).toMatch(/^user:u-1\n#[0-9a-f]{64}$/);
    expect(ownerKey(userCaller(name))).not.toBe(ownerKey(agentCaller(name)));
  });
});
