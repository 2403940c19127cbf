// The contract of get_skill and list_skills on the support server: discovery, success, refusal, metadata.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { MemoryClient } from '../../../../src/surfaces/mcp/fixtures/memory-client.ts';
import type { JsonObject } from '../../../../src/values/json-object.ts';
import { APP_URI, SKILL_URI, SKILLS_FOLDER } from '../../support-surface.ts';
import { GENERATIONS } from '../open-support.ts';

const getSkill = (client: MemoryClient, input: JsonObject) =>
  client.result('tools/call', { name: 'get_skill', arguments: input });

const textOf = (result: JsonObject): string => String((result.content as JsonObject[])[0]?.text);

describe.each(GENERATIONS)('the support server on $label', ({ open }) => {
  test('get_skill and list_skills are offered with hints and UI metadata (T8)', async () => {
    const { tools } = await (await open(true)).result('tools/list');
    for (const name of ['list_skills', 'get_skill']) {
      expect((tools as JsonObject[]).find((tool) => tool.name === name)).toMatchObject({
        annotations: { readOnlyHint: true, openWorldHint: false, destructiveHint: false },
        _meta: { ui: { resourceUri: APP_URI }, 'openai/outputTemplate': APP_URI, 'openai/widgetAccessible': true },
      });
    }
  });

  test('no input schema combines schemas at its top, and no field asks for a credential (T3, T9)', async () => {
    const { tools } = await (await open(true)).result('tools/list');
    for (const tool of tools as JsonObject[]) {
      const { properties = {}, ...schema } = tool.inputSchema as JsonObject;
      for (const key of ['oneOf', 'anyOf', 'allOf']) expect(schema).not.toHaveProperty(key);
      expect(Object.keys(properties as JsonObject).join(' ')).not.toMatch(/token|secret|password|credential|pat\b/i);
    }
  });

  test('get_skill answers with text, URI, media type and the Markdown of the file (T4)', async () => {
    const text = readFileSync(`${SKILLS_FOLDER}/engage-red-hat-support/SKILL.md`, 'utf8');
    const result = await getSkill(await open(true), { uri: SKILL_URI });
    expect(result.isError).toBe(false);
    expect(result.structuredContent).toEqual({ uri: SKILL_URI, mimeType: 'text/markdown', text });
    expect(result.content).toEqual([{ type: 'text', text: `${SKILL_URI}\n\n${text}` }]);
  });

  test('the server starts with list_skills and the resource, and without get_skill (T10)', async () => {
    const client = await open(false);
    const { tools } = await client.result('tools/list');
    expect((tools as JsonObject[]).map(({ name }) => name)).toContain('list_skills');
    expect((tools as JsonObject[]).map(({ name }) => name)).not.toContain('get_skill');
    const { contents } = await client.result('resources/read', { uri: SKILL_URI });
    expect(contents).toMatchObject([{ uri: SKILL_URI, mimeType: 'text/markdown' }]);
  });

  test('get_skill equals resources/read byte for byte (T4)', async () => {
    const client = await open(true);
    const got = (await getSkill(client, { uri: SKILL_URI })).structuredContent;
    const { contents } = await client.result('resources/read', { uri: SKILL_URI });
    expect(contents).toEqual([got]);
  });

  test.each([
    ['', 'skill://<folder>/SKILL.md'],
    ['https://example.com/SKILL.md', 'skill://<folder>/SKILL.md'],
    ['skill://unknown/SKILL.md', 'list_skills'],
    ['skill://../../etc/passwd', 'list_skills'],
    ['skill://engage-red-hat-support/references/sosreport.md', 'read_skill_file'],
  ])('get_skill refuses "%s" and says what to do (T4, T5)', async (uri, hint) => {
    const result = await getSkill(await open(true), { uri });
    expect(result).toMatchObject({ isError: true });
    expect(result).not.toHaveProperty('structuredContent');
    expect(textOf(result)).toContain(hint);
  });

  test('an error holds no path, no stack and nothing of the environment (T9)', async () => {
    const client = await open(true);
    const answers = [
      await getSkill(client, { uri: 'skill://unknown/SKILL.md' }),
      await getSkill(client, { uri: SKILL_URI, skill_name: 'x' }),
      await getSkill(client, { token: 'sk-test-123', uri: SKILL_URI }),
      await client.ask('resources/read', { uri: 'skill://unknown/SKILL.md' }),
      await client.ask('skills/get', { uri: 'skill://unknown/SKILL.md' }),
      await client.ask('skills/get', {}),
    ];
    for (const answer of answers) {
      const text = JSON.stringify(answer);
      expect(text).not.toContain(SKILLS_FOLDER);
      expect(text).not.toContain('sk-test-123');
      expect(text).not.toMatch(/ at .*:\d+|node_modules|\.ts\b|ENOENT/);
    }
  });

  test('a skill that cannot be read is served from its fallback (T10)', async () => {
    const client = await open(true, `${SKILLS_FOLDER}/nowhere`);
    const { contents } = await client.result('resources/read', { uri: SKILL_URI });
    const text = String((contents as JsonObject[])[0]?.text);
    expect(text).toContain('Short version');
    expect((await getSkill(client, { uri: SKILL_URI })).structuredContent).toMatchObject({ text });
    const byName = await getSkill(client, { skill_name: 'engage-red-hat-support' });
    expect(byName.structuredContent).toMatchObject({ documentation: text });
    const listed = await client.result('tools/call', { name: 'list_skills', arguments: {} });
    expect(listed.structuredContent).toMatchObject({ skills: [{ uri: SKILL_URI, availability: 'fallback' }] });
  });
});
