// What expires by the clock, which is moved here: each beside its form in time (O2, O4).
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { OAuthWorld, OPERATOR } from '../../tests/support/oauth-world.ts';

const world = new OAuthWorld();
let client: string;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

beforeAll(async () => {
  await world.start();
});
afterAll(() => world.close());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  client ??= await world.register();
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

test('a code is good for 60 seconds (O4)', async () => {
  const [early, late] = [await world.code(client), await world.code(client)];
  pass(58 * SECOND);
  expect((await world.trade(client, early)).status).toBe(200);
  pass(3 * SECOND);
  const refused = await world.trade(client, late);
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
});

test('an access token is good for an hour, and its refresh token gives another (O4)', async () => {
  const tokens = await world.tokens(client);
  pass(HOUR - 5 * SECOND);
  expect((await world.mcp(tokens.access_token)).status).toBe(200);
  pass(6 * SECOND);
  expect((await world.mcp(tokens.access_token)).status).toBe(401);
  const next = (await (await world.refresh(client, tokens.refresh_token)).json()) as typeof tokens;
  expect((await world.mcp(next.access_token)).status).toBe(200);
});

test('a refresh token that was not used for 30 days is none (O4)', async () => {
  const tokens = await world.tokens(client);
  pass(30 * 24 * HOUR + SECOND);
  expect((await world.refresh(client, tokens.refresh_token)).status).toBe(400);
});

test('the page is good for ten minutes (O3)', async () => {
  const shown = await world.page(client);
  pass(9 * 60 * SECOND);
  expect((await world.decide(shown, { token: OPERATOR })).status).toBe(303);
  pass(2 * 60 * SECOND);
  expect((await world.decide(shown, { token: OPERATOR })).status).toBe(400);
});

test('a client without a consent is dropped after an hour; one with a consent stays (O2)', async () => {
  const [allowed, waiting] = [await world.register(), await world.register()];
  await world.tokens(allowed);
  pass(HOUR - 5 * SECOND);
  expect((await world.authorize(waiting)).status).toBe(200);
  pass(10 * SECOND);
  expect((await world.authorize(waiting)).status).toBe(400);
  expect((await world.authorize(allowed)).status).toBe(200);
});
