// registerSkills on servers of both SDK generations and in both eras: what it adds, what it leaves alone, how it goes away.
import { describe, expect, test } from 'vitest';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld } from '../../catalog/fixtures/skill-world.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { createOwn, GENERATIONS, type TestServer } from './fixtures/sdk-generations.ts';
import { getPrivateFields } from './sdk-server.ts';

const OURS = ['skill', 'list_skills', 'search_skills', 'get_skill', 'read_skill_file'];

async function createSkills(): Promise<SkillWorld> {
  const world = createSkillWorld();
  world.skill('root/alpha');
  world.skill('root/group/beta');
  world.write('root/alpha/references/guide.md', '# Guide\n');
  world.write('root/alpha/image.bin', Uint8Array.of(0, 255, 128));
  return world;
}

const openSkills = async () => openTestCatalog([(await createSkills()).at('root')]);

const fieldsOf = ({ mcp }: TestServer) => getPrivateFields(mcp, 'a test');

/** Everything that registering could change. */
function stateOf(server: TestServer) {
  const fields = fieldsOf(server);
  return {
    handlers: new Map(fields.server._requestHandlers),
    capabilities: structuredClone(fields.server._capabilities),
    tools: Object.keys(fields._registeredTools),
    prompts: Object.keys(fields._registeredPrompts),
    resources: Object.keys(fields._registeredResources),
    templates: Object.keys(fields._registeredResourceTemplates),
    flags: [fields._toolHandlersInitialized, fields._promptHandlersInitialized],
    others: [fields._resourceHandlersInitialized, fields._completionHandlerInitialized],
  };
}

const idsOf = (result: JsonObject, key: string, id: string) => (result[key] as readonly JsonObject[]).map((e) => e[id]);

