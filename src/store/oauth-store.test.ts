// What the database is asked while many clients, unknown codes and tokens are tried at once (O4, F10).
import { expect, test } from 'vitest';
import { createOAuthStore } from './oauth-store.ts';
import { postgresDialect, type Row, type Sql } from './sql.ts';
import type { TrailWriter } from './trail-writer.ts';

const CLIENT: Row = {
  client_id: 'good',
  client_kind: 'dynamic',
  name: 'A client',
  redirect_uris: '[]',
  created_at: Date.now(),
  consented_at: null,
};
const GRANT: Row = {
  grant_id: 'g',
  user_id: 'u',
  operator_key: null,
  grant_scopes: '[]',
  resource: '',
  revoked_at: null,
};
const KEPT: Row = { ...CLIENT, ...GRANT, digest: 'good', redirect_uri: '', challenge: '', scopes: '[]', expires_at: 1 };

const NO_TRAIL: TrailWriter = {
  append: () => {
    throw new Error('nothing is entered here');
  },
};

/** A database that knows of one of each, and counts. */
function open() {
  const counts = { asked: 0, underWay: 0, most: 0 };
  const read: Sql['read'] = async ({ values }) => {
    counts.asked += 1;
    counts.underWay += 1;
    counts.most = Math.max(counts.most, counts.underWay);
    await new Promise((resolve) => setImmediate(resolve));
    counts.underWay -= 1;
    return values.some((value) => String(value).includes('good')) ? [{ ...KEPT, used_at: null }] : [];
  };
  const write = () => Promise.reject(new Error('nothing is written here'));
  const parts = { origin: 'test', trail: NO_TRAIL };
  return { counts, oauth: createOAuthStore({ dialect: postgresDialect, read, write }, parts) };
}

test.each([
  ['clients', (oauth: ReturnType<typeof open>['oauth'], name: string) => oauth.findClient(name, new Date())],
  ['codes', (oauth: ReturnType<typeof open>['oauth'], name: string) => oauth.findCode(name)],
  ['refresh tokens', (oauth: ReturnType<typeof open>['oauth'], name: string) => oauth.findToken('refresh', name)],
])('of a thousand %s at once the good one is found by a few questions (O4, F10)', async (_what, find) => {
  const { counts, oauth } = open();
  const bad = Array.from({ length: 1_000 }, (_, count) => find(oauth, `bad ${count}`));
  expect(await find(oauth, 'good')).toBeDefined();
  expect(new Set(await Promise.all(bad))).toEqual(new Set([undefined]));
  expect(counts.most).toBeLessThanOrEqual(2);
  expect(counts.asked).toBeLessThan(10);
});

test('a client with a longer id than there are is looked up nowhere (O2, F10)', async () => {
  const { counts, oauth } = open();
  expect(await oauth.findClient('x'.repeat(60_000), new Date())).toBeUndefined();
  expect(counts.asked).toBe(0);
});
