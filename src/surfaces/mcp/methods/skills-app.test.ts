// The viewer inside hosts: said on two tools, read as a resource, in no list, and nowhere when it was not built (T8).
import { RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { expect, test, vi } from 'vitest';
import { createSnapshot } from '../../../catalog/view/snapshot.ts';
import type { JsonObject } from '../../../values/json-object.ts';
import { folderWith, stillRepertoire } from '../fixtures/still-table.ts';
import { contextOf } from '../fixtures/tool-world.ts';
import { createMethodTable } from '../table.ts';
import type { SkillsApp } from './skills-app.ts';

const URI = 'ui://repertoire/skills.html';
const PAGE = '<!doctype html><title>Skills</title>';

function openTable(app?: SkillsApp) {
  const repertoire = stillRepertoire(createSnapshot([folderWith('a')], []));
  const { methods } = createMethodTable({ repertoire, version: '1', ...(app && { app }) });
  const ask = async (method: string, params: JsonObject = {}) => methods.get(method)?.(params, contextOf());
  const metaOf = async () => {
    const reply = await ask('tools/list');
    if (!reply?.ok) throw new Error('tools/list was refused');
    const { tools } = reply.value as unknown as { tools: readonly JsonObject[] };
    return new Map(tools.map((tool) => [tool.name, tool._meta]));
  };
  return { ask, metaOf };
}

const built = (changes: Partial<SkillsApp> = {}): SkillsApp => ({
  hasApp: () => true,
  readApp: () => PAGE,
  ...changes,
});

test('list_skills and get_skill say where they are shown, the others do not (T8)', async () => {
  const ui = { ui: { resourceUri: URI }, 'openai/outputTemplate': URI, 'openai/widgetAccessible': true };
  const meta = await openTable(built()).metaOf();
  expect(meta.get('list_skills')).toEqual({ 'anthropic/alwaysLoad': true, ...ui });
  expect(meta.get('get_skill')).toEqual(ui);
  expect(meta.get('skill')).toEqual({ 'anthropic/alwaysLoad': true });
  for (const name of ['search_skills', 'read_skill_file']) expect(meta.get(name)).toBeUndefined();
});

test('the page is read as an app of the specification that may reach nothing (T8)', async () => {
  const reply = await openTable(built()).ask('resources/read', { uri: URI });
  expect(reply).toEqual({
    ok: true,
    value: {
      contents: [
        {
          uri: URI,
          mimeType: RESOURCE_MIME_TYPE,
          text: PAGE,
          _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
        },
      ],
    },
  });
});

test('it is in no list of resources: agents have no use for it (T8)', async () => {
  const { ask } = openTable(built());
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
    expect(JSON.stringify(await ask(method))).not.toContain('ui:');
  }
});

test('where it was not built the tools say nothing of it, and it cannot be read (T8)', async () => {
  for (const app of [undefined, built({ hasApp: () => false, readApp: () => undefined })]) {
    const { ask, metaOf } = openTable(app);
    const meta = await metaOf();
    expect([meta.get('list_skills'), meta.get('get_skill')]).toEqual([{ 'anthropic/alwaysLoad': true }, undefined]);
    const reply = await ask('resources/read', { uri: URI });
    expect(reply).toMatchObject({ ok: false, failure: { code: -32602, message: `Resource not found: ${URI}` } });
  }
});

test('nothing is looked at or read before it is asked for (T8)', async () => {
  const app = { hasApp: vi.fn(() => true), readApp: vi.fn(() => PAGE) };
  const { ask, metaOf } = openTable(app);
  await ask('resources/list');
  await ask('tools/call', { name: 'list_skills', arguments: {} });
  expect(app.hasApp).not.toHaveBeenCalled();
  await metaOf();
  expect(app.readApp).not.toHaveBeenCalled();
  await ask('resources/read', { uri: 'skill://a/SKILL.md' });
  expect(app.readApp).not.toHaveBeenCalled();
});

test.each([
  `${URI}/`,
  `${URI}?x`,
  'ui://repertoire/skills',
  'UI://repertoire/skills.html',
  'ui://repertoire/../skills.html',
])('%s is another resource, which is not there', async (uri) => {
  const app = { hasApp: () => true, readApp: vi.fn(() => PAGE) };
  expect(await openTable(app).ask('resources/read', { uri })).toMatchObject({ ok: false });
  expect(app.readApp).not.toHaveBeenCalled();
});