describe.each(GENERATIONS)('registerSkills() on $label', (generation) => {
  test('adds tools, resources, templates and prompts behind the server’s own (T10, R1)', async () => {
    const server = createOwn(generation);
    server.registerSkills(await openSkills());
    server.addTool('later');
    const client = await server.connect();
    const tools = await client.result('tools/list');
    expect(idsOf(tools, 'tools', 'name')).toEqual(['add', 'also_add', ...OURS, 'later']);
    const resources = await client.result('resources/list');
    const skills = ['skill://alpha/SKILL.md', 'skill://group/beta/SKILL.md'];
    expect(idsOf(resources, 'resources', 'uri')).toEqual(['own://one', 'own://two', ...skills]);
    const templates = await client.result('resources/templates/list');
    expect(idsOf(templates, 'resourceTemplates', 'uriTemplate')).toEqual(['own://files/{name}', 'skill://{+path}']);
    expect(idsOf(await client.result('prompts/list'), 'prompts', 'name')).toEqual(['own-prompt', 'alpha', 'beta']);
  });

  test('leaves every definition and answer of the server as it was (T10)', async () => {
    const bare = await createOwn(generation).connect();
    const server = createOwn(generation);
    server.registerSkills(await openSkills());
    const client = await server.connect();
    const questions: [string, JsonObject][] = [
      ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
      ['tools/call', { name: 'add', arguments: { a: 'x' } }],
      ['tools/call', { name: 'nobody' }],
      ['resources/read', { uri: 'own://one' }],
      ['resources/read', { uri: 'own://files/x' }],
      ['resources/read', { uri: 'own://missing' }],
      ['resources/read', { uri: 'not a uri' }],
      ['prompts/get', { name: 'own-prompt' }],
      ['prompts/get', { name: 'nobody' }],
      ['nobody/asks', {}],
    ];
    for (const [method, params] of questions) {
      expect([method, params, await client.ask(method, params)]).toEqual([
        method,
        params,
        await bare.ask(method, params),
      ]);
    }
    for (const [method, key] of [
      ['tools/list', 'tools'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
      ['prompts/list', 'prompts'],
    ] as const) {
      const before = await bare.result(method);
      const after = await client.result(method);
      const count = (before[key] as unknown[]).length;
      expect({ ...after, [key]: (after[key] as unknown[]).slice(0, count) }).toEqual(before);
    }
    expect(client.welcome.instructions).toBe('Own instructions');
  });

  test('a tool answers as in our own server, and its failure is a result with isError (T1, T4, T9)', async () => {
    const server = createOwn(generation);
    const catalog = await openSkills();
    server.registerSkills(catalog);
    const client = await server.connect();
    const uri = 'skill://alpha/SKILL.md';
    const got = await client.result('tools/call', { name: 'get_skill', arguments: { uri } });
    const read = await client.result('resources/read', { uri });
    expect((got.structuredContent as JsonObject).text).toBe((read.contents as JsonObject[])[0]?.text);
    expect(got).toMatchObject({ isError: false });
    const loaded = await client.result('tools/call', { name: 'skill', arguments: { name: 'ALPHA' } });
    const { baseDirectory } = catalog.current.findByName('alpha') ?? {};
    expect((loaded.content as JsonObject[])[0]?.text).toContain(`Base directory: ${baseDirectory}\n`);
    for (const input of [{ uri: 'skill://nobody/SKILL.md' }, {}, { uri: 3 }, { other: true }, undefined]) {
      const refused = await client.result('tools/call', { name: 'get_skill', ...(input && { arguments: input }) });
      expect(refused.isError).toBe(true);
    }
  });

  test('serves the Skills extension and declares it (R2)', async () => {
    const server = createOwn(generation);
    server.registerSkills(await openSkills());
    const client = await server.connect();
    expect(client.welcome.capabilities).toMatchObject({
      extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
      tools: { listChanged: true },
      resources: { listChanged: true },
      prompts: { listChanged: true },
    });
    const listed = await client.result('skills/list');
    expect(idsOf(listed, 'skills', 'uri')).toEqual(['skill://alpha/SKILL.md', 'skill://group/beta/SKILL.md']);
    const got = await client.result('skills/get', { uri: 'skill://alpha/SKILL.md' });
    expect(got.skill).toEqual((listed.skills as unknown[])[0]);
    const folder = await client.result('resources/directory/read', { uri: 'skill://alpha' });
    expect(idsOf(folder, 'resources', 'uri')).toContain('skill://alpha/references');
    for (const result of [listed, got, folder]) {
      const modern = { resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' };
      if (generation.isModern) expect(result).toMatchObject(modern);
      else for (const field of Object.keys(modern)) expect(result).not.toHaveProperty(field);
    }
  });

  test('reads supporting files, text and bytes, and completes their paths (R1)', async () => {
    const server = createOwn(generation);
    server.registerSkills(await openSkills());
    const client = await server.connect();
    const guide = await client.result('resources/read', { uri: 'skill://alpha/references/guide.md' });
    expect(guide.contents).toMatchObject([{ text: '# Guide\n', mimeType: 'text/markdown' }]);
    const image = await client.result('resources/read', { uri: 'skill://alpha/image.bin' });
    expect(image.contents).toMatchObject([{ blob: Buffer.of(0, 255, 128).toString('base64') }]);
    const completed = await client.result('completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: 'gr' },
    });
    expect(completed.completion).toMatchObject({ values: ['group/beta/SKILL.md'] });
    const prompt = await client.result('prompts/get', { name: 'beta', arguments: { request: 'Do it.' } });
    expect(JSON.stringify(prompt.messages)).toContain('Do it.');
  });

  test('wrong parameters are -32602 with a sentence of ours, never a dump of a schema library (R2)', async () => {
    const server = createOwn(generation);
    server.registerSkills(await openSkills());
    const client = await server.connect();
    const questions: [string, JsonObject][] = [
      ['skills/list', { cursor: 7 }],
      ['skills/list', { cursor: 'nonsense' }],
      ['skills/get', {}],
      ['skills/get', { uri: 'skill://nobody/SKILL.md' }],
      ['resources/directory/read', {}],
      ['resources/directory/read', { uri: 'skill://alpha/SKILL.md' }],
      ['resources/read', {}],
      ['resources/read', { uri: 1 }],
      ['resources/read', { uri: 'skill://nobody/SKILL.md' }],
      ['resources/read', { uri: 'skill://alpha/../../etc/passwd' }],
      ['resources/read', { uri: 'skill://[' }],
      ['resources/list', { cursor: 7 }],
      ['resources/list', { cursor: 'skills:nonsense' }],
      ['prompts/get', {}],
      ['prompts/get', { name: 'alpha', arguments: { request: 1 } }],
      ['completion/complete', {}],
    ];
    for (const [method, params] of questions) {
      const { error } = await client.ask(method, params);
      expect([method, params, error?.code]).toEqual([method, params, -32602]);
      expect(error?.message).not.toMatch(/zod|expected|invalid_type|\n/i);
    }
  });

  test('pages through many skills behind the server’s own resources (R1)', async () => {
    const world = createSkillWorld();
    for (let index = 0; index < 501; index += 1) world.skill(`root/s${index}`);
    const server = createOwn(generation);
    server.registerSkills(await openTestCatalog([world.at('root')]));
    const client = await server.connect();
    const first = await client.result('resources/list');
    const second = await client.result('resources/list', { cursor: first.nextCursor });
    const uris = [...idsOf(first, 'resources', 'uri'), ...idsOf(second, 'resources', 'uri')];
    expect(new Set(uris).size).toBe(503);
    expect(uris).toHaveLength(503);
    expect(second.nextCursor).toBeUndefined();
  });

  test('announces changes of the catalog, until it is detached (D6)', async () => {
    const world = await createSkills();
    const catalog = await openTestCatalog([world.at('root')]);
    const server = createOwn(generation);
    const registration = server.registerSkills(catalog);
    const client = await server.connect();
    await client.result('tools/list');
    world.skill('root/gamma');
    await catalog.refresh();
    const lists = ['tools', 'resources', 'prompts'].map((kind) => `notifications/${kind}/list_changed`);
    await expect.poll(() => client.heard).toEqual(expect.arrayContaining(lists));
    expect(idsOf(await client.result('prompts/list'), 'prompts', 'name')).toContain('gamma');
    registration.detach();
    await expect.poll(() => client.heard.filter((each) => each === lists[0]).length).toBeGreaterThan(1);
    const heard = client.heard.length;
    world.skill('root/delta');
    await catalog.refresh();
    await client.result('tools/list');
    expect(client.heard).toHaveLength(heard);
  });

  test('detach() before connecting restores the server exactly, twice does no more, and skills can come back', async () => {
    const catalog = await openSkills();
    for (const server of [createOwn(generation), generation.create()]) {
      const before = stateOf(server);
      const registration = server.registerSkills(catalog);
      expect(stateOf(server)).not.toEqual(before);
      registration.detach();
      registration.detach();
      const after = stateOf(server);
      expect(after).toEqual(before);
      for (const [method, handler] of before.handlers) expect(after.handlers.get(method)).toBe(handler);
      server.registerSkills(catalog);
    }
  });

  test('detach() while connected takes everything of ours away and nothing else (T10)', async () => {
    const bare = await createOwn(generation).connect();
    const server = createOwn(generation);
    const registration = server.registerSkills(await openSkills());
    const client = await server.connect();
    registration.detach();
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'skills/list']) {
      expect(await client.ask(method)).toEqual(await bare.ask(method));
    }
    for (const uri of ['own://one', 'skill://alpha/SKILL.md']) {
      expect(await client.ask('resources/read', { uri })).toEqual(await bare.ask('resources/read', { uri }));
    }
  });

  test('what the owner registers later works, and stays when skills are detached', async () => {
    const server = generation.create();
    const registration = server.registerSkills(await openSkills());
    server.addTool('late');
    server.addPrompt('late-prompt');
    server.addResource('own://late');
    registration.detach();
    const client = await server.connect();
    expect(idsOf(await client.result('tools/list'), 'tools', 'name')).toEqual(['late']);
    expect(idsOf(await client.result('prompts/list'), 'prompts', 'name')).toEqual(['late-prompt']);
    expect(idsOf(await client.result('resources/list'), 'resources', 'uri')).toEqual(['own://late']);
  });
});
