// From a fresh server to an agent that reads its first skill: the page makes a token, a real MCP client connects with exactly
// what the page shows, and the page tells how far it has come (U1).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLatch } from '../support/latch.ts';
import { foundByAxe } from './look.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await openWebWorld({ homeFolders: ['.claude', '.codex'] });
});

afterAll(() => world.close());

const see = (path: string, look: (page: Page) => Promise<void>) => world.see(path, look);

interface Shown {
  readonly url: string;
  readonly authorization: string | undefined;
}

/** As the host whose settings have this address and header. */
async function connectAs(name: string, { url, authorization }: Shown): Promise<Client> {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const client = new Client({ name, version: '9.8.7' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

const choose = (page: Page, host: string) => page.getByRole('button', { name: host, exact: true }).click();

async function createToken(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByText(/the token of \S+ is not shown again/).waitFor();
}

const shownCommand = (page: Page) => page.locator('.connect .command code').first().innerText();

const stepTexts = (page: Page) => page.getByRole('status').getByRole('listitem').allTextContents();

describe('the first five minutes (U1)', () => {
  test('an overview without anything to show asks for a first agent, and can be skipped for good', () =>
    see('/', async (page) => {
      await page.getByRole('heading', { name: 'Connect your first agent', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Codex' }).waitFor();
      expect(await page.locator('.chart').count()).toBe(0);
      const hosts = page.getByRole('group', { name: 'Hosts on this machine' }).getByRole('button');
      expect(await hosts.allInnerTexts()).toEqual([
        'Claude Code',
        'Codex',
        'Any other MCP host',
        expect.stringMatching(/^\d+ more…$/),
      ]);
      await page.getByRole('button', { name: 'Skip' }).click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.reload();
      await page.locator('.chart canvas').first().waitFor();
    }));

  test.skipIf(process.platform === 'win32')(
    'the command that it shows connects the host, and the page follows until the first skill is read',
    () =>
      see('/', async (page) => {
        await choose(page, 'Claude Code');
        expect(await page.getByLabel('Agent name').inputValue()).toBe('claude-code');
        await createToken(page);
        expect(await stepTexts(page)).toEqual(['Waiting for Claude Code…', 'Tools listed', 'First skill read']);
        // The keyboard goes on from what came of the button.
        await expect
          .poll(() => page.evaluate('document.activeElement?.textContent'))
          .toContain('Run this in a terminal');

        const host = await connectAs('claude-code', await runCommand(await shownCommand(page)));
        await expect.poll(() => stepTexts(page)).toContain('Done: Connected: Claude Code 9.8.7');
        const { tools } = await host.listTools();
        await expect.poll(() => stepTexts(page)).toContain(`Done: ${tools.length} tools listed`);
        const request = await page.locator('.connect .command code').last().innerText();
        const name = /^Load the skill (.+)\.$/.exec(request)?.[1];
        await host.callTool({ name: 'skill', arguments: { name } });
        await expect.poll(() => stepTexts(page)).toContain(`Done: First skill read: ${name}`);
        expect(await foundByAxe(page)).toEqual([]);

        const before = await stepTexts(page);
        await page.reload();
        await expect.poll(() => stepTexts(page)).toEqual(before);
        await page.getByText('It uses the token of the agent claude-code').waitFor();
        expect(await page.locator('main').innerText()).not.toContain('rpa_');
        await page.getByRole('link', { name: 'Open the overview' }).click();
        await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      }),
  );

  /** In a shell, as a person does; answers what is in the settings of the host then. */
  async function runCommand(command: string): Promise<Shown> {
    const env = { PATH: process.env.PATH, HOME: world.home };
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: tmpdir(), env, encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const settings = JSON.parse(readFileSync(join(world.home, '.claude.json'), 'utf8'));
    const { url, headers } = settings.mcpServers.repertoire;
    return { url, authorization: headers.Authorization };
  }
});

describe('the page Connect (U1)', () => {
  test('shows the same as an entry for the file of the host, and gives a taken name a number', async () => {
    await world.addAgent('codex');
    await see('/connect', async (page) => {
      await choose(page, 'Codex');
      await expect.poll(() => page.getByLabel('Agent name').inputValue()).toBe('codex-2');
      await createToken(page);
      expect(new URL(page.url()).search).toBe('?host=codex&agent=codex-2');
      const command = await shownCommand(page);
      const [, token = '', url = ''] = /^REPERTOIRE_TOKEN=(rpa_\S+) .* --http (\S+)$/.exec(command) ?? [];
      expect(url).toBe(world.server.mcp_url);
      await page.getByText('Or add this to ~/.codex/config.toml').click();
      const entry = await page.getByRole('region', { name: 'Entry' }).locator('pre').innerText();
      expect(entry).toContain(`url = "${url}"`);
      expect(entry).toContain(`Authorization = "Bearer ${token}"`);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the entry' }).click();
      await page.getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(entry);
    });
  });

  test('says which typed skills the new agent may invoke: its role is its name', () =>
    see('/connect?host=cursor', async (page) => {
      await page.getByLabel('Agent name').fill('Clerk');
      await createToken(page);
      await page.getByText(/^It can read documents and invoke .*for_clerks/).waitFor();
      await page.goto(`${world.server.url}/connect?host=pi`);
      await createToken(page);
      expect(await page.getByText(/^It can read /).innerText()).not.toContain('for_clerks');
      // That no skill names its role is no warning: a host that reads documents needs none.
      expect(await page.locator('.connect .pill').count()).toBe(0);
    }));

  test('gives a host that is not known the address and the token, and knows it by its token', () =>
    see('/connect', async (page) => {
      await choose(page, 'Any other MCP host');
      await page.getByLabel('Agent name').fill('codex');
      await createToken(page);
      const codes = await page.locator('.connect .command code').allInnerTexts();
      expect(codes).toEqual([world.server.mcp_url, expect.stringMatching(/^rpa_/)]);
      const { mcpServers } = JSON.parse(await page.getByRole('region', { name: 'Entry' }).locator('pre').innerText());
      const { url, headers } = mcpServers.repertoire;
      expect([url, headers.Authorization]).toEqual([codes[0], `Bearer ${codes[1]}`]);
      // A name is text, whatever it says.
      await connectAs('<b>home-made</b>', { url, authorization: headers.Authorization });
      await expect.poll(() => stepTexts(page)).toContain('Done: Connected: <b>home-made</b> 9.8.7');
    }));

  test('keeps a token for each host while it is open, and says so when a reload has taken it away', () =>
    see('/connect', async (page) => {
      await choose(page, 'Claude Code');
      await createToken(page);
      const command = await shownCommand(page);
      await choose(page, 'Codex');
      await page.getByRole('button', { name: 'Create token' }).waitFor();
      await choose(page, 'Claude Code');
      expect(await shownCommand(page)).toBe(command);
      await page.reload();
      await page.getByText(/^The token of claude-code-\d was shown once and is not kept/).waitFor();
      await page.getByText('Waiting for Claude Code…').waitFor();
    }));

  test('shows no token where the host starts a program, and finds hosts that are not here', () =>
    see('/connect', async (page) => {
      await page.getByRole('button', { name: /^\d+ more…$/ }).click();
      await choose(page, 'Claude Desktop');
      await page.getByText('Claude Desktop starts a process of its own').waitFor();
      expect(await shownCommand(page)).toMatch(/ connect claude-desktop .*--data /);
      // The list is short again, and has the chosen one.
      expect(await page.getByRole('button', { name: 'Zed' }).count()).toBe(0);
      await choose(page, 'Codex');
      await page.getByRole('button', { name: 'As a program' }).click();
      expect(await shownCommand(page)).toMatch(/ connect codex .*--data /);
      expect(await page.locator('main').innerText()).not.toContain('YOUR_TOKEN');
    }));

  test('says what else a host needs: a variable for its token, an extension', () =>
    see('/connect?host=fx', async (page) => {
      await createToken(page);
      const [command, variable] = await page.locator('.connect .command code').allInnerTexts();
      const [, token] = /^REPERTOIRE_TOKEN=(rpa_\S+) /.exec(command ?? '') ?? [];
      expect(variable).toBe(`export REPERTOIRE_TOKEN=${token}`);
      await page.goto(`${world.server.url}/connect?host=pi&way=program`);
      await page.getByText('pi install npm:pi-mcp-adapter').waitFor();
    }));

  test('leads with the entry where the reader is not on the machine of the server', () =>
    see('/problems', async (page) => {
      // As the server answers from elsewhere.
      await page.route('**/api/hosts?*', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replaceAll(/"is_found":(true|false)/g, '"is_found":null');
        await route.fulfill({ response, body });
      });
      await page.getByRole('link', { name: 'Connect' }).click();
      await page.getByRole('group', { name: 'Hosts', exact: true }).waitFor();
      await choose(page, 'Codex');
      await createToken(page);
      await page.getByText('Where Repertoire is installed, run:').waitFor();
      expect(await page.getByRole('region', { name: 'Entry' }).isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: 'As a program' }).count()).toBe(0);
    }));

  test('gives a taken name a number also where the button is pressed before the list of agents has come', async () => {
    await world.addAgent('cursor');
    await see('/problems', async (page) => {
      const done = createLatch();
      let asked = 0;
      await page.route('**/api/agents', async (route) => {
        asked += 1;
        if (asked === 1) await done.opened;
        await route.continue().catch(() => undefined);
      });
      await page.goto(`${world.server.url}/connect?host=cursor`);
      await createToken(page);
      expect(new URL(page.url()).searchParams.get('agent')).toBe('cursor-2');
      done.open();
    });
  });

  test('says what is wrong with a name at its field', () =>
    see('/connect?host=codex', async (page) => {
      await page.getByLabel('Agent name').fill('no spaces please');
      await page.getByRole('button', { name: 'Create token' }).click();
      await expect.poll(() => page.locator('#connect-fault').innerText()).toMatch(/name/i);
      expect(await page.getByLabel('Agent name').getAttribute('aria-invalid')).toBe('true');
    }));

  test('takes over the token of an agent that was added in Agents', () =>
    see('/agents', async (page) => {
      await page.getByRole('button', { name: 'New agent' }).click();
      await page.getByLabel('Name').fill('Visitor');
      await page.getByRole('button', { name: 'Add agent' }).click();
      const token = await page.getByRole('region', { name: 'The new token' }).locator('code').innerText();
      await page.getByRole('link', { name: 'Connect a host with it' }).click();
      await choose(page, 'Codex');
      expect(await shownCommand(page)).toContain(`REPERTOIRE_TOKEN=${token} `);
      await page.getByText('the token of Visitor is not shown again').waitFor();
      await choose(page, 'Claude Code');
      expect(await shownCommand(page)).toContain(`REPERTOIRE_TOKEN=${token} `);
      expect(new URL(page.url()).searchParams.get('agent')).toBe('Visitor');
    }));

  test('is for the operator alone (H5)', async () => {
    const token = await world.addAgent('Passer', { scopes: ['log:read'] });
    const page = await world.open('/connect', {}, token);
    await page.getByRole('heading', { name: 'For the operator alone' }).waitFor();
    expect(await page.getByRole('navigation').innerText()).not.toContain('Connect');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.context().close();
  });
});
