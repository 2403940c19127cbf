// The options of registerSkills, and everything that it refuses before it touches the server.
import { readdirSync, readFileSync } from 'node:fs';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test, vi } from 'vitest';
import { modernMeta } from '../../../tests/support/modern-meta.ts';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, skillText } from '../../catalog/fixtures/skill-world.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { createOwn, GENERATIONS, type TestServer } from './fixtures/sdk-generations.ts';
import { registerSkills } from './sdk.ts';
import { getPrivateFields } from './sdk-server.ts';

async function openSkills() {
  const world = createSkillWorld();
  world.skill('root/alpha');
  return { world, catalog: await openTestCatalog([world.at('root')]) };
}

const toolsOf = (result: JsonObject) => new Map((result.tools as JsonObject[]).map((tool) => [tool.name, tool]));

function fingerprint({ mcp }: TestServer): unknown {
  const { server, ...fields } = getPrivateFields(mcp, 'a test');
  const registered = Object.entries(fields).filter(([name]) => name.startsWith('_registered'));
  return [registered.map(([, all]) => Object.keys(all as object)), [...server._requestHandlers], server._capabilities];
}

describe.each(GENERATIONS)('registerSkills() on $label', (generation) => {
  const clashes: [string, (server: TestServer) => void, RegExp][] = [
    [
      'tool',
      (server) => server.addTool('get_skill'),
      /^Cannot add skills: the tool "get_skill" is .* toolNames; or keep .* taken: 'keep'$/,
    ],
    ['prompt', (server) => server.addPrompt('alpha'), /the prompt "alpha" is already registered.*prompts: false/],
    ['resource', (server) => server.addResource('skill://alpha/SKILL.md'), /the resource skill:\/\/alpha\/SKILL\.md/],
    ['template name', (server) => server.addTemplate('skill-file', 'own://{x}'), /template "skill-file"/],
    ['template', (server) => server.addTemplate('mine', 'skill://{name}/SKILL.md'), /template "mine" \(skill:/],
  ];
  test.each(clashes)('refuses a taken %s before anything is registered (T10)', async (_kind, take, message) => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    take(server);
    const before = fingerprint(server);
    expect(() => server.registerSkills(catalog)).toThrow(message);
    expect(fingerprint(server)).toEqual(before);
  });

  test('refuses a second time on the same server, and a method that has a handler (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.registerSkills(catalog);
    const before = fingerprint(server);
    expect(() => server.registerSkills(catalog)).toThrow('Cannot add skills: this server has them already');
    expect(fingerprint(server)).toEqual(before);
    const lowLevel = generation.create();
    const { _requestHandlers: handlers } = getPrivateFields(lowLevel.mcp, 'a test').server;
    handlers.set('tools/list', async () => ({ tools: [] }));
    handlers.set('skills/list', async () => ({ skills: [] }));
    expect(() => lowLevel.registerSkills(catalog)).toThrow(/the method skills\/list is already handled/);
    expect(() => lowLevel.registerSkills(catalog)).toThrow(/the method tools\/list has a low-level handler/);
  });

  test.each(['registerTool', 'registerResource', 'subscribe'])(
    'leaves nothing behind when %s throws halfway (T10)',
    async (name) => {
      const { catalog } = await openSkills();
      for (const server of [generation.create(), createOwn(generation)]) {
        const before = fingerprint(server);
        const subscribe = vi.spyOn(catalog, 'subscribe');
        const target = (name === 'subscribe' ? catalog : server.mcp) as unknown as Record<string, () => unknown>;
        const original = target[name]?.bind(target) as () => unknown;
        // The second tool is refused; of the others there is one.
        let count = name === 'registerTool' ? 0 : 1;
        const failing = vi.spyOn(target, name).mockImplementation((...given: []) => {
          count += 1;
          if (count === 2) throw new Error('halfway');
          return original(...given);
        });
        expect(() => server.registerSkills(catalog)).toThrow('halfway');
        expect(fingerprint(server)).toEqual(before);
        if (name !== 'subscribe') expect(subscribe).not.toHaveBeenCalled();
        failing.mockRestore();
        subscribe.mockRestore();
        server.registerSkills(catalog).detach();
        expect(fingerprint(server)).toEqual(before);
      }
    },
  );

  test('refuses a connected server in so many words', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    await (await server.connect()).result('tools/list');
    expect(() => server.registerSkills(catalog)).toThrow(
      'Cannot add skills: the server is already connected; call registerSkills before server.connect()',
    );
  });

  test.each([
    [{ toolNames: { skill: 'with space' } }, /the tool name "with space" is not valid/],
    [{ toolNames: { skill: 'get_skill' } }, /two tools the same name/],
    [{ toolNames: { skil: 'x' } as object }, /toolNames has "skil"/],
    [{ uiUri: 'https://example.com' }, /uiUri is "https:\/\/example.com"/],
    [{ fallback: { 'skill://alpha/other.md': 'text' } }, /fallback has "skill:\/\/alpha\/other.md"/],
    [{ fallback: { 'skill://alpha/SKILL.md': ' \n' } }, /is empty/],
  ])('refuses the options %j', async (options, message) => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    const before = fingerprint(server);
    expect(() => server.registerSkills(catalog, options)).toThrow(message);
    expect(fingerprint(server)).toEqual(before);
  });

  test('toolNames renames a tool, also where another one mentions it (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addTool('get_skill');
    server.registerSkills(catalog, {
      toolNames: { get_skill: 'get_doc', list_skills: 'list_docs', skill: 'load_doc' },
    });
    const client = await server.connect();
    const tools = toolsOf(await client.result('tools/list'));
    expect([...tools.keys()].slice(2)).toEqual([
      'get_skill',
      'load_doc',
      'list_docs',
      'search_skills',
      'get_doc',
      'read_skill_file',
    ]);
    expect(tools.get('list_docs')?.description).toContain('`load_doc` or `get_doc`');
    const missing = { name: 'get_doc', arguments: { uri: 'skill://nobody/SKILL.md' } };
    expect(JSON.stringify(await client.result('tools/call', missing))).toContain('call list_docs');
    const theirs = await client.result('tools/call', { name: 'get_skill', arguments: { a: 1, b: 1 } });
    expect(theirs.content).toEqual([{ type: 'text', text: '2' }]);
  });

  test('uiUri puts the UI on list_skills and get_skill alone, and without it there is none (T8)', async () => {
    const { catalog } = await openSkills();
    const uri = 'ui://own/app.html';
    const ui = { ui: { resourceUri: uri }, 'openai/outputTemplate': uri, 'openai/widgetAccessible': true };
    const server = createOwn(generation);
    server.registerSkills(catalog, { uiUri: uri });
    const tools = toolsOf(await (await server.connect()).result('tools/list'));
    expect(tools.get('get_skill')?._meta).toEqual(ui);
    expect(tools.get('list_skills')?._meta).toEqual({ 'anthropic/alwaysLoad': true, ...ui });
    expect(tools.get('skill')?._meta).toEqual({ 'anthropic/alwaysLoad': true });
    expect(tools.get('read_skill_file')).not.toHaveProperty('_meta');
    for (const name of ['skill', 'list_skills', 'search_skills', 'get_skill', 'read_skill_file']) {
      const hints = { readOnlyHint: true, openWorldHint: false, destructiveHint: false };
      expect(tools.get(name)?.annotations).toMatchObject(hints);
    }
    const plain = createOwn(generation);
    plain.registerSkills(catalog);
    expect(JSON.stringify(await (await plain.connect()).result('tools/list'))).not.toMatch(/ui:|openai/);
  });

  test('a fallback text is served, as such, while its skill cannot be read from disk (T10)', async () => {
    const { world, catalog } = await openSkills();
    const uri = 'skill://late/SKILL.md';
    const server = createOwn(generation);
    server.registerSkills(catalog, { fallback: { [uri]: skillText('late', 'Short.\n') } });
    const client = await server.connect();
    const entry = async () => {
      const listed = await client.result('tools/call', { name: 'list_skills', arguments: {} });
      return (listed.structuredContent as { skills: JsonObject[] }).skills.find((skill) => skill.uri === uri);
    };
    const text = async () => JSON.stringify(await client.result('resources/read', { uri }));
    expect(await entry()).toMatchObject({ name: 'late', availability: 'fallback' });
    expect(await text()).toContain('Short.');
    for (const input of [{ uri }, { skill_name: 'late' }]) {
      const got = await client.result('tools/call', { name: 'get_skill', arguments: input });
      expect(JSON.stringify(got.structuredContent)).toContain('Short.');
    }
    expect(JSON.stringify(await client.result('skills/list'))).toContain(uri);
    world.skill('root/late', { body: 'Long.\n' });
    await catalog.refresh();
    expect(await entry()).toMatchObject({ availability: 'available' });
    expect(await text()).toContain('Long.');
    world.remove('root/late');
    await catalog.refresh();
    expect(await entry()).toMatchObject({ availability: 'fallback' });
  });

  test('prompts: false leaves prompts alone (R1)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.addPrompt('alpha');
    server.registerSkills(catalog, { prompts: false });
    const client = await server.connect();
    const bare = createOwn(generation);
    bare.addPrompt('alpha');
    const other = await bare.connect();
    for (const [method, params] of [['prompts/list'], ['prompts/get', { name: 'alpha' }]] as const) {
      expect(await client.ask(method, params)).toEqual(await other.ask(method, params));
    }
  });

  test('a prompt that the owner registers later keeps its name (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.registerSkills(catalog);
    server.addPrompt('alpha');
    const client = await server.connect();
    const names = ((await client.result('prompts/list')).prompts as JsonObject[]).map(({ name }) => name);
    expect(names).toEqual(['own-prompt', 'alpha']);
    expect(JSON.stringify(await client.result('prompts/get', { name: 'alpha' }))).toContain('own alpha');
  });
});

