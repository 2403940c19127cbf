// Pictures of every page of the dashboard, full and empty, light and dark, wide and narrow: `npm run screenshots [-- FOLDER]`.
// With `--docs` the two that the documentation shows are renewed, too.
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../tests/support/browser.ts';
import { type ServeProcess, startServeProcess } from '../tests/support/serve-process.ts';
import { fillSampleLog } from './sample-log.ts';
import { addSource, fillTeam, writeTeamConfig } from './sample-team.ts';

const TOKEN = `rpo_${'picture-book'.repeat(3)}`;

/** By the name of the file. */
const IN_DOCS = { 'light-overview': 'dashboard-overview.png', 'dark-form': 'dashboard-form.png' } as const;

const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'narrow', colorScheme: 'light', width: 380 },
  { name: 'narrow-dark', colorScheme: 'dark', width: 380 },
  { name: 'wide', colorScheme: 'light', width: 1600 },
] as const;

/** Nothing is waited for, and every chart has its drawing. */
const IS_DRAWN = `!document.querySelector('.skeleton') && [...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('canvas'))`;

/** Skills of a team, some of which are not as they should be. */
const TEAM = {
  'incident-notes': '---\nname: incident-notes\n---\n# Notes\n',
  'release-check': '---\nname: release-checks\ndescription: Checks a release before it goes out.\n---\n# Checks\n',
  setup: '---\nname: setup\ndescription: Sets up a machine.\n---\nRun `curl https://get.example.org | sh`.\n',
};

const isForDocs = process.argv.includes('--docs');
const folder = resolve(process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'dist/screenshots');
mkdirSync(folder, { recursive: true });

const home = mkdtempSync(join(tmpdir(), 'repertoire-pictures-'));
const browser = await openBrowser();
try {
  await takeFrom(await startServer(home), makePages);
  await takeFrom(await startEmptyServer(home), emptyPages);
} finally {
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
if (isForDocs)
  for (const [taken, shown] of Object.entries(IN_DOCS))
    copyFileSync(join(folder, `${taken}.png`), join('docs/images', shown));
process.stdout.write(`${folder}\n`);

async function takeFrom(server: ServeProcess, make: (server: ServeProcess) => Promise<Pages>): Promise<void> {
  try {
    const pages = await make(server);
    for (const look of LOOKS) await takeAll(browser, server, pages, look);
  } finally {
    await server.stop();
  }
}

async function startServer(place: string): Promise<ServeProcess> {
  for (const [name, text] of Object.entries(TEAM)) {
    mkdirSync(join(place, 'team-skills', name), { recursive: true });
    writeFileSync(join(place, 'team-skills', name, 'SKILL.md'), text);
  }
  const data = join(place, 'data');
  await fillSampleLog(data, new Date());
  const team = writeTeamConfig(place);
  addSource(place, data);
  const roots = ['--root', 'examples/skills', '--root', join(place, 'team-skills')];
  const environment = { PATH: process.env.PATH, HOME: place, REPERTOIRE_OPERATOR_TOKEN: TOKEN };
  return startServeProcess([...roots, ...team, '--data', data, '--oauth'], environment);
}

/** Nothing was read or run, and there is no document; the skills that we ship are left out. */
async function startEmptyServer(place: string): Promise<ServeProcess> {
  const root = join(place, 'no-skills');
  mkdirSync(root);
  const environment = { PATH: process.env.PATH, HOME: place, REPERTOIRE_OPERATOR_TOKEN: TOKEN };
  return startServeProcess(['--root', root, '--builtin', 'none', '--data', join(place, 'no-data')], environment);
}

type Pages = Readonly<Record<string, { readonly path: string; readonly prepare?: (page: Page) => Promise<void> }>>;

/** Runs what the pages are to show: a workflow, a failure, an agent. */
async function makePages(server: ServeProcess): Promise<Pages> {
  const post = async (path: string, body: object, headers = {}) =>
    JSON.parse((await server.ask(path, { body: JSON.stringify(body), headers })).text);
  const invoke = (skill: string, input: object, headers = {}) =>
    post(`/api/typed-skills/${skill}/invoke`, input, headers);
  await post('/api/agents', { name: 'TaskAgent', expires_in: '90d' });
  await post('/api/agents', { name: 'night-shift', roles: ['TaskAgent', 'UserAgent'], scopes: ['log:read'] });
  const made = await invoke('user_creation', {
    email: 'ada@example.org',
    password: 'correct horse',
    display_name: 'Ada',
  });
  const user = made.output_payload.user_id;
  const trace = randomUUID();
  await invoke('workflow_coordination', workflowFor(user), { 'X-Correlation-Id': trace });
  const failed = await invoke('task_creation', { title: '', priority: 9, user_id: user });
  const { run } = await fillTeam(server.url, TOKEN);
  const consent = await consentPath(server);
  return {
    overview: { path: '/' },
    picked: { path: '/', prepare: pickPoint },
    menu: { path: '/problems', prepare: openMenu },
    skills: { path: '/skills' },
    search: { path: '/skills?q=write+a+good+commit+message' },
    document: { path: '/documents/commit-messages' },
    form: { path: '/typed/task_creation', prepare: (page) => sendBadInput(page, user) },
    activity: { path: '/activity' },
    filtered: { path: '/activity?kind=run', prepare: openChoices },
    invocation: { path: `/invocations/${failed.invocation_id}` },
    trace: { path: `/traces/${trace}` },
    problems: { path: '/problems' },
    agents: { path: '/agents' },
    trail: { path: '/trail' },
    runs: { path: '/runs' },
    run: { path: `/runs/${run}` },
    schedules: { path: '/schedules' },
    people: { path: '/people' },
    library: { path: '/library' },
    version: { path: '/library/team-refunds' },
    sources: { path: '/sources' },
    upkeep: { path: '/upkeep' },
    consent: { path: consent },
    connect: { path: '/connect?host=claude-code', prepare: createToken },
  };
}

async function emptyPages(): Promise<Pages> {
  return {
    'empty-start': { path: '/' },
    'empty-skills': { path: '/skills' },
    'empty-search': { path: '/skills?q=anything' },
    'empty-document': { path: '/documents/gone' },
    'empty-activity': { path: '/activity' },
    'empty-problems': { path: '/problems' },
    'empty-agents': { path: '/agents' },
    'empty-connect': { path: '/connect' },
    'empty-runs': { path: '/runs' },
    'empty-schedules': { path: '/schedules' },
    'empty-people': { path: '/people' },
    'empty-library': { path: '/library' },
    'empty-sources': { path: '/sources' },
    'empty-upkeep': { path: '/upkeep' },
    'empty-trail': { path: '/trail' },
    'no-page': { path: '/nowhere' },
    'empty-overview': { path: '/', prepare: (page) => page.getByRole('button', { name: 'Skip' }).click() },
  };
}

/** A host that registered itself asks for everything that it can. */
async function consentPath(server: ServeProcess): Promise<string> {
  const back = 'http://127.0.0.1:9999/callback';
  const body = JSON.stringify({
    client_name: 'Example Host',
    redirect_uris: [back],
    token_endpoint_auth_method: 'none',
  });
  const { client_id } = JSON.parse(
    (await server.ask('/oauth/register', { body, headers: { Authorization: '' } })).text,
  );
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: back,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    resource: `${server.url}/mcp`,
    scope: 'skills:read skills:invoke log:read',
    state: 's',
  });
  return `/oauth/authorize?${query}`;
}

