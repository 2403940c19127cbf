// Sixty payloads in names, descriptions, texts, inputs and errors: the dashboard shows them, and nothing runs or calls home.
import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchForHarm } from './look.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';
import { PAYLOADS } from './xss-payloads.ts';

let world: WebWorld;
let page: Page;
let harm: readonly string[];
const trace = randomUUID();
const invocations: string[] = [];
const asked = new Set<string>();

const CONFIG = `
const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
export default { skills: [
  defineSkill({ name: 'echo', description: ${JSON.stringify(PAYLOADS[0])}, category: 'execution',
    input: { ...text, description: ${JSON.stringify(PAYLOADS[5])} }, output: text,
    successCriteria: [${JSON.stringify(PAYLOADS[9])}], run: async ({ text }) => ({ text }) }),
  defineSkill({ name: 'moan', description: 'x', category: 'execution', input: text, output: text, failureModes: ['NOT_FOUND'],
    run: async ({ text }) => failure('NOT_FOUND', { resource: text, [text.slice(0, 40)]: text }) }),
] };
`;

beforeAll(async () => {
  world = await openWebWorld({ documents: hostileDocuments(), config: CONFIG, options: ['--builtin', 'none'] });
  for (const text of PAYLOADS)
    for (const skill of ['echo', 'moan'])
      invocations.push(String((await world.invoke(skill, { text }, trace)).invocation_id));
  page = await world.open('/');
  harm = watchForHarm(page, world.server.url);
  watchRequests();
  await page.evaluate(
    "addEventListener('securitypolicyviolation', ({ blockedURI }) => (window.stopped ??= []).push(blockedURI))",
  );
});

afterAll(() => world.close());

test('there are sixty payloads', () => {
  expect(new Set(PAYLOADS).size).toBe(60);
});

test('in lists and searches nothing runs', async () => {
  for (const path of ['/skills', '/problems', '/invocations', `/traces/${trace}`, '/']) await show(path);
  await show('/skills');
  for (const payload of PAYLOADS.slice(0, 4)) {
    const answered = page.waitForResponse((response) => {
      const { pathname, searchParams } = new URL(response.url());
      return pathname === '/api/search' && searchParams.get('q') === payload.trim();
    });
    await page.getByLabel('Search skills').fill(payload);
    await answered;
    await untilWhole();
    await expectUnharmed(payload);
  }
});

test('in a document of each nothing runs, and the text is there to be read', async () => {
  for (const index of PAYLOADS.keys()) {
    await show(`/documents/${encodeURIComponent(`skill://payload-${index}/SKILL.md`)}`);
    await page.locator('.prose').getByText(`end of ${index}.`).waitFor();
    await expectUnharmed(PAYLOADS[index] ?? '');
  }
});

test('in inputs, results and errors nothing runs', async () => {
  // Of those that failed all: they show the input, the message and the details. Of those that succeeded some.
  for (const id of invocations.filter((_, index) => index % 2 === 1 || index < 10)) {
    await show(`/invocations/${id}`);
    await page.locator('pre').first().waitFor();
    await expectUnharmed(id);
  }
});

test('in a form that was filled from the log, and in its violations, nothing runs', async () => {
  for (const [index, payload] of PAYLOADS.slice(0, 6).entries()) {
    await show(`/typed/moan?from=${invocations[2 * index + 1]}`);
    expect(await page.locator('[id="field-text"]').inputValue()).toBe(payload);
    await page.getByRole('button', { name: 'Invoke' }).click();
    await page.getByRole('region', { name: 'Failed' }).waitFor();
    await expectUnharmed(payload);
    await show('/skills');
  }
});

test('in the address nothing runs', async () => {
  for (const payload of PAYLOADS.slice(0, 10)) {
    const part = encodeURIComponent(payload);
    for (const path of [
      `/documents/${part}`,
      `/typed/${part}`,
      `/traces/${part}`,
      `/invocations?skill=${part}`,
      `/${part}`,
    ]) {
      await show(path);
    }
  }
});

/** As a link would: without loading the page anew. Looks at the new page once it is there whole. */
async function show(path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new Event('repertoire:moved'))`,
  );
  await untilWhole();
  await expectUnharmed(path);
}

/** Drawn, everything answered that was asked for then, and that drawn, too. */
async function untilWhole(): Promise<void> {
  // What a component asks for, it asks for in the frame after the one that drew it.
  await nextFrame();
  await nextFrame();
  await expect.poll(() => [...asked], { interval: 5 }).toEqual([]);
  await nextFrame();
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

const nextFrame = () => page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');

/** Requests of the page that are under way, without the stream. */
function watchRequests(): void {
  page.on('request', (request) => {
    if (request.url().includes('/api/') && !request.url().endsWith('/api/events')) asked.add(request.url());
  });
  const end = (request: Request) => asked.delete(request.url());
  page.on('requestfinished', end);
  page.on('requestfailed', end);
}

/** Also what the content security policy would have stopped: nothing may even try. */
async function expectUnharmed(what: string): Promise<void> {
  const [found, stopped] = (await page.evaluate(`[${FIND_HARM}, window.stopped ?? []]`)) as readonly unknown[][];
  expect({ what, found, stopped, harm }).toEqual({ what, found: [], stopped: [], harm: [] });
}

const FIND_HARM = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const bad = ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'IMG', 'STYLE', 'LINK', 'META', 'BASE', 'VIDEO', 'AUDIO', 'TEMPLATE'];
  const handlers = [...element.attributes].filter(({ name }) => name.startsWith('on'));
  const runs = /^\\s*(javascript|data|vbscript):/i.test(element.getAttribute('href') ?? '');
  const drawn = element.closest('.prose') !== null && element.closest('svg, math, form, [style]') !== null;
  const tells = element.target === '_blank' && !element.rel.includes('noopener');
  return bad.includes(element.tagName) || tells || handlers.length > 0 || runs || drawn ? [element.outerHTML.slice(0, 200)] : [];
})`;

function hostileDocuments(): Readonly<Record<string, string>> {
  const documents = PAYLOADS.map((payload, index) => {
    const quoted = JSON.stringify(payload);
    const head = `---\nname: ${JSON.stringify(`${payload.replaceAll('\n', ' ')} ${index}`)}\ndescription: ${quoted}\nlicense: ${quoted}\n---\n`;
    const body = `# ${payload}\n\n${payload}\n\n- ${payload}\n\n| a |\n|---|\n| ${payload} |\n\n\`${payload}\`\n\n`;
    return [`payload-${index}`, `${head}${body}\n\nend of ${index}.\n`] as const;
  });
  return Object.fromEntries(documents);
}
