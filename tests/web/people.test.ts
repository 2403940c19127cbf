// People sign in with email and password, and see what their roles and scopes open: two of them, each in a browser of their
// own, on every page, on both stores (N6).
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, makeTables } from '../support/postgres-database.ts';
import { foundByAxe, refusalsOn, scrollsSideways } from './look.ts';
import { makeSampleRuns, type SampleRuns } from './sample-runs.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';

const PASSWORD = 'correct horse battery';

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let world: WebWorld;
  let runs: SampleRuns;
  /** Clerk with log:read. */
  let ada: Page;
  /** TaskAgent with skills:propose. */
  let bob: Page;

  beforeAll(async () => {
    world = await openWebWorld({ options: kind === 'sqlite' ? [] : await postgresOptions() });
    runs = await makeSampleRuns(world);
    await Promise.all([addPerson('ada', 'Ada Lovelace'), addPerson('bob'), addPerson('carol'), addPerson('eve')]);
    await Promise.all([
      change('ada', 'grant', { roles: ['Clerk'], scopes: ['log:read'] }),
      change('bob', 'grant', { roles: ['TaskAgent'], scopes: ['skills:propose'] }),
      change('carol', 'grant', { scopes: ['skills:approve'] }),
    ]);
    [ada, bob] = await Promise.all([signIn('ada'), signIn('bob')]);
  });

  afterAll(() => world.close());

  const emailOf = (name: string) => `${name}@example.org`;

  async function addPerson(name: string, displayName?: string): Promise<string> {
    const input = { email: emailOf(name), password: PASSWORD, ...(displayName && { display_name: displayName }) };
    const { output_payload } = await world.invoke('user_creation', input);
    return String((output_payload as { user_id: string }).user_id);
  }

  async function change(name: string, what: 'grant' | 'ungrant', body: object): Promise<void> {
    const { status, text } = await world.server.ask(`/api/users/${encodeURIComponent(emailOf(name))}/${what}`, {
      body: JSON.stringify(body),
    });
    expect({ status, text }).toMatchObject({ status: 200 });
  }

  /** In a browser of their own, through the form. */
  async function signIn(name: string, password = PASSWORD): Promise<Page> {
    const context = await world.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${world.server.url}/`);
    await fillIn(page, emailOf(name), password);
    await page.getByRole('navigation').waitFor();
    return page;
  }

  async function fillIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  const navigationOf = async (page: Page) =>
    (await page.getByRole('navigation').getByRole('link').allTextContents()).map((text) => text.replace(/\d+$/, ''));

  async function go(page: Page, path: string): Promise<void> {
    await page.goto(world.server.url + path);
    await page.locator('h1').waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
  }

  const headingsOf = (page: Page) => page.locator('main').getByRole('heading').allTextContents();

  describe('who is signed in', () => {
    test('is shown by name and email, and what is closed is not in the navigation (N6)', async () => {
      await ada.getByText('Ada Lovelace').waitFor();
      await ada.getByText(emailOf('ada')).waitFor();
      await bob.getByText(emailOf('bob')).waitFor();
      expect(await navigationOf(ada)).toEqual(['Overview', 'Skills', 'Activity', 'Runs', 'Problems', 'Upkeep']);
      expect(await navigationOf(bob)).toEqual(['Skills', 'Runs', 'Library', 'Problems']);
    });

    test('begins with what is open to them (N6)', async () => {
      await expect.poll(() => new URL(bob.url()).pathname).toBe('/skills');
      await ada.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    });
  });

  describe('every page shows each of them what their grants open (N6)', () => {
    const overLog = () => ['/', '/activity', `/invocations/${runs.failedId}`, `/traces/${runs.trace}`];

    test('the log is for ada alone, and bob is told which scope it needs', async () => {
      for (const path of overLog()) {
        await go(ada, path);
        expect(await headingsOf(ada), path).not.toContain('This page needs the scope log:read');
        await go(bob, path);
        expect(await headingsOf(bob), path).toContain('This page needs the scope log:read');
        await bob.getByText(`user grant ${emailOf('bob')} --scope log:read`).waitFor();
      }
    });

    test('the trail is for those who approve', async () => {
      for (const page of [ada, bob]) {
        await go(page, '/trail');
        await page.getByRole('heading', { name: 'This page needs the scope skills:approve' }).waitFor();
      }
      const carol = await signIn('carol');
      expect(await navigationOf(carol)).toEqual(['Skills', 'Runs', 'Library', 'Problems', 'Trail']);
      await go(carol, '/trail');
      await carol.getByText(emailOf('bob')).first().waitFor();
      await carol.context().close();
    });

    test.each(['/agents', '/people', '/connect'])('%s is the operator’s, and says so', async (path) => {
      for (const page of [ada, bob]) {
        await go(page, path);
        await page.getByRole('heading', { name: 'For the operator alone' }).waitFor();
      }
    });

    test('the skills are those that each may invoke', async () => {
      const seen = async (page: Page) => {
        await go(page, '/skills');
        const names = await page.locator('main').getByRole('link').allTextContents();
        const asked = ['sql-review', 'for_clerks', 'task_creation', 'user_creation', 'token_generation', 'place_order'];
        return asked.filter((name) => names.includes(name));
      };
      // A skill that names no role is for agents; tasks are open to every user, for themselves.
      expect(await seen(ada)).toEqual(['sql-review', 'for_clerks', 'task_creation']);
      expect(await seen(bob)).toEqual(['sql-review', 'task_creation']);
    });

    test('a typed skill has a form for whom a role opens it; others are told that a role is missing', async () => {
      await go(ada, '/typed/for_clerks');
      await ada.getByRole('button', { name: 'Invoke' }).click();
      await ada.getByRole('region', { name: 'Succeeded' }).waitFor();
      await go(bob, '/typed/for_clerks');
      await bob.getByRole('heading', { name: 'No skill of this name that you may invoke' }).waitFor();
      await bob.getByText('you have TaskAgent').waitFor();
      expect(await bob.getByRole('button', { name: 'Invoke' }).count()).toBe(0);
    });

    test('a skill that is open to users has their own id in its form', async () => {
      await go(ada, '/typed/task_retrieval');
      await ada.getByRole('button', { name: 'Invoke' }).click();
      await ada.getByRole('region', { name: 'Succeeded' }).waitFor();
    });

    test('documents and problems are open to both; how often one was read is for ada alone', async () => {
      for (const page of [ada, bob]) {
        await go(page, '/problems');
        await page.getByRole('heading', { name: 'Problems', level: 1 }).waitFor();
        await go(page, '/documents/sql-review');
        await page.getByRole('heading', { name: 'sql-review', level: 1 }).waitFor();
      }
      expect(await usesCards(ada)).toBe(1);
      expect(await usesCards(bob)).toBe(0);
    });

    /** Where the API is asked for uses. */
    async function usesCards(page: Page): Promise<number> {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await go(page, '/documents/sql-review');
      page.removeAllListeners('request');
      return asked.filter((path) => path.startsWith('/api/uses/')).length;
    }

    test('what they ran themselves is theirs to see, without the log; what others ran is not (J2, N6)', async () => {
      await go(bob, '/typed/task_retrieval');
      await bob.getByRole('button', { name: 'Invoke' }).click();
      await bob.getByRole('link', { name: 'Open the invocation' }).click();
      await bob.getByRole('heading', { name: 'task_retrieval', level: 1 }).waitFor();
      await bob.getByRole('region', { name: 'Input values' }).getByText('user_id').waitFor();
      const own = new URL(bob.url()).pathname;
      const eve = await signIn('eve');
      await go(eve, own);
      expect(await headingsOf(eve)).toContain('This page needs the scope log:read');
      await eve.context().close();
    });

    test('the library is for those who propose or approve, and no page leads to what is closed', async () => {
      await go(ada, '/library');
      await ada.getByRole('heading', { name: 'This page needs the scope skills:propose or skills:approve' }).waitFor();
      await ada.getByText(`user grant ${emailOf('ada')} --scope SCOPE`).waitFor();
      const links = async (page: Page) => {
        await go(page, '/nowhere');
        return page.locator('main').getByRole('link').allTextContents();
      };
      expect([await links(ada), await links(bob)]).toEqual([['overview', 'skills'], ['skills']]);
    });

    test('no page asks the server for what is closed to the one who looks at it', async () => {
      for (const page of [ada, bob]) {
        const refused = refusalsOn(page);
        for (const path of EVERY_PAGE) await go(page, `/${path}`);
        expect(refused).toEqual([]);
        page.removeAllListeners('response');
      }
    });

    const EVERY_PAGE = [
      ...['', 'skills', 'documents/sql-review', 'typed/task_creation', 'activity', 'runs', 'schedules', 'library'],
      ...['problems', 'sources', 'upkeep', 'agents', 'people', 'trail', 'connect', 'nowhere'],
    ];

    test('axe finds nothing serious, and 380 pixels are wide enough', async () => {
      await bob.setViewportSize({ width: 380, height: 800 });
      for (const path of ['/', '/skills', '/runs', '/people', '/typed/for_clerks', '/typed/task_creation']) {
        await go(bob, path);
        const [found, scrolls] = [await foundByAxe(bob), await scrollsSideways(bob)];
        expect({ path, found, scrolls }).toEqual({ path, found: [], scrolls: false });
      }
      await bob.setViewportSize({ width: 1280, height: 900 });
    });
  });

  describe('signing in', () => {
    test.each([
      ['a wrong password', emailOf('ada'), 'wrong'],
      ['an email of no user', 'nobody@example.org', PASSWORD],
    ])('with %s is refused with the same words, and the password is not kept (N6)', async (_what, email, password) => {
      const context = await world.newContext({ colorScheme: 'dark', viewport: { width: 380, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${world.server.url}/problems`);
      await fillIn(page, email, password);
      await page.getByText('The email or the password is wrong.').waitFor();
      expect(await page.getByLabel('Password').inputValue()).toBe('');
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
      expect([await foundByAxe(page), await scrollsSideways(page)]).toEqual([[], false]);
      expect(await context.cookies()).toEqual([]);
      await fillIn(page, emailOf('ada'), PASSWORD);
      await page.getByRole('heading', { name: 'Problems', level: 1 }).waitFor();
      expect(
        await page.evaluate('document.cookie + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
      ).not.toContain(PASSWORD);
      await context.close();
    });

    test('while the store cannot be asked says so, and keeps the form (N7)', async () => {
      const context = await world.newContext();
      const page = await context.newPage();
      await page.goto(`${world.server.url}/`);
      const body = JSON.stringify({ success: false, failure_code: 'PERSISTENCE_ERROR' });
      await page.route('**/api/session', (route) =>
        route.fulfill({ status: 503, body, contentType: 'application/json' }),
      );
      await fillIn(page, emailOf('ada'), PASSWORD);
      await page.getByText('The database does not answer').waitFor();
      await page.getByLabel('Email').waitFor();
      await context.close();
    });
  });

  describe('the operator', () => {
    test('grants and takes away by ticking, and the person sees it on an open page (N6)', async () => {
      const eve = await signIn('eve');
      await eve.getByRole('heading', { name: 'Skills', level: 1 }).waitFor();
      expect(await navigationOf(eve)).toEqual(['Skills', 'Runs', 'Problems']);
      const operator = await world.open('/people');
      await tick(operator, ['Clerk', 'Read the log']);
      await operator.getByText(/Can read documents and invoke .*for_clerks/).waitFor();
      await expect.poll(() => lookAgain(eve)).toEqual(['Overview', 'Skills', 'Activity', 'Runs', 'Problems', 'Upkeep']);
      await tick(operator, ['Clerk', 'Read the log']);
      await operator
        .getByRole('row', { name: emailOf('eve') })
        .getByText('nothing granted')
        // Beside the email, not below it as on small screens.
        .last()
        .waitFor();
      await expect.poll(() => lookAgain(eve)).toEqual(['Skills', 'Runs', 'Problems']);
      expect(await foundByAxe(operator)).toEqual([]);
      await Promise.all([operator.context().close(), eve.context().close()]);
    });

    test('an open page follows what its reader may see, without a reload (N6, X10)', async () => {
      const eve = await signIn('eve');
      await go(eve, '/typed/for_clerks');
      await eve.getByRole('heading', { name: 'No skill of this name that you may invoke' }).waitFor();
      await change('eve', 'grant', { roles: ['Clerk'] });
      await lookAgain(eve);
      await eve.getByRole('button', { name: 'Invoke' }).waitFor();
      await go(eve, '/skills');
      const listed = () => eve.locator('main').getByRole('link', { name: 'for_clerks' }).count();
      await expect.poll(listed).toBe(1);
      await change('eve', 'ungrant', { roles: ['Clerk'] });
      await lookAgain(eve);
      await expect.poll(listed).toBe(0);
      await eve.context().close();
    });

    describe('without a look by the clock', () => {
      /** The page's own looks are every fifteen seconds. */
      const NO_LOOKS = `{ const every = setInterval;
        window.setInterval = (act, ms, ...given) => (ms < 15000 ? every(act, ms, ...given) : 0); }`;

      async function signInWithoutLooks(): Promise<Page> {
        const page = await signIn('eve');
        await page.addInitScript(NO_LOOKS);
        return page;
      }

      test('a button whose right is gone takes the page along when it is pressed (N6)', async () => {
        await change('eve', 'grant', { roles: ['Clerk'] });
        const eve = await signInWithoutLooks();
        await go(eve, '/typed/for_clerks');
        await change('eve', 'ungrant', { roles: ['Clerk'] });
        await eve.getByRole('button', { name: 'Invoke' }).click();
        await eve.getByRole('heading', { name: 'No skill of this name that you may invoke' }).waitFor();
        await eve.context().close();
      });

      test('the page of a reader of the log hears of changed rights (N3, N6)', async () => {
        await change('eve', 'grant', { scopes: ['log:read'] });
        const eve = await signInWithoutLooks();
        const live = eve.waitForResponse('**/api/events');
        await go(eve, '/typed/for_clerks');
        await live;
        await change('eve', 'grant', { roles: ['Clerk'] });
        await eve.getByRole('button', { name: 'Invoke' }).waitFor();
        await change('eve', 'ungrant', { roles: ['Clerk'] });
        await eve.getByRole('heading', { name: 'No skill of this name that you may invoke' }).waitFor();
        // Before the stream is open again, which ended with the change.
        await change('eve', 'grant', { roles: ['Clerk'] });
        await eve.getByRole('button', { name: 'Invoke' }).waitFor();
        await change('eve', 'ungrant', {});
        await eve.getByRole('heading', { name: 'No skill of this name that you may invoke' }).waitFor();
        await eve.context().close();
      });
    });

    async function tick(page: Page, labels: readonly string[]): Promise<void> {
      await page.getByRole('button', { name: `Change what ${emailOf('eve')} may do` }).click();
      for (const label of labels) await page.getByRole('checkbox', { name: label }).click();
      await page.getByRole('button', { name: 'Save' }).click();
    }

    /** As a page does that comes to the front. */
    async function lookAgain(page: Page): Promise<readonly string[]> {
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      return navigationOf(page);
    }

    test('who is deleted is signed out, and told so (N6)', async () => {
      const id = await addPerson('gone');
      const gone = await signIn('gone');
      await gone.getByRole('heading', { name: 'Skills', level: 1 }).waitFor();
      await world.invoke('account_deletion', { user_id: id });
      await expect
        .poll(async () => {
          await gone.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
          return gone.getByText('You were signed out').count();
        })
        .toBe(1);
      await gone.context().close();
    });
  });
});

async function postgresOptions(): Promise<readonly string[]> {
  const place = await createDatabase({ url: inject('postgresUrl') });
  await makeTables(place);
  return ['--database-url', place.url];
}
