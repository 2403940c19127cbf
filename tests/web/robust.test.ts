// What must not leave a white page or a wrong session: odd addresses, faults of ours, links from strangers, odd browsers (H5).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

const skill = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Herds llamas, ${name}.\n---\n\n${body}\n`;

beforeAll(async () => {
  const herd = Array.from({ length: 55 }, (_, at) => `herd-${at}`);
  const documents = Object.fromEntries(herd.map((name) => [name, skill(name, '# Llamas')]));
  world = await openWebWorld({ documents: { ...documents, tangled: skill('tangled', 'a**b'.repeat(3_000)) } });
  // A server on which something ran opens with the overview.
  await world.invoke('anything', {});
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

async function invocationCount(): Promise<number> {
  const { text } = await world.server.ask('/api/overview');
  return JSON.parse(text).totals.count;
}

describe('addresses and faults', () => {
  test('dates that are none are left out', () =>
    see('/?since=x&until=y', async (page) => {
      await page.getByRole('heading', { name: 'Newest activity' }).waitFor();
    }));

  test('a page that breaks says so, and the others open', () =>
    see('/skills', async (page) => {
      await page.route('**/api/problems', (route) => route.fulfill({ json: { problems: [null] } }));
      await page.goto(`${world.server.url}/problems`);
      await page.getByRole('heading', { name: 'This page broke' }).waitFor();
      await page.getByRole('button', { name: 'Reload' }).waitFor();
      await page.locator('main').getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    }));

  test('what failed while the server was away is asked for again once it is back (H6)', () =>
    see('/skills', async (page) => {
      await page.route(/\/(ready|api\/documents.*)$/, (route) => route.abort());
      await page.clock.install();
      await page.reload();
      await page.getByText('The server does not answer. This page shows').waitFor();
      await page.unroute(/\/(ready|api\/documents.*)$/);
      await page.clock.runFor(10_000);
      await page.getByRole('link', { name: 'herd-1', exact: true }).waitFor();
    }));

  test('the reasons of an outage are sentences (H6)', () =>
    see('/problems', async (page) => {
      const json = { status: 'degraded', reasons: ['Cannot use the database: it is away'] };
      await page.route('**/ready', (route) => route.fulfill({ status: 503, json }));
      await page.reload();
      await page.getByText('it is away. Documents are still served.').waitFor();
    }));
});

describe('the printed link (H5)', () => {
  test('signs in where a tab is open already, and its token leaves the address', async () => {
    const page = await (await world.newContext()).newPage();
    await page.goto(world.server.url);
    await page.getByLabel('Token').waitFor();
    await page.goto(`${world.server.url}/#token=${world.token}`);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(page.url()).toBe(`${world.server.url}/`);
    await page.context().close();
  });

  test('asks before it replaces whoever is signed in', () =>
    see('/', async (page) => {
      const added = await world.server.ask('/api/agents', { body: JSON.stringify({ name: 'Stranger' }) });
      const { token } = JSON.parse(added.text);
      const session = async () => (await page.context().cookies())[0]?.value;
      const before = await session();
      for (const [choice, shown] of [
        ['Stay the operator', 'local'],
        ['Sign in as the agent Stranger', 'Stranger'],
      ] as const) {
        await page.goto(`${world.server.url}/#token=${token}`);
        await page.getByRole('heading', { name: 'Switch to another account?' }).waitFor();
        expect([page.url(), await session()]).toEqual([`${world.server.url}/`, before]);
        await page.getByRole('button', { name: choice }).click();
        await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
        const me = await page.context().request.get(`${world.server.url}/api/me`);
        expect((await me.json()).name).toBe(shown);
      }
    }));

  test('with a wrong token leaves whoever is signed in', () =>
    see('/', async (page) => {
      await page.goto(`${world.server.url}/#token=rpo_wrong`);
      await page.getByText('The token of this link was not accepted').waitFor();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    }));
});

