// One host, connected by the dashboard alone: as a newcomer follows the first page, runs what it shows, and asks the host
// for a skill. The page has to see it read.
import type { Browser, Page } from 'playwright-core';
import { fail, ok, type Result } from '../../src/values/result.ts';
import { startServeProcess } from '../../tests/support/serve-process.ts';
import { type HostWorld, openHostWorld } from './host-world.ts';
import type { Installed } from './install-packages.ts';
import type { Asked, Said } from './model-protocols.ts';
import { type AskedHost, writeSettings } from './real-hosts.ts';
import { startScriptedModel } from './scripted-model.ts';
import { findTool } from './tool-steps.ts';
import { explainRun } from './walk-host.ts';

const SKILL = 'commit-messages';
const READ_MS = 300_000;

/** Hosts that a new user is shown first. */
export const PAGE_HOSTS: readonly string[] = ['claude-code', 'codex', 'opencode'];

/** Answers what the page had to say in the end. */
export async function walkPage(
  host: AskedHost,
  { folder, bin }: Installed,
  browser: Browser,
): Promise<Result<string, string>> {
  const world = await openHostWorld('stdio', bin);
  const server = await startServeProcess(['--root', 'examples/skills'], { PATH: process.env.PATH, HOME: world.home });
  const model = await startScriptedModel(loadSkill);
  const page = await browser.newPage();
  const place = { modelUrl: model.url, folder, home: world.home, project: world.project };
  try {
    writeSettings(host, place);
    await page.goto(`${server.url}/#token=${server.token}`);
    const connected = await world.run(['sh', '-c', await followPage(page, host)]);
    if (connected.code !== 0) return fail(explainRun('what the page shows', connected));
    return await watch(page, world, host.command(`Load the skill ${SKILL}.`, place), host.environment?.(place) ?? {});
  } finally {
    await page.close();
    await model.close();
    await server.stop();
    await world.close();
  }
}

/** The first page, the host, the token. Answers what the page says to run. */
async function followPage(page: Page, { title }: AskedHost): Promise<string> {
  const button = page.getByRole('button', { name: title, exact: true });
  await page.getByRole('button', { name: /^\d+ more…$/ }).waitFor();
  if ((await button.count()) === 0) await page.getByRole('button', { name: /^\d+ more…$/ }).click();
  await button.click();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByText(`Waiting for ${title}…`).waitFor();
  return page.locator('.connect .command code').first().innerText();
}

async function watch(
  page: Page,
  world: HostWorld,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Result<string, string>> {
  const ran = await world.run(command, environment);
  if (ran.code !== 0) return fail(explainRun(command[0] ?? '', ran));
  const read = page.getByText(`First skill read: ${SKILL}`);
  if (
    !(await read.waitFor({ timeout: READ_MS }).then(
      () => true,
      () => false,
    ))
  )
    return fail('the page saw no skill read');
  const steps = await page.getByRole('status').getByRole('listitem').allTextContents();
  return ok(steps.join(', ').replaceAll('Done: ', ''));
}

/** What `web/` proposes to ask a new host, word for word. */
const REQUEST = /Load the skill ([\w-]+)\./;

/** Asked to load a skill, it calls the tool for it, and then it is done. */
function loadSkill({ text, tools, results }: Asked): Said {
  const [, name] = REQUEST.exec(text) ?? [];
  const call = findTool(tools, 'skill');
  if (results.length > 0) return { text: 'I have read it.' };
  return name === undefined || call === undefined ? { text: 'Hello.' } : { call, input: { name }, id: 'call_1' };
}
