// The viewer inside hosts: read from the real server, run in a sandboxed frame without network, through the real bridge (T8).
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLatch } from '../support/latch.ts';
import { type AppCall, bundleHost, type ShownApp, showApp } from './show-app.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;
let client: Client;
let html: string;
let hostScript: string;

beforeAll(async () => {
  world = await openWebWorld();
  client = new Client({ name: 'host', version: '1' });
  const headers = { Authorization: `Bearer ${world.token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(world.server.mcp_url), { requestInit: { headers } }));
  const uri = await uiUriOf('list_skills');
  const { contents } = await client.readResource({ uri });
  html = String(contents[0] && 'text' in contents[0] ? contents[0].text : '');
  hostScript = await bundleHost();
});

afterAll(async () => {
  await client.close();
  await world.close();
});

async function uiUriOf(tool: string): Promise<string> {
  const { tools } = await client.listTools();
  const meta = tools.find(({ name }) => name === tool)?._meta as { readonly ui?: { readonly resourceUri?: string } };
  return meta.ui?.resourceUri ?? '';
}

const callServer: AppCall = (params) => client.callTool(params);

const showAfter = async (name: string, input: Record<string, unknown>, call = callServer): Promise<ShownApp> =>
  show(await client.callTool({ name, arguments: input }), call);

const show = async (result: object, call = callServer): Promise<ShownApp> =>
  showApp(await world.newContext({ locale: 'en-GB' }), { html, hostScript, result, call });

describe('the MCP App (T8)', () => {
  test('is one file that loads nothing', () => {
    // Without the code, which may well speak of elements.
    const markup = html.replace(/(<script[^>]*>)[\s\S]*?<\/script>|(<style>)[\s\S]*?<\/style>/g, '$1$2');
    expect(markup).toMatch(/^<!doctype html>/i);
    expect(markup).toContain('<script type="module">');
    expect(markup).not.toMatch(/\b(?:src|href)=/i);
  });

  test('lists the skills of the answer, searches, and reads one through the host', async () => {
    const { page, app, harm } = await showAfter('list_skills', {});
    await app.getByRole('button', { name: 'sql-review' }).waitFor();
    await app.getByLabel('Search skills').fill('commit message');
    await expect.poll(() => app.locator('.skill-name').first().innerText()).toBe('commit-messages');
    await app.getByRole('button', { name: 'commit-messages' }).click();
    await app.getByRole('heading', { name: 'Subject' }).waitFor();
    expect(await app.locator('.prose').innerText()).not.toContain('description:');
    await app.getByRole('button', { name: 'All skills' }).click();
    await app.locator('.skill-name').first().waitFor();
    expect(harm).toEqual([]);
    await page.context().close();
  });

  test('shows what was asked for last, whichever answer comes last', async () => {
    let late = 0;
    const asked = createLatch();
    const released = createLatch();
    const { page, app } = await showAfter('list_skills', {}, async (params) => {
      if (params.arguments?.query !== 'commit message') return callServer(params);
      asked.open();
      await released.opened;
      late += 1;
      return callServer(params);
    });
    const first = () => app.locator('.skill-name').first().innerText();
    await app.getByLabel('Search skills').fill('commit message');
    await asked.opened;
    await app.getByLabel('Search skills').fill('sql review');
    await expect.poll(first).toBe('sql-review');
    released.open();
    await expect.poll(() => late).toBe(1);
    await page.waitForTimeout(200);
    expect(await first()).toBe('sql-review');
    await page.context().close();
  });

  test('lets the host open links, and leads nowhere by links to headings', async () => {
    const text = 'See [there](https://example.com/there) and [below](#below).';
    const { page, app, harm } = await show({ content: [], structuredContent: { uri: 'skill://x/SKILL.md', text } });
    await app.getByRole('link', { name: 'there' }).click();
    await expect.poll(() => page.evaluate('openedLinks')).toEqual(['https://example.com/there']);
    await app.getByText('below').click();
    expect(await app.locator('a[href]').count()).toBe(1);
    expect(await page.evaluate('openedLinks')).toEqual(['https://example.com/there']);
    expect(harm).toEqual([]);
    await page.context().close();
  });

  test('shows a text that would keep it busy as text, with a sentence', async () => {
    const text = 'a**b'.repeat(3_000);
    const { page, app } = await show({ content: [], structuredContent: { uri: 'skill://x/SKILL.md', text } });
    await app.getByText('it is shown as it is written').waitFor();
    expect(await app.locator('pre.code').innerText()).toBe(text);
    await page.context().close();
  });

  test('shows the document that get_skill answered, in the colours of the host', async () => {
    const { page, app, harm } = await showAfter('get_skill', { uri: 'skill://sql-review/SKILL.md' });
    await app.locator('.prose h2').first().waitFor();
    const theme = () => app.locator('html').getAttribute('data-theme');
    expect(await theme()).toBe('dark');
    await page.evaluate("setTheme('light')");
    await expect.poll(theme).toBe('light');
    expect(harm).toEqual([]);
    await page.context().close();
  });

  test('says what the server refused, as text', async () => {
    const { page, app } = await showAfter('get_skill', { uri: 'skill://<img src=x onerror=alert(1)>/SKILL.md' });
    await app.getByText('No skill has the URI').waitFor();
    expect(await app.locator('img').count()).toBe(0);
    await page.context().close();
  });
});
