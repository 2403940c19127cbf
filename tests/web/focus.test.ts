// Where the reader is after they did something: at what came of it, never at the top of an empty page.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSampleRuns } from './sample-runs.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await openWebWorld();
  await makeSampleRuns(world);
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

const focusedText = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent');
const focusedLabel = (page: Page): Promise<string> => page.evaluate("document.activeElement.ariaLabel ?? ''");

describe('the focus', () => {
  test('is at the result after a run, and at the failure', () =>
    see('/typed/nap', async (page) => {
      await page.locator('[id="field-ms"]').fill('5');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Succeeded' }).waitFor();
      await expect.poll(() => focusedText(page)).toContain('Succeeded');
      await page.goto(`${world.server.url}/typed/always_fails`);
      await page.getByRole('button', { name: 'Invoke' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => focusedText(page)).toContain('NOT_FOUND');
    }));

  test('stays where the reader went meanwhile', () =>
    see('/typed/nap', async (page) => {
      await page.locator('[id="field-ms"]').fill('400');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Use dark colours' }).focus();
      await page.getByRole('region', { name: 'Succeeded' }).waitFor();
      await page.waitForTimeout(100);
      expect(await focusedLabel(page)).toBe('Use dark colours');
    }));

  test('is at a new token, and back at its button when a revocation is called off', () =>
    see('/agents', async (page) => {
      await page.getByLabel('Name').fill('Focus');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'The new token' }).waitFor();
      await expect.poll(() => focusedLabel(page)).toBe('The new token');
      const first = page.getByRole('button', { name: 'Revoke Focus', exact: true });
      await first.click();
      await page.keyboard.press('Escape');
      await first.waitFor();
      await expect.poll(() => focusedLabel(page)).toBe('Revoke Focus');
      await first.click();
      await page.getByRole('button', { name: 'Cancel: leave Focus' }).click();
      await expect.poll(() => focusedLabel(page)).toBe('Revoke Focus');
      await first.dblclick();
      await page.waitForTimeout(200);
      expect(await page.getByText('revoked', { exact: true }).count()).toBe(0);
      await first.click();
      await page.getByRole('button', { name: 'Really revoke Focus' }).click();
      await page.getByText('revoked', { exact: true }).waitFor();
      await expect.poll(() => focusedText(page)).toContain('Focus');
    }));
});

describe('a chosen point of a chart (X8)', () => {
  test.each(['reduce', 'no-preference'] as const)(
    'takes one to its list and back, motion: %s',
    async (reducedMotion) => {
      const page = await world.open('/', { reducedMotion, viewport: { width: 1280, height: 700 } });
      const chart = page.getByRole('slider', { name: /Invocations per minute/ });
      await page.locator('.chart canvas').first().waitFor();
      await chart.focus();
      await page.keyboard.press('Enter');
      const list = page.getByRole('region', { name: /^Invocations from/ });
      await list.waitFor();
      await expect.poll(() => focusedLabel(page)).toMatch(/^Invocations from/);
      await expect.poll(() => isInView(page, '.card.marked')).toBe(true);
      await list.getByRole('button', { name: 'Show the newest' }).click();
      await expect.poll(() => focusedLabel(page)).toMatch(/^Invocations per minute/);
      await expect.poll(() => isInView(page, '.chart')).toBe(true);
      await page.context().close();
    },
  );

  test('is marked in the chart', () =>
    see('/', async (page) => {
      await page.locator('.chart canvas').first().waitFor();
      const picture = () => page.locator('.chart').first().screenshot();
      const address = page.url();
      const before = await picture();
      await page.getByRole('slider', { name: /Invocations per minute/ }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).not.toBe(address);
      await page.locator('.card.marked').waitFor();
      expect((await picture()).equals(before)).toBe(false);
    }));
});

const isInView = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const { top } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return top >= -2 && top < innerHeight - 100;
  })()`);
