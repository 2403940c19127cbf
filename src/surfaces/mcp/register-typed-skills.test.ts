// Typed skills on an MCP server with an owner: tools beside its own, and who it is that invokes them (T10, X9).
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestCatalog } from '../../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../../catalog/fixtures/skill-world.ts';
import { agentCaller } from '../../identity/caller.ts';
import type { SkillContext } from '../../skills/define/define-skill.ts';
import { openRuntime } from '../../skills/fixtures/open-runtime.ts';
import type { JsonObject } from '../../values/json-object.ts';
import { createOwn, GENERATIONS } from './fixtures/sdk-generations.ts';
import type { RegisterOptions } from './register-options.ts';
import { registerSkills } from './sdk.ts';

async function openSkills() {
  const world = createSkillWorld();
  world.skill('root/alpha');
  return await openTestCatalog([world.at('root')]);
}

const toolsOf = (result: JsonObject) => new Map((result.tools as JsonObject[]).map((tool) => [tool.name, tool]));

const CORRELATION = '0af76519-16cd-43dd-8448-eb211c80319c';
const OUTPUT = '"structuredContent":{"text":"hi"}';

describe.each(GENERATIONS)('registerSkills() with a runtime on $label', (generation) => {
  const connect = async (options: RegisterOptions) => {
    const server = createOwn(generation);
    const registration = server.registerSkills(await openSkills(), options);
    const client = await server.connect();
    const call = (name: string, input: JsonObject, meta: JsonObject = {}) =>
      client.result('tools/call', { name, arguments: input, _meta: meta });
    return { client, call, registration };
  };

  test('offers typed skills as tools beside the others, until it is undone (T10, X9)', async () => {
    const { client, registration } = await connect({ runtime: openRuntime().runtime });
    const tools = toolsOf(await client.result('tools/list'));
    expect([...tools.keys()].slice(-2)).toEqual(['read_skill_file', 'echo']);
    expect(tools.get('echo')).toMatchObject({ inputSchema: { required: ['text'] }, outputSchema: { type: 'object' } });
    registration.detach();
    expect([...toolsOf(await client.result('tools/list')).keys()]).toEqual(['add', 'also_add']);
  });

  test('answers them under the id of the request, tells what is wrong, and finds them (X9, T13)', async () => {
    const { call } = await connect({ runtime: openRuntime().runtime });
    const meta = { 'repertoire/correlation_id': CORRELATION };
    expect(await call('echo', { text: 'hi' }, meta)).toMatchObject({ structuredContent: { text: 'hi' }, _meta: meta });
    const wrong = await call('echo', {});
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^VALIDATION_ERROR: /) }] });
    const found = await call('search_skills', { query: 'echo' });
    expect(found.structuredContent).toMatchObject({ skills: [{ name: 'echo', kind: 'typed' }] });
  });

  test('passes progress on to the client that asked for it alone (X9)', async () => {
    const run = ({ text }: { text: string }, { progress }: SkillContext) => {
      progress(1, 2, 'halfway');
      return { text };
    };
    const { client, call } = await connect({ runtime: openRuntime({ run }).runtime });
    const count = () => client.heard.filter((method) => method === 'notifications/progress').length;
    await call('echo', { text: 'hi' });
    expect(count()).toBe(0);
    await call('echo', { text: 'hi' }, { progressToken: 'p-1' });
    expect(count()).toBe(1);
  });

  test('runs them for the caller that the owner names, else for the operator, who started it (X5)', async () => {
    const { runtime } = openRuntime({ assignedTo: ['TaskAgent'] });
    const answerFor = async (options: RegisterOptions) =>
      JSON.stringify(await (await connect({ runtime, ...options })).call('echo', { text: 'hi' }));
    expect(await answerFor({ caller: agentCaller('AuthAgent') })).toContain('UNAUTHORIZED');
    expect(await answerFor({ caller: agentCaller('TaskAgent') })).toContain(OUTPUT);
    expect(await answerFor({})).toContain(OUTPUT);
  });

  test('lists and finds them for those who may invoke them alone (X10) (M8)', async () => {
    const { runtime } = openRuntime({ assignedTo: ['TaskAgent'] });
    const shownTo = async (options: RegisterOptions) => {
      const { client, call } = await connect({ runtime, ...options });
      const { skills } = Object((await call('search_skills', { query: 'echo' })).structuredContent);
      return [toolsOf(await client.result('tools/list')).has('echo'), skills.length];
    };
    expect(await shownTo({})).toEqual([true, 1]);
    expect(await shownTo({ caller: agentCaller('TaskAgent') })).toEqual([true, 1]);
    expect(await shownTo({ caller: agentCaller('AIAgent') })).toEqual([false, 0]);
  });

  test('refuses a typed skill whose name is taken, by the server or by a tool of ours (T10, X1)', async () => {
    const add = openRuntime({ name: 'add' }).runtime;
    await expect(connect({ runtime: add })).rejects.toThrow(
      /the tool "add" is .* rename the typed skill; or keep .* taken: 'keep'$/,
    );
    const own = openRuntime({ name: 'get_skill' }).runtime;
    await expect(connect({ runtime: own })).rejects.toThrow(
      /^Cannot add skills: the typed skill "get_skill" has the name of a tool over documents; .* toolNames$/,
    );
  });
});

test('over HTTP no caller is the operator: a skill for some agents is refused to a caller that is not named (X5)', async () => {
  const catalog = await openSkills();
  const answerOf = async (changes: object, options: RegisterOptions = {}) => {
    const { runtime, log } = openRuntime(changes);
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'own', version: '1' });
      registerSkills(server, catalog, { runtime, ...options });
      return server;
    });
    onTestFinished(() => handler.close());
    const client = new Client({ name: 'somebody', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const fetch = (url: URL | string, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
    onTestFinished(() => client.close());
    const answer = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
    return { answer: JSON.stringify(answer), log };
  };
  expect((await answerOf({ assignedTo: ['TaskAgent'] })).answer).toContain('UNAUTHORIZED');
  expect((await answerOf({ assignedTo: ['TaskAgent'] }, { caller: agentCaller('TaskAgent') })).answer).toContain(
    OUTPUT,
  );
  const { answer, log } = await answerOf({});
  expect(answer).toContain(OUTPUT);
  expect((await log.list({ limit: 1 })).invocations[0]?.invocation.invokingAgent).toBe('client:somebody');
});
