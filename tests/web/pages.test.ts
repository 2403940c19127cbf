// Every page of the dashboard, walked in a real browser against the built program and a real store.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSampleRuns, type SampleRuns } from './sample-runs.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;
let runs: SampleRuns;

beforeAll(async () => {
  world = await openWebWorld();
  runs = await makeSampleRuns(world);
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

const text = (page: Page): Promise<string> => page.locator('main').innerText();

describe('signing in (H5)', () => {
  test('the printed link signs in, and its token leaves the address', async () => {
    const context = await world.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
    await page.goto(`${world.server.url}/#token=${world.token}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(complaints).toEqual([]);
    expect(page.url()).toBe(`${world.server.url}/`);
    const [cookie] = await context.cookies();
    const name = `repertoire_session_${world.server.port}`;
    expect(cookie).toMatchObject({ name, httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.value).not.toContain(world.token);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('rpo_');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test('who could not be signed out is told so, and tries again', () =>
    see('/problems', async (page) => {
      await page.route('**/api/session', (route) => route.abort());
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Cannot sign out. The server does not answer.' }).waitFor();
      expect(await page.context().cookies()).toHaveLength(1);
      await page.unroute('**/api/session');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByLabel('Token').waitFor();
      expect(await page.context().cookies()).toEqual([]);
    }));

  test('a wrong token is refused at its field, a right one opens the page that was asked for', async () => {
    const context = await world.newContext();
    const page = await context.newPage();
    await page.goto(`${world.server.url}/problems`);
    await page.getByLabel('Token').fill('rpo_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The server does not know this token').waitFor();
    await page.getByLabel('Token').fill(world.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Problems', level: 1 }).waitFor();
    await context.close();
  });
});

describe('the overview', () => {
  test('shows figures, charts, and what ran; a chosen point filters the list (X8)', () =>
    see('/', async (page) => {
      await page.locator('.chart canvas').first().waitFor();
      await page.getByRole('link', { name: 'workflow_coordination' }).first().waitFor();
      expect(await text(page)).toMatch(/Invocations\s+5\s/);
      expect(await page.locator('.chart canvas').count()).toBe(3);
      const chart = page.getByRole('slider', { name: /Invocations per minute/ });
      await chart.focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(() => chart.getAttribute('aria-valuetext'))
        .toMatch(/^\d\d:\d\d to \d\d:\d\d: (\d+ succeeded, \d+ failed|nothing ran)$/);
      await page
        .locator('.chart.picks .u-over')
        .first()
        .click({ position: { x: 5, y: 50 } });
      await page.getByText(/Invocations from .* to/).waitFor();
      await page.getByText('Nothing ran in this time').waitFor();
      await page.getByRole('button', { name: 'Show the newest' }).click();
      await page.getByRole('link', { name: 'always_fails' }).nth(1).waitFor();
    }));

  test('counts usage by skill, agent or category, as the address says (X8) (M9)', () =>
    see('/', async (page) => {
      const usage = page.getByRole('region', { name: 'Usage' });
      await usage.getByRole('link', { name: 'always_fails' }).waitFor();
      await usage.getByRole('button', { name: 'Agent' }).click();
      await usage.getByRole('link', { name: 'local' }).waitFor();
      expect(page.url()).toContain('by=agent');
      await usage.getByRole('button', { name: 'Category' }).click();
      await usage.getByText('execution').waitFor();
      await usage.getByRole('button', { name: 'Skill' }).click();
      await usage.getByRole('link', { name: 'always_fails' }).waitFor();
      expect(page.url()).not.toContain('by=');
    }));

  test('takes another window into the address', () =>
    see('/', async (page) => {
      await page.getByRole('button', { name: '24h' }).click();
      await page.getByText('in the last 24 hours').first().waitFor();
      expect(page.url()).toContain('window=24h');
    }));

  test('shows what happens while it is open, without a reload', () =>
    see('/', async (page) => {
      const newest = page.getByRole('region', { name: 'Newest activity' });
      const rows = newest.getByRole('link', { name: 'always_fails' });
      await rows.first().waitFor();
      const before = await rows.count();
      await world.invoke('always_fails', {});
      await expect.poll(() => rows.count()).toBe(before + 1);
    }));
});

describe('skills', () => {
  test('lists both kinds and searches as one types, by keyboard alone', () =>
    see('/skills', async (page) => {
      await page.getByRole('link', { name: 'sql-review' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('commit message');
      await expect.poll(() => page.locator('.row-link').first().innerText()).toBe('commit-messages');
      await expect.poll(() => page.url()).toContain('q=commit+message');
      await page
        .getByText(/name: commit,? message/)
        .first()
        .waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'commit-messages', level: 1 }).waitFor();
    }));

  test('searches for the words that the address has, also when a link takes them away', () =>
    see('/skills?q=commit', async (page) => {
      const field = page.getByLabel('Search skills');
      expect(await field.inputValue()).toBe('commit');
      await page.getByRole('link', { name: 'Skills', exact: true }).click();
      await page.getByRole('link', { name: 'place_order' }).waitFor();
      await page.waitForTimeout(300);
      expect([await field.inputValue(), new URL(page.url()).search]).toEqual(['', '']);
      await field.pressSequentially('commit ');
      await expect.poll(() => page.url()).toContain('q=commit');
      await field.pressSequentially('message');
      await expect.poll(() => field.inputValue()).toBe('commit message');
    }));

  test('says why there is no further page, shows no document twice, and begins anew with the first page', () =>
    see('/problems', async (page) => {
      const change = await servePages(page);
      await page.goto(`${world.server.url}/skills`);
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByText('Not now').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'doc-c' }).waitFor();
      expect(await page.getByRole('link', { name: /^doc-/ }).allInnerTexts()).toEqual(['doc-a', 'doc-b', 'doc-c']);
      change();
      await expect.poll(() => page.getByRole('link', { name: /^doc-/ }).allInnerTexts()).toEqual(['doc-a']);
    }));

  /** Two pages that overlap, of which the second fails once. Answers how to change the first, and tell the page so. */
  async function servePages(page: Page): Promise<() => void> {
    let first = ['a', 'b'];
    let fails = 1;
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const documentOf = (name: string) => ({
      ...{ name: `doc-${name}`, description: 'x', uri: `skill://doc-${name}/SKILL.md` },
      ...{ source: 'root', availability: 'available' },
    });
    await page.route('**/api/documents?limit=100*', (route) => {
      const isFirst = !route.request().url().includes('cursor=');
      if (!isFirst && fails-- > 0) return route.fulfill({ status: 500, json: { failure_message: 'Not now' } });
      const names = isFirst ? first : ['b', 'c'];
      return route.fulfill({ json: { documents: names.map(documentOf), next_cursor: isFirst ? 'next' : null } });
    });
    await page.route('**/api/events', async (route) => {
      await told;
      await route.fulfill({ contentType: 'text/event-stream', body: 'event: catalog\ndata: {}\n\n' });
    });
    return () => {
      first = ['a'];
      tell();
    };
  }

  test('shows a document rendered, with its files, its URI and who read it (D9)', () =>
    see('/documents/sql-review', async (page) => {
      await page.locator('.prose h2').first().waitFor();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the URI' }).click();
      await page.getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('skill://sql-review/SKILL.md');
      // Whoever types it elsewhere has other roots.
      expect(await text(page)).not.toContain('repertoire show');
      await page.getByRole('region', { name: 'The last 30 days' }).getByText('Read once').waitFor();
      await page.locator('.prose').getByRole('link', { name: 'references/queries.md' }).click();
      await page.locator('dialog').getByRole('heading', { name: 'references/queries.md' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'SKILL.md' }).click();
      await page.locator('dialog pre').getByText('name: sql-review').waitFor();
      expect(await page.locator('dialog').innerText()).toMatch(/sha256:[0-9a-f]{64}/);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog').count()).toBe(0);
    }));

  test('says what to do when there is no such document', () =>
    see('/documents/nowhere', async (page) => {
      await page.getByText('Resource not found').waitFor();
    }));
});

describe('invocations', () => {
  test('show how they ended and what to do about it (X4)', () =>
    see(`/invocations/${runs.failedId}`, async (page) => {
      await page.getByText('Verify resource exists before operation').waitFor();
      expect(await text(page)).toContain('NOT_FOUND');
      await page.getByRole('link', { name: 'Trace' }).click();
      await page.getByRole('heading', { name: 'Trace' }).waitFor();
    }));

  test('of one correlation id are bars on a time axis (X6)', () =>
    see(`/traces/${runs.trace}`, async (page) => {
      await page.getByText('3 steps').waitFor();
      expect(await page.locator('.trace-step').allInnerTexts()).toEqual([
        expect.stringMatching(/^workflow_coordination\s+local$/),
        ...['one', 'two', 'three'].map((id) => expect.stringMatching(new RegExp(`^nap\\s+step ${id}$`))),
      ]);
      const starts = await page
        .locator('.trace .row-link')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().left));
      expect(starts[1]).toBeGreaterThan((starts[0] ?? 0) + 10);
      const bars = await page
        .locator('.lane span')
        .evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().width));
      expect(bars).toHaveLength(4);
      // The workflow lasts longer than its steps.
      expect(bars[0]).toBeGreaterThan(Math.max(...bars.slice(1)));
      expect(Math.min(...bars)).toBeGreaterThan(1);
    }));
});

