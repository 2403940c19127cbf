// Skills that a host reads from its own folders are not shown to it a second time, and stay retrievable (D10).
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Era, eras } from '../support/era-client.ts';
import { modernMeta } from '../support/modern-meta.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
  writeSkill(world.skills, 'shared');
  writeSkill(join(world.project, '.claude/skills'), 'of-project');
  writeSkill(join(world.home, '.claude/skills'), 'of-user');
});
afterEach(() => world.close());

type Fields = Record<string, unknown>;

interface HostClient {
  get(method: string, params?: Fields): Promise<Fields>;
  /** What the host sees unasked: instructions, the description of the tool `skill`, names of prompts. */
  seen(): Promise<readonly string[]>;
}

/** Says hello by that name: in the handshake, or with every request. */
async function connectAs(name: string, era: Era, args: readonly string[] = []): Promise<HostClient> {
  const raw = await world.serve({ args, greet: false });
  const clientInfo = { name, version: '1.0.0' };
  const meta = modernMeta({ 'io.modelcontextprotocol/clientInfo': clientInfo });
  const get = async (method: string, params: Fields = {}): Promise<Fields> => {
    const { result, error } = await raw.request(method, era === 'modern' ? { ...params, _meta: meta } : params);
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const hello =
    era === 'modern'
      ? await get('server/discover')
      : await get('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const seen = async () => {
    const { tools } = (await get('tools/list')) as { tools: readonly Fields[] };
    const { prompts } = (await get('prompts/list')) as { prompts: readonly Fields[] };
    const description = tools.find((tool) => tool.name === 'skill')?.description;
    return [String(hello.instructions), String(description), prompts.map((prompt) => `- ${prompt.name}`).join('\n')];
  };
  return { get, seen };
}

const namedIn = (text: string): readonly string[] =>
  [...text.matchAll(/^- (\S+)/gm)].map(([, name = '']) => name).sort();

test.each(eras)('in the %s era Claude Code sees what it does not read itself, others see all (D10)', async (era) => {
  const host = await connectAs('claude-code', era);
  for (const text of await host.seen()) expect(namedIn(text)).toEqual(['shared']);
  const other = await connectAs('another-host', era);
  for (const text of await other.seen()) expect(namedIn(text)).toEqual(['of-project', 'of-user', 'shared']);
});

test.each(eras)('in the %s era a skill that is not shown can be had in every way (D10)', async (era) => {
  const { get } = await connectAs('claude-code', era);
  const uri = 'skill://of-project/SKILL.md';
  const call = async (name: string, input: Fields) =>
    JSON.stringify(await get('tools/call', { name, arguments: input }));
  expect(await call('skill', { name: 'of-project' })).toContain('Loading: of-project');
  expect(await call('get_skill', { uri })).toContain('Does of-project things.');
  expect(await call('list_skills', {})).toContain(uri);
  expect(JSON.stringify(await get('resources/list'))).toContain(uri);
  expect(JSON.stringify(await get('resources/read', { uri }))).toContain('Does of-project things.');
  expect(JSON.stringify(await get('skills/list'))).toContain(uri);
  expect(JSON.stringify(await get('prompts/get', { name: 'of-project' }))).toContain('Does of-project things.');
});

test.each(eras)('in the %s era --show-native shows them, too (D10)', async (era) => {
  const host = await connectAs('claude-code', era, ['--show-native']);
  for (const text of await host.seen()) expect(namedIn(text)).toEqual(['of-project', 'of-user', 'shared']);
});

test('a skill that is only linked into the folder of the host is not shown to it either (D10)', async () => {
  symlinkSync('../../.agents/skills/shared', join(world.project, '.claude/skills/shared'));
  const host = await connectAs('claude-code', 'legacy');
  const [instructions = '', description = '', prompts] = await host.seen();
  expect(prompts).toBe('');
  for (const text of [instructions, description]) {
    expect(namedIn(text)).toEqual([]);
    expect(text).toContain("3 skills of this host's own folders");
  }
});
