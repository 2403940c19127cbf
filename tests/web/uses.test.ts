// How skills are used: on their pages, and in the list of skills, which marks only what is wrong (U7, U13).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await openWebWorld();
  const reader = await world.addAgent('night-shift');
  const asReader = { headers: { Authorization: `Bearer ${reader}` } };
  for (let time = 0; time < 2; time++) await world.server.ask('/api/documents/sql-review', asReader);
  await world.server.ask('/api/documents/sql-review');
  await world.invoke('always_fails', {});
  await world.invoke('nap', { ms: 1 });
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

const card = (page: Page) => page.getByRole('region', { name: 'The last 30 days' });

describe('the page of a skill', () => {
  test('says how often a document was read, when last, on which days and by whom (U7)', () =>
    see('/documents/sql-review', async (page) => {
      await card(page)
        .getByText(/^Read 3 times, last (just now|\d+ min ago)/)
        .waitFor();
      await card(page)
        .getByRole('img', { name: /^Most on \d+ \w+: 3$/ })
        .waitFor();
      expect(await card(page).getByRole('row').allInnerTexts()).toEqual([
        expect.stringMatching(/^Agent/),
        expect.stringMatching(/^night-shift\s+2\s+(just now|\d+ min ago)/),
        expect.stringMatching(/^local\s+1\s+(just now|\d+ min ago)/),
      ]);
      await card(page).getByRole('link', { name: 'night-shift' }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?skill=sql-review&agent=night-shift');
      await expect.poll(() => page.locator('.row-link').count()).toBe(2);
    }));

  test('says how often a typed skill ran, and follows what runs (U7)', () =>
    see('/typed/nap', async (page) => {
      await card(page)
        .getByText(/^Ran once, last (just now|\d+ min ago)/)
        .waitFor();
      await world.invoke('nap', { ms: 1 });
      await card(page).getByText('Ran 2 times').waitFor();
      await card(page).getByRole('link', { name: 'Activity' }).click();
      await expect.poll(() => page.locator('.row-link').count()).toBe(2);
    }));

  test('says so when it was not used (U7)', () =>
    see('/documents/csv-cleaning', async (page) => {
      await card(page).getByText('Not read in this time').waitFor();
      expect(await card(page).getByRole('row').count()).toBe(0);
    }));
});

describe('the list of skills', () => {
  test('has uses and last uses, and no mark where all is well (U13)', () =>
    see('/skills', async (page) => {
      const cells = (name: string) =>
        page
          .getByRole('row')
          .filter({ has: page.getByRole('link', { name, exact: true }) })
          .locator('td');
      await expect.poll(() => cells('sql-review').nth(3).innerText()).toBe('3');
      expect(await cells('sql-review').nth(4).innerText()).toMatch(/^(just now|\d+ min ago)/);
      expect(await cells('always_fails').nth(3).innerText()).toBe('1');
      expect(await cells('csv-cleaning').nth(3).innerText()).toBe('');
      expect(await page.getByText('available', { exact: true }).count()).toBe(0);
      expect(await page.locator('main .pill').count()).toBe(0);
    }));

  test('does not mix folders and categories (U13)', () =>
    see('/skills', async (page) => {
      await page.getByRole('link', { name: 'place_order' }).waitFor();
      const column = async (at: number) =>
        (await page.locator(`tbody td:nth-child(${at})`).allInnerTexts()).map((text) => text.trim());
      expect(new Set(await column(2))).toContain('typed\nexecution');
      expect([...new Set(await column(3))].filter((text) => text !== '')).toEqual([expect.stringMatching(/skills$/)]);
    }));

  test('says nothing of uses to those who may not read the log (U13)', async () => {
    const page = await world.open('/skills', {}, await world.addAgent('plain-reader'));
    await page.getByRole('link', { name: 'sql-review' }).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Skill', 'Kind', 'Folder']);
    await page.getByRole('link', { name: 'sql-review' }).click();
    await page.locator('.prose h2').first().waitFor();
    expect(await card(page).count()).toBe(0);
    await page.context().close();
  });
});

test('at 380 pixels the usage of the overview fits: names have room, and nothing is to be scrolled (U12)', async () => {
  const page = await world.open('/', { viewport: { width: 380, height: 800 } });
  const usage = page.getByRole('region', { name: 'Usage' });
  await usage.getByRole('link', { name: 'always_fails' }).waitFor();
  const wrap = usage.locator('.table-wrap');
  expect(await wrap.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // Two lines at most.
  const row = usage.getByRole('row', { name: /^always_fails/ });
  expect((await row.boundingBox())?.height).toBeLessThan(64);
  await page.context().close();
});
