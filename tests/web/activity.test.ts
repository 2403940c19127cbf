// Activity: what was read and what ran as one stream, with filters that offer what occurs, live (U7, U8).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSampleRuns, type SampleRuns } from './sample-runs.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;
let runs: SampleRuns;

beforeAll(async () => {
  world = await openWebWorld();
  runs = await makeSampleRuns(world);
  await readFile();
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

const FILE = 'references/queries.md';
const readFile = () => world.server.ask(`/api/documents/sql-review/files/${FILE}`);

const list = (page: Page) => page.getByRole('region', { name: 'Activity' });
const row = (page: Page, name: RegExp) => list(page).getByRole('row', { name });
const field = (page: Page, name: string) => page.getByRole('combobox', { name });
/** Of the field that is open. */
const options = (page: Page) => page.getByRole('listbox').getByRole('option');
const searchOf = (page: Page) => new URL(page.url()).search;

describe('Activity', () => {
  test('shows what was read and what ran, with outcome, agent and how long it took (U7)', () =>
    see('/activity', async (page) => {
      await row(page, /^sql-review read local (just now|\d+ min ago)/).waitFor();
      await row(page, /^sql-review references\/queries\.md file read local/).waitFor();
      await row(page, /^always_fails failed NOT_FOUND local \d+ ms/).waitFor();
      await row(page, /^workflow_coordination completed local \d+ ms/).waitFor();
      expect(await page.getByRole('navigation').innerText()).not.toContain('Invocations');
    }));

  test('leads from a read to the skill, from a file to that file, and from a run to its page (U7)', () =>
    see('/activity', async (page) => {
      await row(page, /^sql-review read/)
        .getByRole('link')
        .click();
      await page.getByRole('heading', { name: 'sql-review', level: 1 }).waitFor();
      await page.goBack();
      await row(page, /^sql-review references/)
        .getByRole('link')
        .click();
      await page.locator('dialog').getByRole('heading', { name: FILE }).waitFor();
      await page.goBack();
      await row(page, /^always_fails/)
        .getByRole('link')
        .click();
      await page.getByRole('heading', { name: 'always_fails', level: 1 }).waitFor();
      await page.locator('.crumb').getByRole('link', { name: 'Activity' }).click();
      await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    }));

  test('shows reads and runs that come while it is open, without a reload (U7)', () =>
    see('/activity', async (page) => {
      await row(page, /^sql-review read/)
        .first()
        .waitFor();
      await world.server.ask('/api/documents/csv-cleaning');
      await row(page, /^csv-cleaning read/).waitFor();
      await world.invoke('anything', {});
      await row(page, /^anything completed/).waitFor();
    }));

  test('moves no row away from under the mouse: what is new waits until it has left (U7)', () =>
    see('/activity?kind=run&skill=nap', async (page) => {
      const rows = list(page).getByRole('link', { name: 'nap' });
      await rows.first().hover();
      const before = await rows.count();
      await world.invoke('nap', { ms: 2 });
      await page.getByText('1 new').waitFor({ state: 'attached' });
      expect(await rows.count()).toBe(before);
      await page.mouse.move(5, 5);
      await expect.poll(() => rows.count()).toBe(before + 1);
    }));

  test('is also what the old addresses of invocations lead to (U7)', () =>
    see(`/invocations?skill=always_fails`, async (page) => {
      await row(page, /^always_fails/).waitFor();
      expect(page.url()).toBe(`${world.server.url}/activity?kind=run&skill=always_fails`);
    }));

  test('says what to do before anything happened, and what when nothing fits (U7)', () =>
    see('/activity?skill=nobody-reads-this', async (page) => {
      await page.getByRole('heading', { name: 'Nothing fits these filters' }).waitFor();
      await page.route('**/api/activity?*', (route) => route.fulfill({ json: { activity: [], next_cursor: null } }));
      await page.getByRole('link', { name: 'show everything' }).click();
      await page.getByRole('heading', { name: 'Nothing yet' }).waitFor();
      await page.getByRole('link', { name: 'Connect an agent' }).waitFor();
    }));
});

describe('the filters of activity', () => {
  test('offer what occurs, with how often, and take a part of a name (U8)', () =>
    see('/activity', async (page) => {
      await row(page, /^sql-review read/)
        .first()
        .waitFor();
      await field(page, 'Skill').click();
      await page.getByRole('option', { name: /^always_fails 1$/ }).waitFor();
      await field(page, 'Skill').pressSequentially('fails');
      await expect.poll(() => options(page).allInnerTexts()).toEqual([expect.stringMatching(/^always_fails/), 'fails']);
      await page.keyboard.press('Enter');
      await expect.poll(() => searchOf(page)).toBe('?skill=always_fails');
      await expect.poll(() => list(page).getByRole('link', { name: 'sql-review' }).count()).toBe(0);
      expect(await field(page, 'Skill').inputValue()).toBe('always_fails');
      expect(await field(page, 'Skill').getAttribute('aria-expanded')).toBe('false');
    }));

  test('count what the other filters leave, and are taken away by "any" (U8)', () =>
    see('/activity?skill=always_fails', async (page) => {
      await field(page, 'Outcome').click();
      await page.getByRole('option', { name: /^failed 1$/ }).waitFor();
      expect(await page.getByRole('option', { name: /^completed/ }).count()).toBe(0);
      await page.getByRole('option', { name: /^NOT_FOUND 1$/ }).click();
      await expect.poll(() => searchOf(page)).toBe('?skill=always_fails&failure_code=NOT_FOUND');
      await field(page, 'Skill').click();
      await page.keyboard.press('Enter');
      await expect.poll(() => searchOf(page)).toBe('?failure_code=NOT_FOUND');
      await page.getByRole('link', { name: 'Clear' }).click();
      await row(page, /^sql-review read/)
        .first()
        .waitFor();
    }));

  test('are used by keyboard alone, and left as they were by Escape (U8)', () =>
    see('/activity', async (page) => {
      await row(page, /^sql-review read/)
        .first()
        .waitFor();
      await page.keyboard.press('/');
      await page.keyboard.press('ArrowDown');
      await options(page).nth(1).waitFor();
      await page.keyboard.press('ArrowDown');
      const second = options(page).nth(1);
      await expect.poll(() => second.getAttribute('aria-selected')).toBe('true');
      expect(await field(page, 'Skill').getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'));
      await page.keyboard.press('Escape');
      await expect.poll(() => options(page).count()).toBe(0);
      expect([searchOf(page), await field(page, 'Skill').inputValue()]).toEqual(['', '']);
    }));

  test('are in the address, kinds and times too (U8)', () =>
    see('/activity', async (page) => {
      await row(page, /^sql-review read/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Files' }).click();
      await expect.poll(() => list(page).getByRole('link').count()).toBe(1);
      await page.getByLabel('When').selectOption('the last hour');
      await expect.poll(() => searchOf(page)).toBe('?kind=file&since=1h');
      await page.reload();
      await row(page, /^sql-review references/).waitFor();
      expect(await page.getByRole('button', { name: 'Files' }).getAttribute('aria-pressed')).toBe('true');
    }));

  test('say nothing of a correlation id while it is typed, and what is wrong once it is left (U8)', () =>
    see('/activity', async (page) => {
      await row(page, /^sql-review read/)
        .first()
        .waitFor();
      const id = page.getByLabel('Correlation id');
      await id.pressSequentially('0123');
      await page.waitForTimeout(500);
      expect(await page.getByText('Not a whole id').count()).toBe(0);
      expect(searchOf(page)).toBe('');
      await page.keyboard.press('Tab');
      await page.getByText('Not a whole id').waitFor();
      await id.fill(runs.trace);
      await expect.poll(() => list(page).getByRole('link').count()).toBe(4);
      expect(await page.getByText('Not a whole id').count()).toBe(0);
    }));

  test('leave out an id of the address that is none (U8)', () =>
    see('/activity?correlation_id=x', async (page) => {
      await page.getByText('Not a whole id').waitFor();
      await row(page, /^sql-review read/)
        .first()
        .waitFor();
    }));

  test('fit a phone: what is offered stays on the screen (U8)', async () => {
    const page = await world.open('/activity', { viewport: { width: 380, height: 800 } });
    for (const name of ['Skill', 'Agent', 'Outcome']) {
      await field(page, name).click();
      await options(page).nth(1).waitFor();
      const box = await page.getByRole('listbox', { name }).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(380);
      await page.keyboard.press('Escape');
    }
    await page.context().close();
  });
});
