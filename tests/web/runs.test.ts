// Runs in the dashboard: seen live, cancelled, decided on by a second person and not by the one who started; schedules (J2, J7, J8).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foundByAxe, refusalsOn, scrollsSideways } from './look.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

const PASSWORD = 'correct horse battery';

const CONFIG = `
const input = { type: 'object', properties: { amount: { type: 'integer' }, card: { type: 'string', secret: true } } };
const output = { type: 'object', properties: { charged: { type: 'integer' } } };
const common = { description: 'Charges a card.', category: 'execution', input, output, assignedTo: ['Clerk'] };
let tries = 0;
export default {
  agents: ['Clerk'],
  skills: [
    defineSkill({ ...common, name: 'charge_card', approval: 'required', run: async ({ amount = 0 }) => ({ charged: amount }) }),
    defineSkill({ ...common, name: 'slow_report', durable: {}, timeoutSeconds: 3600,
      run: async ({ amount = 0 }, { signal, progress }) => {
        progress(2, 5, 'reading March');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return { charged: amount };
      } }),
    defineSkill({ ...common, name: 'flaky', failureModes: ['EXTERNAL_SERVICE_ERROR'],
      durable: { idempotent: true, attempts: 3, backoffSeconds: 1 },
      run: async () => ++tries < 2 ? failure('EXTERNAL_SERVICE_ERROR', { service: 'the bank' }) : { charged: tries } }),
  ],
  schedules: [
    { name: 'nightly', skill: 'flaky', cron: '0 3 * * 1-5', timezone: 'Europe/Berlin' },
    { name: 'odd', skill: 'nothing', cron: '* * * * *' },
  ],
};
`;

let world: WebWorld;
let clerk: string;
/** Clerk with runs:approve. */
let ada: Page;
/** runs:approve, and nothing else. */
let bob: Page;

beforeAll(async () => {
  world = await openWebWorld({ config: CONFIG });
  clerk = await world.addAgent('night-shift', { roles: ['Clerk'] });
  await Promise.all([addPerson('ada'), addPerson('bob')]);
  await grant('ada', { roles: ['Clerk'], scopes: ['runs:approve'] });
  await grant('bob', { scopes: ['runs:approve'] });
  [ada, bob] = await Promise.all([signIn('ada'), signIn('bob')]);
});

afterAll(() => world.close());

const emailOf = (name: string) => `${name}@example.org`;

const addPerson = (name: string) => world.invoke('user_creation', { email: emailOf(name), password: PASSWORD });

async function grant(name: string, body: object, what: 'grant' | 'ungrant' = 'grant'): Promise<void> {
  const path = `/api/users/${encodeURIComponent(emailOf(name))}/${what}`;
  expect((await world.server.ask(path, { body: JSON.stringify(body) })).status).toBe(200);
}