test.each([1280, 380])('at %i pixels a step of a trace is as high as its name and its place', async (width) => {
  const page = await world.open(`/traces/${runs.trace}`, { viewport: { width, height: 800 } });
  await page.locator('.trace-step').first().waitFor();
  const heights = await page.locator('.trace tbody tr').evaluateAll((all) => all.map((row) => row.clientHeight));
  expect(Math.max(...heights)).toBeLessThan(90);
  await page.context().close();
});

test('a trace follows what runs, and asks no more often than every two seconds', () =>
  see(`/traces/${runs.trace}`, async (page) => {
    await page.getByText('3 steps').waitFor();
    let asked = 0;
    const start = performance.now();
    page.on('request', (request) => {
      if (request.url().includes('/api/invocations?')) asked += 1;
    });
    for (let turn = 0; turn < 10; turn++) await world.invoke('anything', {}, runs.trace);
    await page.getByText('13 steps').waitFor();
    const lasted = performance.now() - start;
    expect(asked).toBeLessThanOrEqual(2 + Math.floor(lasted / 2_000));
  }));

describe('agents (H5)', () => {
  test('are added with a token that is shown once, see what they may, and are revoked', () =>
    see('/agents', async (page) => {
      await page.getByText('No agents yet').waitFor();
      await page.getByLabel('Name').fill('no spaces please');
      await page.getByRole('button', { name: 'Add agent' }).click();
      await expect.poll(() => page.locator('#agent-fault').innerText()).toMatch(/name/i);
      await page.getByLabel('Name').fill('Reader');
      await page.getByRole('button', { name: 'Add agent' }).click();
      const token = await page.getByRole('region', { name: 'The new token' }).locator('code').innerText();
      expect(token).toMatch(/^rpa_/);
      await page.getByText(/^It can read documents/).waitFor();
      expect(await page.getByText('names the role').count()).toBe(0);
      await expectToSeeLittle(token);
      await page.getByRole('button', { name: 'New agent' }).click();
      await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('agent-name');
      await page.getByRole('checkbox', { name: 'TaskAgent', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('New agent');
      await page.getByRole('button', { name: 'Revoke Reader' }).click();
      await page.getByRole('button', { name: 'Really revoke Reader' }).click();
      await page.getByText('revoked', { exact: true }).waitFor();
      expect(await page.getByRole('region', { name: 'The new token' }).count()).toBe(0);
    }));

  test('whose token has expired can be revoked: the name is free again', () =>
    see('/problems', async (page) => {
      await world.server.ask('/api/agents', { body: JSON.stringify({ name: 'Late' }) });
      // As it will be one day.
      await page.route('**/api/agents', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll('"active"', '"expired"') });
      });
      await page.getByRole('link', { name: 'Agents' }).click();
      const row = page.getByRole('row', { name: /Late/ });
      await row.getByText('expired', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Revoke Late' }).click();
      await page.getByRole('button', { name: 'Really revoke Late' }).click();
      await row.getByText('revoked', { exact: true }).waitFor();
      expect(await row.getByRole('button').count()).toBe(0);
    }));

  async function expectToSeeLittle(token: string): Promise<void> {
    const context = await world.newContext();
    const page = await context.newPage();
    await page.goto(`${world.server.url}/#token=${token}`);
    await page.getByText('This token may not read the log').waitFor();
    expect(await page.getByRole('navigation').innerText()).not.toMatch(/Agents|Activity/);
    await page.getByRole('link', { name: 'Skills', exact: true }).click();
    await page.getByRole('link', { name: 'sql-review' }).waitFor();
    await context.close();
  }
});
