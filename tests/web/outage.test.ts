// The database goes away under an open dashboard: pages say so, documents still open, and everything comes back (F1, H6).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { foundByAxe } from './look.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let postgres: TestPostgres;
let world: WebWorld;

beforeAll(async () => {
  postgres = await startPostgres();
  world = await openWebWorld({ options: ['--database-url', postgres.url] });
});

afterAll(async () => {
  await world.close();
  await postgres.stop();
});

test('an open page keeps what it had, and says the same everywhere (F1, H6, X7)', async () => {
  // A machine with too much to do may still make the tables.
  await expect.poll(async () => (await world.server.ask('/ready')).status).toBe(200);
  await world.invoke('anything', {});
  const page = await world.open('/');
  await page.getByText('PostgreSQL ready').waitFor();
  const row = page.locator('main').getByRole('link', { name: 'anything' });
  await row.nth(1).waitFor();
  await postgres.halt();
  await page.getByText('Documents are still served').first().waitFor();
  await page.getByText('PostgreSQL degraded').waitFor();
  await page.locator('.figures.stale').waitFor();
  expect(await row.count()).toBe(2);
  expect(await foundByAxe(page)).toEqual([]);
  expect(await page.getByRole('heading', { name: 'The database does not answer' }).count()).toBe(0);
  await page.goto(`${world.server.url}/typed/anything`);
  await page.getByRole('textbox', { name: 'input' }).fill('{}');
  await page.getByRole('button', { name: 'Invoke' }).click();
  await page.getByText('this run may not be in the log').waitFor();
  expect(await page.getByRole('link', { name: 'Open in the log' }).count()).toBe(0);
  await postgres.start();
  await page.goto(world.server.url);
  await page.getByText('PostgreSQL ready').waitFor();
  await page.context().close();
});

test('pages say that the database is away, documents open, and all is well afterwards (F1, H6)', async () => {
  const page = await world.open('/');
  await page.getByText('PostgreSQL ready').waitFor();
  await postgres.halt();
  await page.goto(`${world.server.url}/activity`);
  await page.getByRole('heading', { name: 'The database does not answer' }).waitFor();
  // The banner says it on every page, once the server has noticed.
  await page.goto(`${world.server.url}/documents/sql-review`);
  await page.locator('.prose h2').first().waitFor();
  await page.getByText('Documents are still served').first().waitFor();
  await page.goto(`${world.server.url}/skills?q=commit`);
  await page.getByRole('link', { name: 'commit-messages' }).waitFor();
  await page.goto(`${world.server.url}/`);
  await page.getByRole('heading', { name: 'The database does not answer' }).first().waitFor();
  await postgres.start();
  await expect
    .poll(async () => {
      await page
        .getByRole('button', { name: 'Try again' })
        .first()
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      return page.getByText('PostgreSQL ready').count();
    })
    .toBe(1);
});