async function signIn(name: string): Promise<Page> {
  const context = await world.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${world.server.url}/`);
  await page.getByLabel('Email').fill(emailOf(name));
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return page;
}

/** As an agent, unless another token is given; answers the id. */
async function begin(skill: string, input: object = {}, token = clerk): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, Prefer: 'respond-async' };
  const { text } = await world.server.ask(`/api/typed-skills/${skill}/invoke`, {
    body: JSON.stringify(input),
    headers,
  });
  return String(JSON.parse(text).invocation_id);
}

async function found(id: string) {
  const { text } = await world.server.ask(`/api/invocations/${id}`);
  return JSON.parse(text);
}

async function go(page: Page, path: string): Promise<void> {
  await page.goto(world.server.url + path);
  await page.locator('h1').waitFor();
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
}

const badge = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Runs/ });

async function startedBy(page: Page, skill: string): Promise<string> {
  await go(page, `/typed/${skill}`);
  await page.getByRole('button', { name: 'Invoke' }).click();
  await page.getByRole('link', { name: 'Open the run' }).click();
  await page.waitForURL('**/runs/*');
  return new URL(page.url()).pathname.slice('/runs/'.length);
}

describe('a run that waits for a person (J8)', () => {
  test('is counted for those who may decide, approved by a second person with a message, and seen live by its caller', async () => {
    await go(bob, '/runs');
    expect(await badge(bob).textContent()).toBe('Runs');
    const id = await startedBy(ada, 'charge_card');
    await ada.getByText('You started it: another person decides').waitFor();
    expect(await ada.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await go(bob, '/runs');
    await expect.poll(() => badge(bob).textContent()).toBe('Runs1 waiting for you');
    expect(await badge(ada).textContent()).toBe('Runs');
    expect(await bob.locator('#filter-skill option', { hasText: 'charge_card' }).count()).toBe(1);
    const refused = refusalsOn(bob);
    await bob
      .getByRole('region', { name: 'Waiting for your decision' })
      .getByRole('link', { name: 'charge_card' })
      .click();
    await bob.getByRole('button', { name: 'Approve' }).waitFor();
    expect(refused).toEqual([]);
    await bob.getByLabel('Message').fill('within budget');
    await bob.getByRole('button', { name: 'Approve' }).click();
    await bob.getByText('within budget').waitFor();
    await expect.poll(() => bob.evaluate('document.activeElement.ariaLabel')).toBe('About');
    await expect.poll(() => badge(bob).textContent()).toBe('Runs');
    // Without a reload, and without log:read.
    await ada.getByText('completed').first().waitFor();
    await ada.getByText('within budget').waitFor();
    // Who decided sees how it went, also after a reload.
    await bob.getByText('completed').first().waitFor();
    await go(bob, `/runs/${id}`);
    await bob.getByText('within budget').waitFor();
    await bob.getByText('completed').first().waitFor();
    expect(await found(id)).toMatchObject({ approval: { state: 'approved', message: 'within budget' } });
  });

  test('is not decided on by the one who started it: the server refuses what the page does not offer', async () => {
    const id = await startedBy(ada, 'charge_card');
    const { status } = await ada.request
      .post(`${world.server.url}/api/invocations/${id}/approve`, { data: {} })
      .then(async (answer) => ({ status: answer.status() }));
    expect(status).toBe(403);
    expect(await found(id)).toMatchObject({ approval: { state: 'waiting' } });
    await ada.getByRole('button', { name: 'Cancel run charge_card' }).click();
    await ada.getByRole('button', { name: 'Really cancel run charge_card' }).click();
    await ada.getByText('cancelled').first().waitFor();
  });

  test('is rejected with a reason that its caller reads, and what was decided before is told so', async () => {
    const id = await begin('charge_card', { amount: 5, card: 'a-secret-number' });
    const operator = await world.open(`/runs/${id}`);
    await go(bob, `/runs/${id}`);
    await bob.getByText('night-shift wants to run charge_card').waitFor();
    expect(await bob.locator('main').innerText()).not.toContain('a-secret-number');
    await bob.getByLabel('Message').fill('not today');
    await bob.getByRole('button', { name: 'Reject' }).click();
    await bob.getByText('rejected', { exact: true }).first().waitFor();
    await operator.getByText('Rejected by').waitFor();
    await operator.getByText('not today').first().waitFor();
    expect(await operator.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await operator.context().close();
    expect(await found(id)).toMatchObject({ result: { failure_code: 'UNAUTHORIZED' } });
  });

  test('two who decide at once: the second is told that it was decided on', async () => {
    const id = await begin('charge_card');
    await go(bob, `/runs/${id}`);
    await bob.getByRole('button', { name: 'Approve' }).waitFor();
    await bob.route('**/api/invocations/**', async (route) => {
      if (route.request().method() === 'POST') await world.server.ask(`/api/invocations/${id}/reject`, { body: '{}' });
      await route.continue();
    });
    await bob.getByRole('button', { name: 'Approve' }).click();
    await bob.getByText('the run was decided on before').waitFor();
    await bob.unroute('**/api/invocations/**');
    expect(await found(id)).toMatchObject({ approval: { state: 'rejected' } });
  });
});

describe('a run that goes on (J2, J5)', () => {
  test('shows how far it has come, and is cancelled after a question', async () => {
    const id = await begin('slow_report');
    const operator = await world.open('/runs');
    const row = operator.getByRole('row', { name: /slow_report/ });
    await row.getByText('reading March').waitFor();
    await row.getByText('night-shift').last().waitFor();
    await row.getByRole('link', { name: 'slow_report' }).click();
    await operator.getByText('2 of 5 · reading March').waitFor();
    await operator.getByRole('button', { name: 'Cancel run slow_report' }).click();
    await operator.keyboard.press('Escape');
    expect(await found(id)).toMatchObject({ result: null });
    await operator.getByRole('button', { name: 'Cancel run slow_report' }).click();
    await operator.getByRole('button', { name: 'Really cancel run slow_report' }).click();
    await operator.getByText('cancelled').first().waitFor();
    await expect.poll(async () => (await found(id)).result?.failure_details).toEqual({ cancelled: true });
    expect(await operator.getByRole('button', { name: /ancel run/ }).count()).toBe(0);
    await operator.context().close();
  });

  test('has its attempts, each with why it failed, and a list that changes by itself', async () => {
    const operator = await world.open('/runs?skill=flaky');
    await operator.getByText('No run fits these filters').waitFor();
    const id = await begin('flaky');
    await operator.getByRole('row', { name: /flaky/ }).getByText('completed').last().waitFor();
    await go(operator, `/runs/${id}`);
    const attempts = operator.getByRole('region', { name: 'Attempts' });
    await attempts.getByText('EXTERNAL_SERVICE_ERROR').waitFor();
    expect(await attempts.getByRole('listitem').count()).toBe(2);
    // The same from the log.
    await go(operator, `/invocations/${id}`);
    await operator.getByRole('region', { name: 'Attempts' }).waitFor();
    await operator.context().close();
  });
});

describe('who sees which runs (J2, N6)', () => {
  test('a person who may no longer decide has no button for it after the first that is refused, and one again with the right', async () => {
    const page = await signIn('bob');
    // The page's own looks come later than what is tested here.
    await page.addInitScript('window.setInterval = () => 0;');
    const id = await begin('charge_card');
    await go(page, `/runs/${id}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await grant('bob', { scopes: ['runs:approve'] }, 'ungrant');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await grant('bob', { scopes: ['runs:approve'] });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('rejected').first().waitFor();
    await page.context().close();
  });

  test('others’ runs are not there without log:read, and with it they are', async () => {
    const id = await begin('flaky');
    await go(ada, '/runs');
    expect(await ada.getByText('flaky').count()).toBe(await ada.locator('option', { hasText: 'flaky' }).count());
    await go(ada, `/runs/${id}`);
    await ada.getByRole('heading', { name: 'Not found' }).waitFor();
    // Nothing changes by asking again: the page names the right that is missing.
    await ada.getByText('--scope log:read').waitFor();
    expect(await ada.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await grant('ada', { scopes: ['log:read'] });
    await go(ada, `/runs/${id}`);
    await ada.getByRole('heading', { name: 'flaky', level: 1 }).waitFor();
    expect(await ada.getByRole('button', { name: /ancel run/ }).count()).toBe(0);
  });

  test('schedules name the scope that is missing, and are not offered without it', async () => {
    await go(bob, '/runs');
    expect(await bob.getByRole('link', { name: 'Schedules' }).count()).toBe(0);
    await go(bob, '/schedules');
    await bob.getByRole('heading', { name: 'This page needs the scope log:read' }).waitFor();
  });
});

