// What is kept of clients that people let in: one suite for every store (O4).
import { describe, expect, test } from 'vitest';
import type { NewTokens } from '../../../src/identity/oauth.ts';
import { openStore } from '../../../src/store/store.ts';
import { PATIENT } from '../../support/patience.ts';
import { useStoreWorld } from './use-store-world.ts';

const world = useStoreWorld();
const TRAIL = { trailKey: { dataDirectory: '', secret: 'a secret of at least thirty-two bytes' } };
const HOUR_MS = 3_600_000;
const later = (from: Date, hours: number) => new Date(from.getTime() + hours * HOUR_MS);

/** Named after the hour. */
const tokensAt = (at: Date, name: string): NewTokens => ({
  access: { digest: `access ${name}`, expiresAt: later(at, 1), scopes: ['skills:read'] },
  refresh: { digest: `refresh ${name}`, expiresAt: later(at, 24), scopes: ['skills:read'] },
  at,
});

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('of a client that stays connected only tokens that may still be sent are kept (O4)', async () => {
    const store = openStore(await world.place(kind), { ...PATIENT, ...TRAIL });
    await store.migrate();
    const at = new Date();
    await store.oauth.consent({
      client: { id: 'client', kind: 'dynamic', name: 'A client', redirectUris: ['http://127.0.0.1/back'] },
      grantor: { kind: 'operator', key: 'key' },
      scopes: ['skills:read'],
      resource: 'http://127.0.0.1/mcp',
      code: { digest: 'code', redirectUri: 'http://127.0.0.1/back', challenge: 'c' },
      at,
      codeExpiresAt: later(at, 1),
      actor: 'local',
    });
    expect(await store.oauth.redeem('code', tokensAt(at, 'first'))).toBe('redeemed');
    expect(await store.oauth.rotate('refresh first', tokensAt(later(at, 3), 'second'))).toBe('rotated');
    expect(await store.oauth.findToken('access', 'access first')).toBeUndefined();
    // One that comes again must still be known: it takes the grant along.
    expect(await store.oauth.findToken('refresh', 'refresh first')).toMatchObject({ isUsed: true });
    expect(await store.oauth.rotate('refresh second', tokensAt(later(at, 26), 'third'))).toBe('rotated');
    expect(await store.oauth.findToken('refresh', 'refresh first')).toBeUndefined();
    expect(await store.oauth.findToken('refresh', 'refresh third')).toMatchObject({ isUsed: false });
    await store.close();
  });

  test('what an operator allowed with a token that is no more is not listed, and is revoked (O4, O7)', async () => {
    const store = openStore(await world.place(kind), { ...PATIENT, ...TRAIL });
    await store.migrate();
    const at = new Date();
    for (const key of ['old', 'new']) {
      await store.oauth.consent({
        client: { id: key, kind: 'dynamic', name: key, redirectUris: ['http://127.0.0.1/back'] },
        grantor: { kind: 'operator', key },
        scopes: ['skills:read'],
        resource: 'http://127.0.0.1/mcp',
        code: { digest: `code ${key}`, redirectUri: 'http://127.0.0.1/back', challenge: 'x' },
        at,
        codeExpiresAt: later(at, 1),
        actor: 'local',
      });
      await store.oauth.redeem(`code ${key}`, tokensAt(at, key));
    }
    const names = async () => (await store.oauth.list(at)).map(({ client }) => client.name);
    expect(await names()).toEqual(['new', 'old']);
    await store.oauth.endGrantsOf('old', at);
    expect(await names()).toEqual(['new']);
    expect((await store.oauth.findToken('access', 'access old'))?.grant.isRevoked).toBe(true);
    expect((await store.oauth.findToken('access', 'access new'))?.grant.isRevoked).toBe(false);
    await store.close();
  });

  test('a client whose id no database can hold is one that is not known (O2)', async () => {
    const store = openStore(await world.place(kind), { ...PATIENT, ...TRAIL });
    await store.migrate();
    const at = new Date();
    const client = { id: 'a', kind: 'dynamic' as const, name: 'A', redirectUris: ['http://127.0.0.1/back'] };
    expect(await store.oauth.register(client, '4 1', at)).toBe('added');
    for (const id of ['a\0', '\0', 'a\ud800']) expect(await store.oauth.findClient(id, at)).toBeUndefined();
    expect(await store.oauth.findClient('a', at)).toEqual(client);
    await store.close();
  });
});
