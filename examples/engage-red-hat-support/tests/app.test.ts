// The server's MCP App in a real browser and the official host bridge: what its readers see, without any network (T8, T10).
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import type { MemoryClient } from '../../../src/surfaces/mcp/fixtures/memory-client.ts';
import type { JsonObject } from '../../../src/values/json-object.ts';
import { foundByAxe } from '../../../tests/web/look.ts';
import { bundleHost, type ShownApp, showApp } from '../../../tests/web/show-app.ts';
import { APP_URI, SKILL_URI } from '../support-surface.ts';
import { GENERATIONS } from './open-support.ts';

let browser: Browser;
let hostScript: string;
let client: MemoryClient;

beforeAll(async () => {
  [browser, hostScript] = await Promise.all([chromium.connect(inject('browserEndpoint')), bundleHost()]);
});

afterAll(() => browser.close());

beforeEach(async () => {
  const [newest] = GENERATIONS.slice(-1);
  if (newest === undefined) throw new Error('There is no server');
  client = await newest.open(true);
});

const call = (params: JsonObject) => client.result('tools/call', params);

async function show(result: object, theme: 'light' | 'dark' = 'light'): Promise<ShownApp> {
  const { contents } = await client.result('resources/read', { uri: APP_URI });
  const html = String((contents as JsonObject[])[0]?.text);
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 640, height: 700 } });
  context.setDefaultTimeout(20_000);
  return showApp(context, { html, hostScript, result, call, theme });
}

const showAfter = async (name: string, input: JsonObject) => show(await call({ name, arguments: input }));

test('shows what get_skill answered, rendered, with its table and lists (T8)', async () => {
  const { page, app, harm } = await showAfter('get_skill', { uri: SKILL_URI });
  await app.getByRole('heading', { level: 1, name: 'engage-red-hat-support' }).waitFor();
  await app.getByRole('heading', { name: '3. Choose the severity honestly' }).waitFor();
  expect(await app.getByRole('row').count()).toBe(5);
  expect(await app.getByRole('columnheader').allInnerTexts()).toEqual(['severity', 'meaning']);
  expect(await app.locator('li').count()).toBe(4);
  expect(await app.locator('main').innerText()).not.toMatch(/^---|\*\*|description:/m);
  // The host hears how high the page is, so that it needs no second scroll bar.
  await expect.poll(() => page.evaluate('heights.at(-1) > 600')).toBe(true);
  expect(harm).toEqual([]);
  await page.context().close();
});

test('reads the files that the skill mentions through the host, and finds the way back', async () => {
  const { page, app, harm } = await showAfter('list_skills', {});
  await app.getByRole('button', { name: 'engage-red-hat-support' }).click();
  await app.getByRole('button', { name: 'references/case-summary.md' }).click();
  await app.getByRole('heading', { level: 1, name: 'references/case-summary.md' }).waitFor();
  // Keyboard and screen reader go on where the new page begins.
  expect(await app.locator('h1').evaluate((element) => Object(globalThis).document.activeElement === element)).toBe(
    true,
  );
  await app.getByRole('button', { name: 'engage-red-hat-support' }).click();
  await app.getByRole('heading', { name: '1. Understand the problem' }).waitFor();
  await app.getByRole('button', { name: 'All skills' }).click();
  await app.getByRole('heading', { name: 'Skills of the support desk' }).waitFor();
  expect(harm).toEqual([]);
  await page.context().close();
});

test.each(['light', 'dark'] as const)('has no serious accessibility fault in a %s host', async (theme) => {
  const result = await call({ name: 'get_skill', arguments: { uri: SKILL_URI } });
  const { page, app } = await show(result, theme);
  await app.getByRole('heading', { level: 1 }).waitFor();
  expect(await app.locator('html').getAttribute('data-theme')).toBe(theme);
  // The page as such: axe cannot look into a sandboxed frame from outside.
  const html = await app.locator('html').evaluate((element) => String(Object(element).outerHTML));
  const flat = await page.context().newPage();
  await flat.setContent(html.replace(/<script[\s\S]*?<\/script>|<meta http-equiv[^>]*>/g, ''));
  expect(await foundByAxe(flat)).toEqual([]);
  await page.context().close();
});

test('whatever a skill says is text: no markup, no address of its own', async () => {
  const text = [
    '<img src=x onerror=alert(1)> **<b>bold</b>** [x](javascript:alert(1)) [y](https://example.com/y)',
    '| <script>alert(2)</script> | b |',
    '|---|---|',
    '| [z](../../etc/passwd) | `</code>` |',
  ].join('\n');
  const { page, app, harm } = await show({ content: [], structuredContent: { uri: 'skill://x/SKILL.md', text } });
  await app.getByRole('link', { name: 'y' }).click();
  await expect.poll(() => page.evaluate('openedLinks')).toEqual(['https://example.com/y']);
  expect(await app.locator('main :is(img, script, b), a[href^="javascript"]').count()).toBe(0);
  expect(await app.getByRole('button').allInnerTexts()).toEqual(['All skills']);
  expect(harm).toEqual([]);
  await page.context().close();
});

test('says what the server refused, and a hostile text does not keep it busy', async () => {
  const refused = await showAfter('get_skill', { uri: 'skill://<img src=x>/SKILL.md' });
  await refused.app.getByText('No skill has the URI').waitFor();
  expect(await refused.app.locator('img').count()).toBe(0);
  await refused.page.context().close();
  const pieces = [
    '[a',
    '**',
    '*a',
    '- ',
    '> ',
    '|',
    '\n> - ',
    'x|y\n',
    '---',
    '# \u2028',
    '\n  - a',
    '[a](b',
    ' ',
    '`',
  ];
  // The last one opens a block of code that nothing ends.
  const text = pieces.map((piece) => `${piece.repeat(6_000 / piece.length)}x`).join('\n\n');
  for (const long of [text, text.repeat(2)]) {
    const result = { content: [], structuredContent: { uri: 'skill://x/SKILL.md', text: long } };
    const { page, app, harm } = await show(result);
    await app.getByRole('heading', { level: 1 }).waitFor();
    // More than it renders is shown as it is written.
    expect((await app.locator('li').count()) > 0).toBe(long === text);
    expect(harm).toEqual([]);
    await page.context().close();
  }
});