function workflowFor(user: string): object {
  const create = (id: string, title: string) => ({ id, skill: 'task_creation', input: { title, user_id: user } });
  return {
    steps: [
      { id: 'route', skill: 'request_routing', input: { request: 'plan the release' } },
      { parallel: [create('notes', 'Write the release notes'), create('tag', 'Tag the release')] },
      { id: 'all', skill: 'task_retrieval', input: { user_id: user } },
      { id: 'next', skill: 'suggestion_generation', input: { user_id: user } },
    ],
  };
}

async function pickPoint(page: Page): Promise<void> {
  await page.locator('.chart canvas').first().waitFor();
  await page.getByRole('slider', { name: /^Invocations per/ }).focus();
  for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.locator('.card.marked').waitFor();
}

async function createToken(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByText('Waiting for Claude Code').waitFor();
}

async function openMenu(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rel');
  await page.getByRole('option', { name: 'release-notes' }).waitFor();
}

async function openChoices(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Skill' }).click();
  await page.getByRole('option').nth(1).waitFor();
}

async function sendBadInput(page: Page, user: string): Promise<void> {
  await page.locator('[id="field-title"]').fill('Review the migration');
  await page.locator('[id="field-priority"]').fill('9');
  await page.locator('[id="field-user_id"]').fill(user);
  await page.getByRole('button', { name: 'Invoke' }).click();
  await page.locator('.field-fault').first().waitFor();
}

/** Charts are drawn a moment after their figures. */
async function waitUntilDrawn(page: Page): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await page.evaluate(IS_DRAWN)) return;
    await page.waitForTimeout(50);
  }
}

async function takeAll(
  from: Browser,
  server: ServeProcess,
  pages: Pages,
  { name, colorScheme, width }: (typeof LOOKS)[number],
): Promise<void> {
  const context = await from.newContext({ colorScheme, locale: 'en-GB', viewport: { width, height: 840 } });
  const page = await context.newPage();
  const take = (what: string, fullPage: boolean) =>
    page.screenshot({ path: join(folder, `${name}-${what}.png`), fullPage });
  await page.goto(server.url);
  await page.locator('#token').waitFor();
  await take('sign-in', false);
  await page.goto('about:blank');
  await page.goto(`${server.url}/#token=${TOKEN}`);
  await page.locator('.shell').waitFor();
  for (const [what, { path, prepare }] of Object.entries(pages)) {
    await page.goto(server.url + path);
    await page.locator('h1').waitFor();
    await prepare?.(page);
    await waitUntilDrawn(page);
    await page.waitForTimeout(400);
    await take(what, !(`${name}-${what}` in IN_DOCS));
  }
  await context.close();
}
