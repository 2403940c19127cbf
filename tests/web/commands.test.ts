// The commands that pages show are run as they stand there, by a shell that is elsewhere and has no `repertoire` on its path.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebWorld, type WebWorld } from './web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await openWebWorld();
});

afterAll(() => world.close());

test.skipIf(process.platform === 'win32').each([
  ['/problems', 'check', /skills checked: all good/],
  ['/agents', 'agent add', /^rpa_/],
])('%s shows a command that works on this machine (U6)', async (path, words, expected) => {
  await world.see(path, async (page) => {
    const command = await page.locator('.command code').innerText();
    expect(command).toContain(` ${words} `);
    // The name of an agent.
    const line = command.replace('NAME', 'anything');
    const { stdout } = spawnSync('sh', ['-c', line], { cwd: tmpdir(), env: PATH_ALONE, encoding: 'utf8' });
    expect(stdout).toMatch(expected);
    // What it did is seen by this server.
    if (words === 'agent add') expect((await world.server.ask('/api/agents')).text).toContain('"anything"');
  });
});

const PATH_ALONE = { PATH: process.env.PATH };

test('at 380 pixels a command is broken between words, and the button to copy it stands below', async () => {
  const page = await world.open('/people', { viewport: { width: 380, height: 800 } });
  const command = page.locator('.command').first();
  await command.waitFor();
  const options = await command
    .locator('code span')
    .evaluateAll((all) => all.map((word) => ({ text: word.textContent, lines: word.getClientRects().length })));
  expect(options).toEqual([{ text: '--data', lines: 1 }]);
  const [code, button] = [await command.locator('code').boundingBox(), await command.getByRole('button').boundingBox()];
  expect(button?.y).toBeGreaterThanOrEqual((code?.y ?? 0) + (code?.height ?? 0));
  await page.context().close();
});

test('the entry of a first schedule can be copied as it stands (J7)', () =>
  world.see('/schedules', async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the example' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^schedules: \[\{ name: .* \}\]$/);
  }));

test('who is not signed in is told both ways to print the token, and no path of the machine (U6)', async () => {
  const context = await world.newContext();
  const page = await context.newPage();
  await page.goto(world.server.url);
  await page.getByText('repertoire token').waitFor();
  expect(await page.locator('main').innerText()).not.toContain(tmpdir());
  await context.close();
});
