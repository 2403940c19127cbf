// The page *Trail*: what happened, in words and by days; the head to copy; for whom it is (L5).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;
beforeAll(async () => {
  world = await openWebWorld();
});
afterAll(() => world.close());

test('is empty at first and says what will be there; then tells what happened, newest first (L5)', async () => {
  await world.see('/trail', async (page) => {
    await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
  });
  await world.addAgent('build-bot', { roles: ['Builder', 'Tester'], scopes: ['log:read'] });
  const headers = { Authorization: `Bearer ${world.token}` };
  await fetch(`${world.server.url}/api/agents/build-bot`, { method: 'DELETE', headers });
  const { head } = JSON.parse((await world.server.ask('/api/trail')).text);
  await world.see('/', async (page) => {
    await page.getByRole('link', { name: 'Trail' }).click();
    const today = page.getByRole('region', { name: 'Today' });
    await today.getByText('2 changes').waitFor();
    const told = await today.getByRole('listitem').allInnerTexts();
    expect(told.map((text) => text.split('\n')[0])).toEqual([
      'The operator revoked agent build-bot',
      'The operator added agent build-bot with the roles Builder and Tester and the scope log:read',
    ]);
    expect(await today.locator('time .tip').first().textContent()).toMatch(/\d{4}.*\d\d:\d\d:\d\d/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the head of the trail' }).click();
    await page.getByRole('button', { name: 'Copied the head of the trail' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(head);
  });
});

test('further pages come on request (L5)', async () => {
  for (let each = 1; each <= 55; each += 1) await world.addAgent(`worker-${each}`);
  await world.see('/trail', async (page) => {
    await page.getByText('worker-55', { exact: true }).waitFor();
    expect(await page.getByRole('listitem').count()).toBeGreaterThanOrEqual(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('worker-1', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });
});

test('an approver sees it, another agent is told which scope is missing (L5, H5)', async () => {
  const approver = await world.addAgent('board', { scopes: ['skills:approve'] });
  const other = await world.addAgent('Reader', { scopes: ['log:read'] });
  const seen = await world.open('/trail', {}, approver);
  await seen.getByText('added agent').first().waitFor();
  await seen.context().close();
  const refused = await world.open('/trail', {}, other);
  await refused.getByRole('heading', { name: 'This token may not read the trail' }).waitFor();
  await refused.getByText('The agent Reader has no scope skills:approve.').waitFor();
  expect(await refused.getByRole('link', { name: 'Trail' }).count()).toBe(0);
  await refused.context().close();
});
