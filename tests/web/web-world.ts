// The built program with its dashboard, and a real browser that looks at it. Nothing of it outlives close().
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { PATIENCE_MS } from '../support/patience.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';

export interface WebWorld {
  readonly server: ServeProcess;
  /** The home directory that the server has. */
  readonly home: string;
  /** A new one of the run's browser, as patient as the tests are. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  readonly token: string;
  /** A page of its own, that is signed in (as the operator, unless another token is given) and shows `path`. */
  open(path: string, options?: BrowserContextOptions, token?: string): Promise<Page>;
  /** Lets an agent in; answers its token. */
  addAgent(name: string, given?: object): Promise<string>;
  /** Opens such a page, looks, and closes it again. */
  see(path: string, look: (page: Page) => Promise<void>): Promise<void>;
  /** Of a typed skill, as the operator; answers the parsed body. */
  invoke(skill: string, input: object, correlationId?: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** SKILL.md by folder; `examples/skills` are served without. */
  readonly documents?: Readonly<Record<string, string>>;
  /** The configuration's code after the import of `defineSkill` and `failure`. */
  readonly config?: string;
  readonly options?: readonly string[];
  /** Folders of the home directory, which tell the program that a host is installed. */
  readonly homeFolders?: readonly string[];
}

const TOKEN = `rpo_${'dashboard'.repeat(4)}`;

const library = fileURLToPath(new URL('../../dist/lib/skills.js', import.meta.url));
const examples = fileURLToPath(new URL('../../examples/skills', import.meta.url));

/** Times are those of the machine that runs the tests; words are English everywhere. */
const USUAL: BrowserContextOptions = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };

export async function openWebWorld({
  documents,
  config,
  options = [],
  homeFolders = [],
}: WorldOptions = {}): Promise<WebWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-web-'));
  for (const each of homeFolders) mkdirSync(join(folder, each));
  const root = documents === undefined ? examples : writeDocuments(join(folder, 'skills'), documents);
  const file = join(folder, 'web.config.mjs');
  writeFileSync(file, `import { defineSkill, failure } from ${JSON.stringify(library)};\n${config ?? CONFIG}`);
  const environment = { PATH: process.env.PATH, HOME: folder, REPERTOIRE_OPERATOR_TOKEN: TOKEN };
  const words = ['--root', root, '--config', file, '--data', join(folder, 'data'), ...options];
  const [server, browser] = await Promise.all([
    startServeProcess(words, environment),
    chromium.connect(inject('browserEndpoint')),
  ]);
  const newContext = createNewContext(browser);
  const open = createOpen(newContext, server);
  return {
    server,
    home: folder,
    newContext,
    token: TOKEN,
    open,
    see: async (path, look) => {
      const page = await open(path);
      try {
        await look(page);
      } finally {
        await page.context().close();
      }
    },
    addAgent: async (name, given = {}) => {
      const { text } = await server.ask('/api/agents', { body: JSON.stringify({ name, ...given }) });
      return JSON.parse(text).token;
    },
    invoke: async (skill, input, correlationId) => {
      const headers = correlationId === undefined ? {} : { 'X-Correlation-Id': correlationId };
      const { text } = await server.ask(`/api/typed-skills/${skill}/invoke`, { body: JSON.stringify(input), headers });
      return JSON.parse(text);
    },
    close: async () => {
      await browser.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const createNewContext =
  (browser: Browser): WebWorld['newContext'] =>
  async (options) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    const close = context.close.bind(context);
    // What a test answers in the place of the server may be on its way when the page is left: that is no fault.
    context.close = async (reason) => {
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      await close(reason);
    };
    return context;
  };

function createOpen(newContext: WebWorld['newContext'], { url }: ServeProcess): WebWorld['open'] {
  return async (path, options = {}, token = TOKEN) => {
    const context = await newContext({ ...USUAL, ...options });
    // As the sign-in leaves it; that it does is tested apart.
    await context.request.post(`${url}/api/session`, { data: { token } });
    const page = await context.newPage();
    await page.goto(url + path);
    await page.waitForSelector('h1');
    return page;
  };
}

function writeDocuments(root: string, documents: Readonly<Record<string, string>>): string {
  for (const [folder, text] of Object.entries(documents)) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'SKILL.md'), text);
  }
  return root;
}

/** One skill that has a field of every kind, and one that fails. */
const CONFIG = `
const common = { category: 'execution', successCriteria: ['The order is kept.'] };

export default {
  agents: ['Clerk'],
  skills: [
    defineSkill({ ...common, name: 'place_order', description: 'Takes an order with a field of every kind.',
      input: { type: 'object', required: ['title', 'count', 'address', 'tags', 'key'], properties: {
        title: { type: 'string', minLength: 3, maxLength: 20, description: 'What is ordered' },
        count: { type: 'integer', minimum: 1, maximum: 5 },
        ratio: { type: 'number', maximum: 1 },
        urgent: { type: 'boolean' },
        colour: { type: 'string', enum: ['red', 'green'] },
        tags: { type: 'array', maxItems: 2, items: { type: 'string', minLength: 2 } },
        address: { type: 'object', required: ['street'], properties: {
          street: { type: 'string', minLength: 1 }, zip: { type: 'string', pattern: '^[0-9]{5}$' } } },
        lines: { type: 'array', items: { type: 'object', required: ['sku'], properties: {
          sku: { type: 'string', minLength: 1 }, amount: { type: 'integer', minimum: 1 } } } },
        note: { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }] },
        due: { type: 'string', format: 'date-time' },
        extra: { type: 'object', additionalProperties: { type: 'integer' } },
        key: { type: 'string', minLength: 4, secret: true },
      } },
      output: { type: 'object', additionalProperties: true },
      run: async ({ key, ...order }) => ({ order, key_length: key.length }) }),
    defineSkill({ ...common, name: 'for_clerks', description: 'Not for everybody.', assignedTo: ['Clerk'],
      input: { type: 'object', properties: {} }, output: { type: 'object', properties: {} }, run: async () => ({}) }),
    defineSkill({ ...common, name: 'always_fails', description: 'Fails.', failureModes: ['NOT_FOUND'],
      input: { type: 'object', properties: {} }, output: { type: 'object', properties: {} },
      run: async () => failure('NOT_FOUND', { resource: 'the moon' }) }),
    defineSkill({ ...common, successCriteria: [], name: 'anything', description: 'Takes what comes.',
      input: { type: 'object', additionalProperties: true }, output: { type: 'object', additionalProperties: true },
      run: async (input) => input }),
    defineSkill({ ...common, name: 'nap', description: 'Takes its time.',
      input: { type: 'object', required: ['ms'], properties: { ms: { type: 'integer' } } },
      output: { type: 'object', properties: { ms: { type: 'integer' } } },
      run: async ({ ms }) => { await new Promise((resolve) => setTimeout(resolve, ms)); return { ms }; } }),
  ],
};
`;