test('lines over the foot stand one above the other', () =>
  see('/problems', async (page) => {
    const json = { status: 'degraded', reasons: ['Cannot use the database: it is away'] };
    await page.route('**/ready', (route) => route.fulfill({ status: 503, json }));
    await page.goto(`${world.server.url}/skills#token=rpo_wrong`);
    await page.getByText('it is away. Documents are still served.').waitFor();
    await page.getByText('The token of this link was not accepted').waitFor();
    const [upper, lower] = await page
      .locator('.banner')
      .evaluateAll((banners) => banners.map((banner) => banner.getBoundingClientRect().toJSON()));
    expect(upper?.bottom).toBeLessThanOrEqual(lower?.top);
  }));

test('a typed skill that was refused is counted once for all: by the menu and by the overview', () =>
  see('/skills', async (page) => {
    const said = { path: 'some_skill', rule: 'typed-skill-refused', message: 'Cannot', fix: 'Do' };
    const problem = { ...said, source: null, severity: 'error', line: null };
    await page.route('**/api/problems', (route) => route.fulfill({ json: { problems: [problem] } }));
    await page.goto(world.server.url);
    const tile = page.locator('.tile', { hasText: 'Problems' });
    await tile.getByText('What to do').waitFor();
    const menu = page.getByRole('link', { name: 'Problems' }).locator('.count');
    expect([await tile.locator('dd').first().innerText(), await menu.innerText()]).toEqual(['1', '1']);
  }));

test('problems are shown with the root, the line and the severity that the server says', () =>
  see('/skills', async (page) => {
    const said = { path: 'a/SKILL.md', rule: 'some-rule', message: 'Cannot', fix: 'Do', source: 'the root' };
    const problems = [
      { ...said, severity: 'advice', line: 7 },
      { ...said, severity: 'error', line: null },
    ];
    await page.route('**/api/problems', (route) => route.fulfill({ json: { problems } }));
    await page.goto(`${world.server.url}/problems`);
    const root = page.getByRole('region', { name: 'the root' });
    await root.getByText('line 7').waitFor();
    await page.getByRole('button', { name: 'Advice 1' }).click();
    await expect.poll(() => root.locator('.problem').count()).toBe(1);
    expect(await root.locator('.problem').innerText()).toContain('advice');
  }));

describe('what is shown', () => {
  test('a tangled text is shown as text, with a sentence', () =>
    see('/documents/tangled', async (page) => {
      await page.getByText('it is shown as it is written').waitFor();
      expect(await page.locator('pre.code').first().innerText()).toContain('a**ba**b');
    }));

  test('charts are drawn where the language of the browser is no valid tag', () =>
    see('/skills', async (page) => {
      const getter = "{ get: () => 'en-US@posix', configurable: true }";
      await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'language', ${getter})`);
      await page.goto(world.server.url);
      await page.locator('.chart canvas').nth(2).waitFor();
    }));

  test('charts are numbers where they cannot be drawn, and say where there are none', () =>
    see('/skills', async (page) => {
      await world.invoke('anything', {});
      await expect.poll(invocationCount).toBeGreaterThan(0);
      await page.route(/uPlot.*\.js$/i, (route) => route.abort());
      await page.goto(world.server.url);
      await page.getByText('Nothing yet').waitFor();
      const numbers = page.getByRole('table', { name: /^Invocations per minute/ });
      await numbers.getByRole('button').first().click();
      await page.getByRole('heading', { name: /^Invocations from/ }).waitFor();
    }));

  test('a search that found as many as are shown says so', () =>
    see('/skills?q=llamas', async (page) => {
      await page.getByText('The first 50 are shown.').waitFor();
    }));

  test('at 380 pixels the kind of a skill stands under its name', async () => {
    const page = await world.open('/skills', { viewport: { width: 380, height: 800 } });
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'anything' }) });
    await row.locator('.only-small').waitFor();
    expect(await row.locator('.only-small').innerText()).toContain('typed');
    await page.context().close();
  });
});