describe.each(GENERATIONS)('on $label', (generation) => {
  test('a resource that the owner registers later is listed once and read from the owner (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    server.registerSkills(catalog);
    server.addResource('skill://alpha/SKILL.md');
    const client = await server.connect();
    const uris = ((await client.result('resources/list')).resources as JsonObject[]).map(({ uri }) => uri);
    expect(uris).toEqual(['own://one', 'own://two', 'skill://alpha/SKILL.md']);
    const { contents } = await client.result('resources/read', { uri: 'skill://alpha/SKILL.md' });
    expect(contents).toMatchObject([{ text: 'contents of skill://alpha/SKILL.md' }]);
  });

  test('works beside handlers that the owner put in the place of the SDK’s, paged ones too (T10)', async () => {
    const { catalog } = await openSkills();
    const server = createOwn(generation);
    const { _requestHandlers: handlers } = getPrivateFields(server.mcp, 'a test').server;
    handlers.set('tools/list', async () => ({ tools: [{ name: 'add', inputSchema: { type: 'object' } }] }));
    handlers.set('resources/templates/list', async () => ({
      resourceTemplates: [{ uriTemplate: 'own://{x}', name: 'x' }],
    }));
    handlers.set('resources/read', async () => Promise.reject(new Error('Nothing here')));
    handlers.set('resources/list', async ({ params }) =>
      (params as JsonObject).cursor === 'two'
        ? { resources: [{ uri: 'own://b', name: 'b' }] }
        : { resources: [{ uri: 'own://a', name: 'a' }], nextCursor: 'two' },
    );
    server.registerSkills(catalog);
    const client = await server.connect();
    const tools = [...toolsOf(await client.result('tools/list')).keys()];
    expect(tools).toEqual(['add', 'skill', 'list_skills', 'search_skills', 'get_skill', 'read_skill_file']);
    const first = await client.result('resources/list');
    expect(first).toMatchObject({ resources: [{ uri: 'own://a' }], nextCursor: 'two' });
    const second = await client.result('resources/list', { cursor: 'two' });
    expect(second.resources).toMatchObject([{ uri: 'own://b' }, { uri: 'skill://alpha/SKILL.md' }]);
    const { resourceTemplates } = await client.result('resources/templates/list');
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'own://{x}' }, { uriTemplate: 'skill://{+path}' }]);
    await client.result('resources/read', { uri: 'skill://alpha/SKILL.md' });
    expect((await client.ask('resources/read', { uri: 'own://a' })).error?.message).toBe('Nothing here');
  });

  test('every file of a manifest can be read, whatever its name (R1, R2)', async () => {
    const { world, catalog } = await openSkills();
    const names = [
      'a b',
      'c,d',
      'e%f',
      'g#h',
      '\u{1F600}',
      'i?j',
      "k'l",
      'UPPER',
      '.dot',
      'm:n',
      '{o}',
      '*',
      'p;q=r',
      '[s]',
    ];
    for (const name of names) world.write(`root/alpha/${name}`, `text of ${name}`);
    for (const name of ['x:y', 'Z z', '[t]', 'u@v']) world.skill(`root/${name}`);
    await catalog.refresh();
    const server = createOwn(generation);
    server.registerSkills(catalog);
    const client = await server.connect();
    const files = catalog.current.skills.flatMap((skill) => catalog.manifestOf(skill).files);
    expect(files.length).toBe(names.length + 5);
    for (const { uri } of files) {
      const { contents } = await client.result('resources/read', { uri });
      expect(contents).toMatchObject([{ uri }]);
    }
  });
});