test('schedules are shown in words, with their next time, and a refused one with its sentence (J7)', () =>
  world.see('/runs', async (page) => {
    await page.getByRole('link', { name: 'Schedules' }).click();
    const row = page.getByRole('row', { name: /nightly/ });
    await row.getByText('Monday to Friday at 03:00').last().waitFor();
    await row.getByText('Europe/Berlin').last().waitFor();
    await row.getByText('not yet').waitFor();
    await page
      .getByRole('region', { name: 'Not used' })
      .getByText('"odd": there is no typed skill "nothing"')
      .waitFor();
  }));

test('axe finds nothing serious, and 380 pixels are wide enough', async () => {
  const waiting = await begin('charge_card');
  const running = await begin('slow_report');
  const paths = ['/runs', '/runs?state=finished', `/runs/${waiting}`, `/runs/${running}`, '/schedules'];
  for (const options of [{}, { viewport: { width: 380, height: 800 }, colorScheme: 'dark' as const }]) {
    const page = await world.open('/nowhere', options);
    for (const path of paths) {
      await go(page, path);
      const [violations, scrolls] = [await foundByAxe(page), await scrollsSideways(page)];
      expect({ path, violations, scrolls }).toEqual({ path, violations: [], scrolls: false });
      if (process.env.SHOTS !== undefined)
        await page.screenshot({
          path: `${process.env.SHOTS}/${options.viewport ? 'narrow' : 'wide'}-${paths.indexOf(path)}.png`,
          fullPage: true,
        });
    }
    await page.context().close();
  }
});
