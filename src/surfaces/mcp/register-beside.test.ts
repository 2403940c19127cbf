// Skills on a server that has tools and skill:// resources of its own: they stay its own, and every way gives one text.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, skillText } from '../../catalog/fixtures/skill-world.ts';
import type { JsonObject } from '../../values/json-object.ts';
import type { MemoryClient } from './fixtures/memory-client.ts';
import { createOwn, GENERATIONS } from './fixtures/sdk-generations.ts';
import type { RegisterOptions } from './register-options.ts';
import { getPrivateFields } from './sdk-server.ts';

const ALPHA = 'skill://alpha/SKILL.md';
const OWNERS = skillText('alpha', 'The owner’s text.\n');
const KEEP: RegisterOptions = { taken: 'keep' };

async function openSkills() {
  const world = createSkillWorld();
  world.skill('root/alpha', { body: 'The text on disk.\n' });
  world.skill('root/beta');
  world.write('root/alpha/references/guide.md', '# Guide\n');
  return { world, catalog: await openTestCatalog([world.at('root')]) };
}

const call = (client: MemoryClient, name: string, input: JsonObject = {}) =>
  client.result('tools/call', { name, arguments: input });

const textOf = ({ content }: JsonObject): string => String((content as JsonObject[])[0]?.text);

const namesOf = async (client: MemoryClient) =>
  ((await client.result('tools/list')).tools as JsonObject[]).map(({ name }) => name);

const readText = async (client: MemoryClient, uri: string) =>
  ((await client.result('resources/read', { uri })).contents as JsonObject[])[0]?.text;

/** The text of the skill alpha, by every way that gives it. */
async function everyText(client: MemoryClient): Promise<readonly unknown[]> {
  const structured = async (input: JsonObject) => Object((await call(client, 'get_skill', input)).structuredContent);
  const loaded = textOf(await call(client, 'skill', { name: 'alpha' }));
  const prompt = await client.result('prompts/get', { name: 'alpha' });
  return [
    await readText(client, ALPHA),
    (await structured({ uri: ALPHA })).text,
    (await structured({ skill_name: 'alpha' })).documentation,
    loaded.slice(loaded.indexOf('\n\n') + 2),
    textOf(await call(client, 'read_skill_file', { uri: ALPHA })),
    textOf(await call(client, 'read_skill_file', { skill: 'alpha', path: 'SKILL.md' })),
    Object((prompt.messages as JsonObject[])[0]?.content).text,
  ];
}

