// The database goes away under an open dashboard: pages say so, documents still open, and everything comes back (F1, H6).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
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

test('pages say that the database is away, documents open, and all is well afterwards (F1, H6)', async () => {
  const page = await world.open('/');
  await page.getByText('PostgreSQL ready').waitFor();
  await postgres.halt();
  await page.goto(`${world.server.url}/invocations`);
  await page.getByRole('heading', { name: 'The database does not answer' }).waitFor();
  // The banner says it on every page, once the server has noticed.
  await page.goto(`${world.server.url}/documents/sql-review`);
  await page.locator('.prose h2').first().waitFor();
  await page.getByText('Documents are served all the same').first().waitFor();
  await page.goto(`${world.server.url}/skills?q=commit`);
  await page.getByRole('link', { name: 'commit-messages' }).waitFor();
  await page.goto(`${world.server.url}/`);
  await page.getByRole('heading', { name: 'The database does not answer' }).first().waitFor();
  await postgres.start();
  await expect
    .poll(
      async () => {
        await page
          .getByRole('button', { name: 'Try again' })
          .first()
          .click({ timeout: 500 })
          .catch(() => undefined);
        return page.getByText('PostgreSQL ready').count();
      },
      { timeout: 10_000 },
    )
    .toBe(1);
});
