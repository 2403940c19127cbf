// Sixty payloads in names, descriptions, texts, inputs and errors: the dashboard shows them, and nothing runs or calls home.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchForHarm } from './look.ts';
import { type Stop, walkPage } from './page-walk.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';
import { PAYLOADS } from './xss-payloads.ts';

let world: WebWorld;
let pages: readonly Page[];
let harm: readonly (readonly string[])[];
const trace = randomUUID();
const echoes: string[] = [];
const moans: string[] = [];
const begs: string[] = [];

const CONFIG = `
const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
export default { skills: [
  defineSkill({ name: 'echo', description: ${JSON.stringify(PAYLOADS[0])}, category: 'execution',
    input: { ...text, description: ${JSON.stringify(PAYLOADS[5])} }, output: text,
    successCriteria: [${JSON.stringify(PAYLOADS[9])}], run: async ({ text }) => ({ text }) }),
  defineSkill({ name: 'moan', description: 'x', category: 'execution', input: text, output: text, failureModes: ['NOT_FOUND'],
    run: async ({ text }) => failure('NOT_FOUND', { resource: text, [text.slice(0, 40)]: text }) }),
  defineSkill({ name: 'beg', description: 'x', category: 'execution', input: text, output: text, approval: 'required',
    run: async ({ text }) => ({ text }) }),
], schedules: ${JSON.stringify(PAYLOADS.map((text, at) => ({ name: `${at} ${text}`, skill: text, cron: text, timezone: text })))} };
`;

beforeAll(async () => {
  world = await openWebWorld({ documents: hostileDocuments(), config: CONFIG, options: ['--builtin', 'none'] });
  for (const text of PAYLOADS) {
    echoes.push(String((await world.invoke('echo', { text }, trace)).invocation_id));
    moans.push(String((await world.invoke('moan', { text }, trace)).invocation_id));
  }
  for (const [at, text] of PAYLOADS.entries()) {
    const id = await beg(text);
    begs.push(id);
    // Some still wait; of the others a decision tells the text, too.
    const body = JSON.stringify({ message: text });
    if (at % 3 > 0) await world.server.ask(`/api/invocations/${id}/${at % 3 === 1 ? 'approve' : 'reject'}`, { body });
  }
  // Each waits for the server most of the time: side by side they are done sooner.
  pages = await Promise.all(Array.from({ length: 3 }, () => world.open('/skills')));
  harm = pages.map((page) => watchForHarm(page, world.server.url));
});

afterAll(() => world.close());

async function beg(text: string): Promise<string> {
  const asked = { body: JSON.stringify({ text }), headers: { Prefer: 'respond-async' } };
  return JSON.parse((await world.server.ask('/api/typed-skills/beg/invoke', asked)).text).invocation_id;
}

test('there are sixty payloads', () => {
  expect(new Set(PAYLOADS).size).toBe(60);
});

test('in lists and searches nothing runs', async () => {
  const lists = [
    '/skills',
    '/problems',
    '/activity',
    '/runs',
    '/runs?state=waiting',
    '/schedules',
    `/traces/${trace}`,
    '/',
  ];
  const searches = PAYLOADS.map((payload) => `/skills?q=${encodeURIComponent(payload)}`);
  await expectUnharmed([...lists, ...searches].map((path) => ({ path })));
});

test('in what is typed into the search nothing runs', async () => {
  const [page] = pages;
  for (const payload of PAYLOADS.slice(0, 3)) {
    await page?.getByLabel('Search skills').fill(payload);
    await expect.poll(() => page?.url()).toContain(new URLSearchParams({ q: payload }).toString());
  }
});

test('in a document of each nothing runs, and the text is there to be read', () =>
  expectUnharmed(
    PAYLOADS.map((_, index) => ({
      path: `/documents/${encodeURIComponent(`skill://payload-${index}/SKILL.md`)}`,
      shows: '.prose',
      text: `end of ${index}.`,
    })),
  ));

test('in inputs, results and errors nothing runs', () =>
  expectUnharmed([...echoes, ...moans].map((id) => ({ path: `/invocations/${id}`, shows: 'pre' }))));

test('in runs that wait, were approved and were rejected nothing runs (J8)', () =>
  expectUnharmed(begs.map((id) => ({ path: `/runs/${id}`, shows: 'pre' }))));

test('in a form that was filled from the log, and in its failures, nothing runs', () =>
  expectUnharmed(
    PAYLOADS.flatMap((payload, index) => [
      // A text field has no line breaks.
      {
        path: `/typed/moan?from=${moans[index]}`,
        shows: '[id="field-text"]',
        text: payload.replaceAll('\n', ''),
        press: 'Invoke',
      },
      // Another form of the same skill would be the same page.
      { path: '/nowhere' },
    ]),
  ));

test('in the address nothing runs', () =>
  expectUnharmed(
    PAYLOADS.flatMap((payload) => {
      const part = encodeURIComponent(payload);
      return [
        `/documents/${part}`,
        `/typed/${part}`,
        `/traces/${part}`,
        `/activity?skill=${part}`,
        `/runs/${part}`,
        `/runs?skill=${part}`,
        `/${part}`,
      ];
    }).map((path) => ({ path })),
  ));

/** Also what the content security policy would have stopped: nothing may even try. */
async function expectUnharmed(stops: readonly Stop[]): Promise<void> {
  const walks = pages.map((page, turn) =>
    walkPage(
      page,
      stops.filter((_, at) => at % pages.length === turn),
    ),
  );
  expect({ wrong: (await Promise.all(walks)).flat(), harm: harm.flat() }).toEqual({ wrong: [], harm: [] });
}

function hostileDocuments(): Readonly<Record<string, string>> {
  const documents = PAYLOADS.map((payload, index) => {
    const quoted = JSON.stringify(payload);
    const head = `---\nname: ${JSON.stringify(`${payload.replaceAll('\n', ' ')} ${index}`)}\ndescription: ${quoted}\nlicense: ${quoted}\n---\n`;
    const body = `# ${payload}\n\n${payload}\n\n- ${payload}\n\n| a |\n|---|\n| ${payload} |\n\n\`${payload}\`\n\n`;
    return [`payload-${index}`, `${head}${body}\n\nend of ${index}.\n`] as const;
  });
  return Object.fromEntries(documents);
}