test('each generation of the SDK is imported by one entry alone: a user of one needs not the other', () => {
  const folder = new URL('.', import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const importing = sources.flatMap((name) => {
    const found = readFileSync(new URL(name, folder), 'utf8').matchAll(/from '(@modelcontextprotocol\/\w+)/g);
    return [...new Set([...found].map(([, from]) => `${name} ${from}`))];
  });
  expect(importing).toEqual(['sdk-v1.ts @modelcontextprotocol/sdk', 'sdk.ts @modelcontextprotocol/server']);
});

test('registerSkills() refuses what is not an McpServer', async () => {
  const { catalog } = await openSkills();
  expect(() => registerSkills({ server: {} } as McpServer, catalog)).toThrow(
    'Cannot add skills: this is not an McpServer of @modelcontextprotocol/server 2.x',
  );
});

test('a caller over HTTP sees no path of this machine (T1, T9)', async () => {
  const { catalog, world } = await openSkills();
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'own', version: '1' });
    registerSkills(server, catalog);
    return server;
  });
  const params = { name: 'skill', arguments: { name: 'alpha' }, _meta: modernMeta() };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'skill',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
  const text = await response.text();
  expect(text).toContain('Base directory: skill://alpha');
  expect(text).not.toContain(world.path);
  await handler.close();
});
