import { describe, expect, test } from 'vitest';
import {
  ANY_MAKER,
  agentCaller,
  isMadeBy,
  isOwnerOf,
  LOCAL_OPERATOR,
  makersOf,
  ownerKey,
  userCaller,
} from './caller.ts';
import { lentBy, readLent, withIssuers } from './lent-grants.ts';

const person = userCaller('u-1');
/** Through a token, as it is sent. */
const issuedBy = (issuer: Parameters<typeof lentBy>[0]) =>
  withIssuers(person, readLent(JSON.parse(JSON.stringify(lentBy(issuer)))));

describe('who calls with a token that another caller issued', () => {
  test('names the issuer, and those who issued the token of the issuer (L2, J8)', () => {
    const once = issuedBy(agentCaller('login'));
    expect(makersOf(once)).toEqual(['user:u-1', 'agent:login']);
    const twice = issuedBy({ ...once, name: 'u-2' });
    expect(makersOf(twice)).toEqual(['user:u-1', 'user:u-2', 'agent:login']);
    expect(isMadeBy(makersOf(twice), 'agent:login')).toBe(true);
    expect(isMadeBy(makersOf(twice), 'agent:judge')).toBe(false);
  });

  test('names no issuer where that is the operator, who writes tokens of their own as well (L2, J8)', () => {
    expect(issuedBy(LOCAL_OPERATOR)).toEqual(person);
    expect(withIssuers(person, readLent(undefined))).toEqual(person);
  });

  test('may be anyone by a token of an earlier version, which did not say who issued it, and has what it had (L2, J8)', () => {
    const early = withIssuers(person, readLent({ roles: [], scopes: [] }));
    expect(isMadeBy(makersOf(early), 'agent:judge')).toBe(true);
    expect(isOwnerOf(person, early)).toBe(true);
    const next = issuedBy({ ...early, name: 'u-2' });
    expect(isMadeBy(makersOf(next), 'agent:judge')).toBe(true);
    expect(isOwnerOf(person, next)).toBe(false);
  });

  test('through more issuers than a token can name may be anyone (L2, J8)', () => {
    const issuers = Array.from({ length: 60 }, (_, n) => `user:${n}-${'x'.repeat(30)}`);
    const caller = issuedBy({ ...person, issuers });
    expect(caller.issuers).toEqual([ANY_MAKER]);
    expect(isMadeBy(makersOf(caller), 'agent:judge')).toBe(true);
    expect(isOwnerOf(person, caller)).toBe(false);
  });

  test('and through a client, names the person of that client (L2, J8)', () => {
    const via = { client: 'Host', clientId: 'c-1', person: 'user:u-9', scopes: ['skills:invoke'] };
    const caller = issuedBy({ ...userCaller('u-9'), via });
    expect(caller.via).toMatchObject({ clientId: 'c-1', person: 'user:u-1' });
    expect(makersOf(caller)).toEqual(['user:u-1', 'user:u-9']);
  });

  test('has what was done with tokens of that issuer; the person has all of it, the issuer nothing of the rest (J2, J3, N6)', () => {
    const [byLogin, byOther] = [issuedBy(agentCaller('login')), issuedBy(agentCaller('other'))];
    expect(isOwnerOf(byLogin, issuedBy(agentCaller('login')))).toBe(true);
    expect(isOwnerOf(byLogin, person)).toBe(true);
    expect(isOwnerOf(person, byLogin)).toBe(false);
    expect(isOwnerOf(byOther, byLogin)).toBe(false);
    expect(isOwnerOf(person, issuedBy(LOCAL_OPERATOR))).toBe(true);
    const via = { client: 'Host', clientId: 'c-1', person: 'user:u-1', scopes: ['skills:invoke'] };
    const byClient = issuedBy({ ...userCaller('u-9'), via: { ...via, person: 'user:u-9' } });
    expect(isOwnerOf({ ...person, via }, byClient)).toBe(false);
    expect(isOwnerOf(byClient, { ...person, via })).toBe(true);
    // It is kept with each call.
    const issuers = Array.from({ length: 30 }, (_, n) => `user:${n}-${'x'.repeat(30)}`);
    expect(ownerKey({ ...person, issuers }).length).toBeLessThan(100);
  });
});
