// What holds for every page: accessible in light and dark, usable at 380 pixels, in the colours that the reader chose.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foundByAxe, scrollsSideways } from './look.ts';
import { makeSampleRuns, type SampleRuns } from './sample-runs.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

const LOOKS: readonly BrowserContextOptions[] = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 380, height: 800 } },
];

let world: WebWorld;
let runs: SampleRuns;

beforeAll(async () => {
  world = await openWebWorld();
  runs = await makeSampleRuns(world);
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

describe('everywhere', () => {
  const paths = () => [
    '/',
    '/skills',
    '/documents/sql-review',
    '/typed/place_order',
    '/activity',
    `/invocations/${runs.failedId}`,
    `/traces/${runs.trace}`,
    '/runs',
    '/runs?state=waiting',
    `/runs/${runs.failedId}`,
    '/schedules',
    '/problems',
    '/library',
    '/sources',
    '/upkeep',
    '/agents',
    '/people',
    '/trail',
    '/connect',
    '/connect?host=codex',
    '/?host=other',
    '/nowhere',
  ];

  test('axe finds nothing serious in light', () => walk({ colorScheme: 'light' }, undefined));

  // What does not depend on colours and width is the same in both.
  test('axe finds nothing serious in dark, and 380 pixels are wide enough', () =>
    walk({ colorScheme: 'dark', viewport: { width: 380, height: 800 } }, ['color-contrast', 'link-in-text-block']));

  async function walk(options: BrowserContextOptions, rules: readonly string[] | undefined): Promise<void> {
    const page = await world.open('/', options);
    for (const path of paths()) {
      await page.goto(world.server.url + path);
      await page.waitForSelector('h1');
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
      const [found, scrolls] = [await foundByAxe(page, rules), await scrollsSideways(page)];
      expect({ path, found, scrolls }).toEqual({ path, found: [], scrolls: false });
    }
    await page.context().close();
  }

  test.each(LOOKS)('axe finds nothing serious in what is seen before the sign-in, %j', async (look) => {
    const context = await world.newContext(look);
    const page = await context.newPage();
    await page.goto(world.server.url);
    await page.getByLabel('Token').fill('rpo_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The server does not know this token').waitFor();
    expect([await foundByAxe(page), await scrollsSideways(page)]).toEqual([[], false]);
    await context.close();
  });

  test('the reader chooses light or dark, and the choice stays', () =>
    see('/problems', async (page) => {
      await page.getByText('No problems').waitFor();
      await page.getByRole('button', { name: 'Use dark colours' }).click();
      await page.reload();
      await page.getByRole('button', { name: 'Use light colours' }).waitFor();
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    }));
});