/** The entry of alpha in the extension, listed and got. */
async function everyEntry(client: MemoryClient): Promise<readonly JsonObject[]> {
  const { skills } = await client.result('skills/list');
  const listed = (skills as JsonObject[]).filter(({ uri }) => uri === ALPHA);
  return [...listed, Object((await client.result('skills/get', { uri: ALPHA })).skill)];
}

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe.each(GENERATIONS)('on $label', (generation) => {
  test('a server that has list_skills and the resource gains get_skill, and loses nothing (T10, M1)', async () => {
    const { catalog } = await openSkills();
    const create = () => {
      const own = createOwn(generation);
      own.addTool('list_skills');
      own.addResource(ALPHA, () => OWNERS);
      return own;
    };
    const bare = await create().connect();
    const server = create();
    server.registerSkills(catalog, { tools: ['get_skill'], taken: 'keep' });
    const client = await server.connect();
    expect(await namesOf(client)).toEqual(['add', 'also_add', 'list_skills', 'get_skill']);
    const before = (await bare.result('tools/list')).tools as unknown[];
    expect(((await client.result('tools/list')).tools as unknown[]).slice(0, 3)).toEqual(before);
    for (const [method, params] of [
      ['tools/call', { name: 'list_skills', arguments: { a: 1, b: 2 } }],
      ['resources/read', { uri: ALPHA }],
    ] as const) {
      expect(await client.ask(method, params)).toEqual(await bare.ask(method, params));
    }
    const listed = (await client.result('resources/list')).resources as JsonObject[];
    const own = (await bare.result('resources/list')).resources as JsonObject[];
    expect(listed.slice(0, own.length)).toEqual(own);
    expect(listed.filter(({ uri }) => uri === ALPHA)).toHaveLength(1);
    const got = await call(client, 'get_skill', { uri: ALPHA });
    expect(got).toEqual({
      ...got,
      isError: false,
      content: [{ type: 'text', text: `${ALPHA}\n\n${OWNERS}` }],
      structuredContent: { uri: ALPHA, mimeType: 'text/markdown', text: OWNERS },
    });
    expect(textOf(await call(client, 'get_skill', { uri: 'skill://nope/SKILL.md' }))).toContain('call list_skills');
  });

  test('without keep the same server is refused, and the sentence says how to keep both (T10, M1)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addTool('list_skills');
    server.addResource(ALPHA);
    for (const taken of [undefined, 'error'] as const) {
      expect(() => server.registerSkills(catalog, taken && { taken })).toThrow(
        /^Cannot add skills: the tool "list_skills" .*the resource skill:\/\/alpha\/SKILL\.md .*taken: 'keep'/,
      );
    }
  });

  const registered: [string, boolean, RegisterOptions | undefined][] = [
    ['before, with keep', true, KEEP],
    ['later, with keep', false, KEEP],
    ['later, without it', false, undefined],
  ];
  test.each(registered)(
    'one text by every way, when the owner registered it %s (T10)',
    async (_when, first, options) => {
      const { catalog, world } = await openSkills();
      const server = createOwn(generation);
      let text = OWNERS;
      const add = () => server.addResource(ALPHA, () => text);
      if (first) add();
      server.registerSkills(catalog, options);
      if (!first) add();
      const client = await server.connect();
      expect(new Set(await everyText(client))).toEqual(new Set([OWNERS]));
      for (const entry of await everyEntry(client)) {
        const file = { uri: ALPHA, digest: digestOf(OWNERS), size: Buffer.byteLength(OWNERS) };
        expect(entry.resources).toContainEqual(file);
        expect(entry.resources).toHaveLength(2);
      }
      // Whatever changes, on disk or at the owner's, there is one text.
      world.skill('root/alpha', { body: 'Another text on disk.\n' });
      await catalog.refresh();
      expect(new Set(await everyText(client))).toEqual(new Set([OWNERS]));
      text = '# Without frontmatter\n';
      expect(new Set(await everyText(client))).toEqual(new Set([text]));
      expect((await client.result('skills/list')).skills).toMatchObject([{ uri: 'skill://beta/SKILL.md' }]);
      // The rest is as ever.
      const guide = { uri: 'skill://alpha/references/guide.md' };
      expect(textOf(await call(client, 'read_skill_file', guide))).toBe('# Guide\n');
      expect(textOf(await call(client, 'skill', { name: 'beta' }))).toContain('Loading: beta');
    },
  );

  test('where the owner gives no text for a skill, each way that needs one says so, and the rest is served (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    const bytes = Buffer.of(0, 255, 128);
    server.addResource(ALPHA, () => bytes);
    server.registerSkills(catalog, KEEP);
    const client = await server.connect();
    const asked: readonly [string, JsonObject][] = [
      ['get_skill', { uri: ALPHA }],
      ['get_skill', { skill_name: 'alpha' }],
      ['skill', { name: 'alpha' }],
      ['read_skill_file', { uri: ALPHA }],
      ['read_skill_file', { skill: 'alpha', path: 'SKILL.md' }],
    ];
    for (const [name, input] of asked) {
      const answer = await call(client, name, input);
      expect([answer.isError, textOf(answer)]).toEqual([true, `Cannot read '${ALPHA}': it is not text`]);
    }
    expect(await client.ask('prompts/get', { name: 'alpha' })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('it is not text') },
    });
    const { contents } = await client.result('resources/read', { uri: ALPHA });
    expect(contents).toMatchObject([{ blob: bytes.toString('base64') }]);
    expect((await client.result('skills/list')).skills).toMatchObject([{ uri: 'skill://beta/SKILL.md' }]);
    const got = await client.ask('skills/get', { uri: ALPHA });
    expect(got).not.toMatchObject({ error: { code: -32603 } });
    expect(textOf(await call(client, 'search_skills', { query: 'alpha' }))).toContain(ALPHA);
    const guide = { uri: 'skill://alpha/references/guide.md' };
    expect(textOf(await call(client, 'read_skill_file', guide))).toBe('# Guide\n');
  });

  test('one text also where the owner spells the address otherwise (T10)', async () => {
    const { world, catalog } = await openSkills();
    world.skill('root/caf\u00e9', { body: 'The text on disk.\n' });
    await catalog.refresh();
    const server = createOwn(generation);
    server.addResource('skill://caf%c3%a9/SKILL.md', () => OWNERS);
    server.registerSkills(catalog, KEEP);
    const client = await server.connect();
    for (const uri of ['skill://caf%C3%A9/SKILL.md', 'skill://caf%c3%a9/SKILL.md']) {
      expect(await readText(client, uri)).toBe(OWNERS);
      expect(await call(client, 'get_skill', { uri })).toMatchObject({ structuredContent: { text: OWNERS } });
    }
    const uris = ((await client.result('resources/list')).resources as JsonObject[]).map(({ uri }) => String(uri));
    expect(uris.filter((uri) => /caf/.test(uri))).toEqual(['skill://caf%c3%a9/SKILL.md']);
  });

  test('one text also of a document that names no skill (T10, T6)', async () => {
    const { world, catalog } = await openSkills();
    world.write('root/calculator/SKILL.md', '# Calculator\n\nOn disk.\n');
    await catalog.refresh();
    const uri = 'skill://calculator/SKILL.md';
    const server = createOwn(generation);
    server.registerSkills(catalog);
    const client = await server.connect();
    const texts = async () => [
      await readText(client, uri),
      Object((await call(client, 'get_skill', { uri })).structuredContent).text,
      Object((await call(client, 'get_skill', { skill_name: 'calculator' })).structuredContent).documentation,
    ];
    expect(new Set(await texts())).toEqual(new Set(['# Calculator\n\nOn disk.\n']));
    server.addResource(uri, () => 'The owner’s.');
    expect(new Set(await texts())).toEqual(new Set(['The owner’s.']));
  });

  test('get_skill answers for the owner’s own skills, also for those registered later (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    const own = skillText('tickets', 'Open a ticket.\n');
    server.addResource('skill://tickets/SKILL.md', () => own);
    server.registerSkills(catalog, KEEP);
    server.addResource('skill://team/later/SKILL.md', () => 'No frontmatter.');
    server.addResource('skill://tickets/forms/new.txt', () => 'A form.');
    const client = await server.connect();
    const texts: [string, string][] = [
      ['skill://tickets/SKILL.md', own],
      ['skill://team/later/SKILL.md', 'No frontmatter.'],
      ['skill://tickets/forms/new.txt', 'A form.'],
    ];
    for (const [uri, text] of texts) {
      const got = await call(client, 'get_skill', { uri });
      expect(got).toMatchObject({ isError: false, structuredContent: { uri, text } });
      expect(textOf(got)).toBe(`${uri}\n\n${text}`);
      expect(await readText(client, uri)).toBe(text);
    }
    expect((await call(client, 'get_skill', { skill_name: 'later' })).structuredContent).toEqual({
      skill_name: 'later',
      documentation: 'No frontmatter.',
    });
    // What get_skill gives can be found, and loaded by name.
    const listed = (await call(client, 'list_skills')).structuredContent as { skills: JsonObject[] };
    expect(listed.skills.map(({ uri }) => uri)).toEqual([
      ALPHA,
      'skill://beta/SKILL.md',
      'skill://team/later/SKILL.md',
      'skill://tickets/SKILL.md',
    ]);
    expect(textOf(await call(client, 'search_skills', { query: 'tickets' }))).toContain('skill://tickets/SKILL.md');
    expect(textOf(await call(client, 'skill', { name: 'Tickets' }))).toContain(own);
  });

  test('without keep get_skill knows the skills of the catalog alone (T4)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addResource('skill://tickets/SKILL.md');
    server.registerSkills(catalog);
    const client = await server.connect();
    expect(await call(client, 'get_skill', { uri: 'skill://tickets/SKILL.md' })).toMatchObject({ isError: true });
    const listed = (await call(client, 'list_skills')).structuredContent as { skills: JsonObject[] };
    expect(listed.skills).toHaveLength(2);
  });

  test('a resource of the owner that fails, or is empty, is an error without its details (T9)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addResource(ALPHA, () => {
      throw new Error('password=hunter2 at /srv/owner.ts:3');
    });
    server.addResource('skill://empty/SKILL.md', () => ' \n');
    server.registerSkills(catalog, KEEP);
    const client = await server.connect();
    for (const [name, input] of [
      ['get_skill', { uri: ALPHA }],
      ['get_skill', { skill_name: 'alpha' }],
      ['skill', { name: 'alpha' }],
      ['get_skill', { uri: 'skill://empty/SKILL.md' }],
    ] as const) {
      const got = await call(client, name, input);
      expect(got).toMatchObject({ isError: true });
      expect(got).not.toHaveProperty('structuredContent');
      expect(textOf(got)).toMatch(/^Cannot read 'skill:\/\/\w+\/SKILL\.md': /);
      expect(textOf(got)).not.toMatch(/hunter2|owner\.ts/);
    }
    // One that fails costs the others nothing.
    const listed = (await call(client, 'list_skills')).structuredContent as { skills: JsonObject[] };
    expect(listed.skills.map(({ uri }) => uri)).toEqual([ALPHA, 'skill://beta/SKILL.md']);
    expect((await client.result('skills/list')).skills).toMatchObject([{ uri: 'skill://beta/SKILL.md' }]);
    expect((await client.ask('prompts/get', { name: 'alpha' })).error?.message).not.toMatch(/hunter2/);
  });

  test('a template of the owner stays the owner’s, and what it does not know is ours (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addTemplate('skill-file', 'skill://alpha/{name}');
    server.registerSkills(catalog, KEEP);
    const client = await server.connect();
    const { resourceTemplates } = await client.result('resources/templates/list');
    expect((resourceTemplates as JsonObject[]).map(({ uriTemplate }) => uriTemplate)).toEqual([
      'own://files/{name}',
      'skill://alpha/{name}',
      'skill://{+path}',
    ]);
    expect(new Set(await everyText(client))).toEqual(new Set([`contents of ${ALPHA}`]));
    expect(await readText(client, 'skill://alpha/references/guide.md')).toBe('# Guide\n');
    // Only reading could tell its digest, so it is not listed.
    expect((await client.result('skills/list')).skills).toMatchObject([{ uri: 'skill://beta/SKILL.md' }]);
    const same = createOwn(generation);
    same.addTemplate('own-skills', 'skill://{+path}');
    same.registerSkills(catalog, KEEP);
    const other = await same.connect();
    expect(new Set(await everyText(other))).toEqual(new Set([`contents of ${ALPHA}`]));
  });

  test('skills that a template of the owner lists are listed once, found and answered, too (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    const own = ['skill://team/tickets/SKILL.md', 'skill://team/tickets/form.txt'];
    server.addTemplate('own-skills', 'skill://{+path}', [...own, ALPHA]);
    server.registerSkills(catalog, KEEP);
    const client = await server.connect();
    const uris = ((await client.result('resources/list')).resources as JsonObject[]).map(({ uri }) => uri);
    expect(uris).toEqual(['own://one', 'own://two', ...own, ALPHA, 'skill://beta/SKILL.md']);
    const listed = (await call(client, 'list_skills')).structuredContent as { skills: JsonObject[] };
    expect(listed.skills.map(({ name }) => name)).toEqual(['alpha', 'beta', 'tickets']);
    for (const input of [{ uri: own[0] }, { skill_name: 'tickets' }]) {
      expect(JSON.stringify(await call(client, 'get_skill', input))).toContain(`contents of ${own[0]}`);
    }
    expect(textOf(await call(client, 'skill', { name: 'tickets' }))).toContain(`contents of ${own[0]}`);
  });

  test('a search answers the same, whatever was asked for in between (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addResource(ALPHA, () => OWNERS);
    server.addResource('skill://tickets/SKILL.md');
    server.registerSkills(catalog, KEEP);
    const client = await server.connect();
    const search = async () => textOf(await call(client, 'search_skills', { query: 'alpha tickets' }));
    const first = await search();
    for (const name of ['alpha', 'beta']) await call(client, 'skill', { name });
    expect(await search()).toBe(first);
    expect(first).toContain('skill://tickets/SKILL.md');
  });

  test('prompts, typed names and methods that the owner has stay the owner’s (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addPrompt('alpha');
    const { _requestHandlers: handlers } = getPrivateFields(server.mcp, 'a test').server;
    handlers.set('skills/list', async () => ({ skills: [] }));
    server.registerSkills(catalog, KEEP);
    const client = await server.connect();
    const { prompts } = await client.result('prompts/list');
    expect((prompts as JsonObject[]).map(({ name }) => name)).toEqual(['own-prompt', 'alpha', 'beta']);
    expect(JSON.stringify(await client.result('prompts/get', { name: 'alpha' }))).toContain('own alpha');
    expect((await client.result('skills/list')).skills).toEqual([]);
    expect((await client.result('skills/get', { uri: ALPHA })).skill).toMatchObject({ uri: ALPHA });
  });

  test('tools chooses which are added, and no text mentions one that is not there (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.registerSkills(catalog, { tools: ['get_skill', 'search_skills'] });
    const client = await server.connect();
    expect(await namesOf(client)).toEqual(['add', 'also_add', 'search_skills', 'get_skill']);
    const said = [
      JSON.stringify(await client.result('tools/list')),
      textOf(await call(client, 'get_skill', { uri: 'skill://nope/SKILL.md' })),
      textOf(await call(client, 'get_skill', { uri: 'skill://alpha/references/guide.md' })),
      textOf(await call(client, 'search_skills', { query: 'alpha' })),
      textOf(await call(client, 'search_skills', { query: 'zzzz' })),
    ].join('\n');
    expect(said).not.toMatch(/list_skills|read_skill_file|`skill`|tool skill\b/);
    expect(said).toMatch(/resources\/list/);
    expect(said).toContain("call this server's tool `get_skill` with its URI");
    expect(
      (await client.ask('tools/call', { name: 'skill', arguments: { name: 'alpha' } })).result?.isError ?? true,
    ).toBe(true);
    const none = createOwn(generation);
    none.registerSkills(catalog, { tools: [] });
    const bare = await none.connect();
    expect(await namesOf(bare)).toEqual(['add', 'also_add']);
    expect(await readText(bare, ALPHA)).toContain('The text on disk.');
  });

  test('keep is taken back like everything else, and skills are added once (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addTool('skill');
    server.addResource(ALPHA, () => OWNERS);
    const { server: inner, ...fields } = getPrivateFields(server.mcp, 'a test');
    const state = () => [
      [...inner._requestHandlers],
      structuredClone(inner._capabilities),
      Object.keys(fields._registeredTools),
      Object.keys(fields._registeredResourceTemplates),
    ];
    const before = state();
    const registration = server.registerSkills(catalog, KEEP);
    expect(() => server.registerSkills(catalog, KEEP)).toThrow('Cannot add skills: this server has them already');
    registration.detach();
    expect(state()).toEqual(before);
    server.registerSkills(catalog, KEEP).detach();
    expect(state()).toEqual(before);
  });

  test.each([
    [{ toolNames: { list_skills: false } }, /toolNames\.list_skills is false; give a name, or .* the option tools$/],
    [{ toolNames: { list_skills: null } }, /toolNames\.list_skills is null;/],
    [{ toolNames: { list_skills: '' } }, /the tool name "" is not valid/],
    [{ toolNames: ['skill'] }, /toolNames is \["skill"\]; give an object/],
    [{ toolNames: false }, /toolNames is false; give an object/],
    [{ tools: 'get_skill' }, /tools is "get_skill"; give a list of skill, list_skills/],
    [{ tools: ['get_skil'] }, /tools has "get_skil"; use skill, list_skills/],
    [{ tools: [false] }, /tools has false; use skill/],
    [{ taken: 'replace' }, /taken is "replace"; use "error" or "keep"/],
    [{ taken: true }, /taken is true; use/],
    [{ prompts: 'no' }, /prompts is "no"; use true or false/],
    [{ uiUri: 5 }, /uiUri is 5; use an address that starts with ui:/],
    [{ fallback: { [ALPHA]: 7 } }, /fallback is .*; give an object of texts/],
    [{ fallback: 'text' }, /fallback is "text"; give an object of texts/],
    [{ tool: ['get_skill'] }, /there is no option "tool"; use tools, taken/],
    [null, /the options are null; give an object/],
  ])('refuses the options %j with a sentence (T10)', async (options, message) => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    // As JavaScript would pass it.
    const wrong = options as RegisterOptions;
    expect(() => server.registerSkills(catalog, wrong)).toThrow(message);
    expect(() => server.registerSkills(catalog, wrong)).toThrow(/^Cannot add skills: /);
    server.registerSkills(catalog);
  });

  test('says that openCatalog was not awaited (T10)', async () => {
    const promise = openSkills().then(({ catalog }) => catalog);
    const server = createOwn(generation);
    expect(() => server.registerSkills(promise as never)).toThrow(/the catalog is a promise; write await openCatalog/);
    await promise;
  });
});
