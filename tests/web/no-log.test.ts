// A server that asks for no token and records nothing: pages say so. And two skills of one name: each page names the other.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

const documentOf = (text: string) => `---\nname: twin\ndescription: ${text}\n---\n# ${text}\n`;

beforeAll(async () => {
  const documents = { 'a/twin': documentOf('The first.'), 'b/twin': documentOf('The second.') };
  world = await openWebWorld({ documents, options: ['--no-auth', '--no-log'] });
});

afterAll(() => world.close());

test('whoever comes is the operator, and is told that nothing is recorded (H5, H6)', async () => {
  const page = await (await world.newContext()).newPage();
  await page.goto(world.server.url);
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByRole('heading', { name: 'Nothing is recorded' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  await page.context().close();
});

test('the cookie of an earlier server keeps nobody out (H5)', async () => {
  const context = await world.newContext();
  const cookie = { name: `repertoire_session_${world.server.port}`, value: `rpo_${'earlier'.repeat(6)}`, path: '/' };
  await context.addCookies([{ ...cookie, domain: new URL(world.server.url).hostname }]);
  const page = await context.newPage();
  await page.goto(world.server.url);
  await page.getByRole('heading', { name: 'Connect your first agent' }).waitFor();
  await context.close();
});

test('a host needs no token, and is known by its name (U1)', () =>
  world.see('/connect?host=codex', async (page) => {
    const command = await page.locator('.connect .command code').first().innerText();
    expect(command).toMatch(/ connect codex --http \S+$/);
    const [, url = ''] = / --http (\S+)$/.exec(command) ?? [];
    for (const name of ['somebody-else', 'codex-mcp-client']) {
      await page.getByText('Waiting for Codex…').waitFor();
      const client = new Client({ name, version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      await client.close();
    }
    await page.getByText('Connected: Codex 1.0.0').waitFor();
  }));

test('a document names what it shadows, and what it shadows says so (D5)', () =>
  world.see('/documents/twin', async (page) => {
    await page.getByRole('link', { name: 'b/twin/SKILL.md' }).click();
    await page.getByText('The second.').first().waitFor();
    await page.getByText('taken by another skill').waitFor();
    await page.goto(`${world.server.url}/skills`);
    await page.getByRole('link', { name: 'twin' }).nth(1).click();
    await page.getByText('The second.').first().waitFor();
  }));
