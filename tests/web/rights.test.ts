// Who may not do something is told which right is missing, and whose token ends is told so without a click (H5, X5).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;
let reader: string;
let clerk: string;

beforeAll(async () => {
  world = await openWebWorld();
  reader = await world.addAgent('Reader');
  clerk = await world.addAgent('front-desk', { roles: ['Clerk'] });
});

afterAll(() => world.close());

async function seeAs(token: string, path: string, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await world.open(path, {}, token);
  try {
    await look(page);
  } finally {
    await page.context().close();
  }
}

describe('a typed skill (X5)', () => {
  test('is not shown to those who may not invoke it, and the page names their roles (X10)', () =>
    seeAs(reader, '/typed/for_clerks', async (page) => {
      await page.getByRole('heading', { name: 'No skill of this name that you may invoke' }).waitFor();
      await page.getByText('the agent Reader acts as Reader').waitFor();
      await page.getByText('repertoire agent add NAME --role ROLE').waitFor();
      expect(await page.getByRole('button', { name: 'Invoke' }).count()).toBe(0);
    }));

  test('has a form for those who may', () =>
    seeAs(clerk, '/typed/for_clerks', async (page) => {
      await page.getByRole('button', { name: 'Invoke' }).click();
      await page.getByRole('region', { name: 'Succeeded' }).waitFor();
    }));
});

test.each(['/', '/activity', '/invocations', '/invocations/x', '/traces/x', '/schedules'])(
  '%s names the scope that an agent lacks, and offers no second try (H5)',
  (path) =>
    seeAs(reader, path, async (page) => {
      await page.getByRole('heading', { name: 'This token may not read the log' }).waitFor();
      await page.getByText('The agent Reader has no scope log:read.').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    }),
);

test('runs are open to every caller, each to their own, and say what to do (J2, H5)', () =>
  seeAs(reader, '/runs', async (page) => {
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Schedules' }).count()).toBe(0);
  }));

test('a token that is revoked under an open page ends it by itself (H5)', async () => {
  const auditor = await world.addAgent('Auditor', { scopes: ['log:read'] });
  await seeAs(auditor, '/activity', async (page) => {
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    await revoke('Auditor');
    await page.getByText('Your token is no longer valid').waitFor();
    await page.getByLabel('Token').fill(world.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  });
});

test('without a stream the page looks by itself (H5)', async () => {
  const passer = await world.addAgent('Passer');
  await seeAs(passer, '/skills', async (page) => {
    await page.clock.install();
    await page.reload();
    await page.getByRole('link', { name: 'sql-review' }).waitFor();
    await revoke('Passer');
    await expect
      .poll(
        async () => {
          await page.clock.runFor(15_000);
          return page.getByText('Your token is no longer valid').count();
        },
        { interval: 500 },
      )
      .toBe(1);
  });
});

async function revoke(name: string): Promise<void> {
  const headers = { Authorization: `Bearer ${world.token}` };
  await fetch(`${world.server.url}/api/agents/${name}`, { method: 'DELETE', headers });
}
