// Clients that signed in by OAuth on the page of agents: who allowed them, when they were last used, and taking them out (O7).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foundByAxe, scrollsSideways } from './look.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

const BACK = 'http://127.0.0.1:9999/callback';
const VERIFIER = 'v'.repeat(64);
const CHALLENGE = 'w1TpKUdYE9hUAcNSeeSRFioHDxfUxuHho_JHAfZ_vDM';

let world: WebWorld;
beforeAll(async () => {
  world = await openWebWorld({ options: ['--oauth'] });
});
afterAll(() => world.close());

const post = (path: string, body: URLSearchParams | string, headers: Record<string, string> = {}) =>
  fetch(world.server.url + path, { method: 'POST', body, headers, redirect: 'manual' });

/** A client that registers itself, and where it sends the browser. */
async function register(name: string, scope: string): Promise<{ readonly client_id: string; readonly path: string }> {
  const metadata = JSON.stringify({ client_name: name, redirect_uris: [BACK] });
  const registered = await post('/oauth/register', metadata, { 'Content-Type': 'application/json' });
  const { client_id } = (await registered.json()) as { client_id: string };
  const asked = { response_type: 'code', client_id, redirect_uri: BACK, code_challenge: CHALLENGE };
  return {
    client_id,
    path: `/oauth/authorize?${new URLSearchParams({ ...asked, code_challenge_method: 'S256', scope })}`,
  };
}

/** By a page without scripts, in the same browser as the dashboard; answers its access token. */
async function signIn(name: string): Promise<string> {
  const { client_id, path } = await register(name, 'skills:read');
  const shown = await fetch(world.server.url + path);
  const cookie = shown.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ticket = /name="ticket" value="([^"]+)"/.exec(await shown.text())?.[1] ?? '';
  const decided = new URLSearchParams({ ticket, decision: 'allow', token: world.token });
  const back = new URL((await post('/oauth/consent', decided, { cookie })).headers.get('location') ?? 'http://none');
  const code = back.searchParams.get('code') ?? '';
  const trade = { grant_type: 'authorization_code', client_id, code, redirect_uri: BACK, code_verifier: VERIFIER };
  const answer = await post('/oauth/token', new URLSearchParams(trade));
  return ((await answer.json()) as { access_token: string }).access_token;
}

const statusOf = async (token: string) =>
  (await fetch(`${world.server.url}/api/documents`, { headers: { Authorization: `Bearer ${token}` } })).status;

test('they are listed with their last use, and Revoke takes one out and leaves the other (O7)', async () => {
  const [gone, kept] = [await signIn('One to revoke'), await signIn('One to keep')];
  expect([await statusOf(gone), await statusOf(kept)]).toEqual([200, 200]);
  await world.see('/agents', async (page) => {
    await page.getByText('2 clients signed in by OAuth').waitFor();
    const row = page.getByRole('row', { name: /One to revoke/ });
    const cells = await row.getByRole('cell').allTextContents();
    expect(cells.slice(1, 3)).toEqual(['The operator', 'skills:read']);
    expect(cells[3]).not.toBe('never');
    await row.getByRole('button', { name: 'Revoke' }).click();
    expect(await statusOf(gone)).toBe(200);
    await row.getByRole('button', { name: 'Really revoke One to revoke' }).click();
    await page.getByText('1 client signed in by OAuth').waitFor();
    expect(await page.getByText('One to revoke').count()).toBe(0);
  });
  await expect.poll(() => statusOf(gone)).toBe(401);
  expect(await statusOf(kept)).toBe(200);
});

test.each([
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 380, height: 800 } },
] as const)('axe finds nothing serious on the page that asks for consent, %j (O3)', async (look) => {
  const { path } = await register(
    'A host with a name that is as long as names may be',
    'skills:read skills:invoke log:read',
  );
  const context = await world.newContext(look);
  const page = await context.newPage();
  await page.goto(world.server.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect([await foundByAxe(page), await scrollsSideways(page)]).toEqual([[], false]);
  // Wrong at first: the same page, with a sentence.
  await page.getByLabel('Operator token').fill('rpo_wrong');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('alert').waitFor();
  expect([await foundByAxe(page), await scrollsSideways(page)]).toEqual([[], false]);
  await context.close();
});
