// Sign-in by OAuth while PostgreSQL is away, or hangs: each path says so, and goes on when it is back (N7).
import { afterAll, describe, expect, inject, test } from 'vitest';
import { BACK, OAuthWorld, OPERATOR } from '../support/oauth-world.ts';
import { createDatabase, makeTables } from '../support/postgres-database.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';

const worlds: OAuthWorld[] = [];
afterAll(async () => {
  for (const world of worlds) await world.close();
});

const WAYS = {
  'is away': (proxy: PostgresProxy, isGone: boolean) => proxy.open(!isGone),
  hangs: (proxy: PostgresProxy, isGone: boolean) => proxy.hang(isGone),
} as const;

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('the database %s', (way) => {
  test('sign-in and tokens answer 503 temporarily_unavailable, and work again afterwards (N7)', async () => {
    const place = await createDatabase({ url: inject('postgresUrl') });
    await makeTables(place);
    const proxy = await openPostgresProxy(place.url);
    const world = await new OAuthWorld().start({ place: { ...place, url: proxy.url } });
    worlds.push(world);
    const client = await world.register();
    const [shown, code] = [await world.page(client), await world.code(client)];
    const tokens = await world.tokens(client);
    // Seen lately: it goes on working.
    expect((await world.mcp(tokens.access_token)).status).toBe(200);
    WAYS[way](proxy, true);
    const asked = {
      page: () => world.authorize(client),
      consent: () => world.decide(shown, { token: OPERATOR }),
      token: () => world.trade(client, code),
      refresh: () => world.refresh(client, tokens.refresh_token),
      revocation: () => world.post('/oauth/revoke', { token: tokens.refresh_token, client_id: client }),
      registration: () =>
        world.ask('/oauth/register', {
          method: 'POST',
          body: JSON.stringify({ redirect_uris: [BACK] }),
          headers: { 'Content-Type': 'application/json' },
        }),
    };
    for (const [what, ask] of Object.entries(asked)) {
      const answer = await ask();
      expect([what, answer.status, await answer.text()]).toEqual([
        what,
        503,
        expect.stringContaining('temporarily_unavailable'),
      ]);
    }
    expect((await world.ask('/.well-known/oauth-authorization-server')).status).toBe(200);
    expect((await world.mcp(tokens.access_token)).status).toBe(200);
    WAYS[way](proxy, false);
    await expect.poll(async () => (await world.refresh(client, tokens.refresh_token)).status).toBe(200);
  });
});
