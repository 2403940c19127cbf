// Going somewhere: groups of pages, the menu by Ctrl K, and the bar at the foot of small screens (U1, U13).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foundByAxe, scrollsSideways } from './look.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await openWebWorld();
});

afterAll(() => world.close());

const menu = (page: Page) => page.getByRole('dialog', { name: 'Go to' });
/** Taken away, not only hidden: until then it cannot be opened again. */
const closed = (page: Page) => page.locator('dialog.go-to').waitFor({ state: 'detached' });
const options = (page: Page) => menu(page).getByRole('option').allInnerTexts();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

describe('the navigation', () => {
  test('is in groups, so that what is used every day stands first', () =>
    world.see('/skills', async (page) => {
      const groups = await page.locator('.nav-group').allInnerTexts();
      expect(groups.map((text) => text.split('\n').filter((line) => line !== ''))).toEqual([
        ['Overview', 'Skills', 'Activity', 'Runs'],
        ['Maintain', 'Library', 'Problems', 'Upkeep'],
        ['Access', 'Connect', 'Agents', 'People', 'Trail'],
      ]);
    }));

  test('has room at the foot of a small screen, and a menu for the rest', async () => {
    const page = await world.open('/skills', { viewport: { width: 380, height: 800 } });
    const bar = page.getByRole('navigation', { name: 'Pages' });
    await expect.poll(() => bar.getByRole('link').allInnerTexts()).toEqual(['Overview', 'Skills', 'Activity', 'Runs']);
    expect(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await bar.getByRole('button', { name: 'More' }).click();
    expect(await foundByAxe(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await menu(page).getByRole('option', { name: 'Agents' }).click();
    await heading(page, 'Agents');
    expect(await menu(page).count()).toBe(0);
    await page.context().close();
  });
});

describe('the menu', () => {
  test('opens by Ctrl K, finds pages and skills, and leads there by keyboard alone', () =>
    world.see('/problems', async (page) => {
      await page.keyboard.press('Control+k');
      await menu(page).waitFor();
      expect((await options(page)).map((text) => text.split('\n')[0])).toContain('Schedules');
      await page.keyboard.type('upk');
      await expect.poll(async () => (await options(page))[0]).toContain('Upkeep');
      await page.keyboard.press('Enter');
      await heading(page, 'Upkeep');
      await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('H1');

      await page.keyboard.press('Control+k');
      await menu(page).waitFor();
      await page.keyboard.type('review a migration');
      await menu(page).getByRole('option', { name: 'sql-review', selected: true }).waitFor();
      expect(await foundByAxe(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await heading(page, 'sql-review');
    }));

  test('takes what is typed right after the keys: it is open before the next frame', () =>
    world.see('/problems', async (page) => {
      const focused = await page.evaluate(`(async () => {
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
        for (let turn = 0; turn < 20; turn++) await undefined;
        return document.activeElement?.getAttribute('aria-label');
      })()`);
      expect(focused).toBe('Go to a page or a skill');
    }));

  test('closes by Escape and by a click beside it, and says when nothing fits', () =>
    world.see('/problems', async (page) => {
      await page.getByRole('button', { name: /^Go to/ }).click();
      await menu(page).waitFor();
      await page.keyboard.type('qqzzxx');
      await menu(page).getByText('No page or skill has these words.').waitFor();
      await page.keyboard.press('Escape');
      await closed(page);
      await page.keyboard.press('Control+k');
      await menu(page).waitFor();
      await page.mouse.click(5, 5);
      await closed(page);
      await heading(page, 'Problems');
    }));

  test('offers only what is open to the one who is signed in (N6)', async () => {
    const page = await world.open('/skills', {}, await world.addAgent('visitor'));
    await page.keyboard.press('Control+k');
    await menu(page).waitFor();
    expect((await options(page)).map((text) => text.split('\n')[0])).toEqual(['Skills', 'Runs', 'Problems']);
    await page.context().close();
  });
});
