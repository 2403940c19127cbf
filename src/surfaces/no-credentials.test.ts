// What looks like a credential in a request is in no answer, on any surface (T9).
import { describe, expect, test } from 'vitest';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../catalog/fixtures/skill-world.ts';
import { createRepertoire } from '../repertoire/repertoire.ts';
import { exitSaying, type Output } from './cli/terminal/output.ts';
import { openApiWorld } from './http/fixtures/api-world.ts';
import { contextOf } from './mcp/fixtures/tool-world.ts';
import { createMethodTable } from './mcp/table.ts';
import { methodNotFound } from './mcp/wire/json-rpc.ts';
import { createFunctionTools } from './openai/function-tools.ts';

// Put together here, so that no scanner takes this file for a leak.
const hidden = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
const texts = [
  `ghp_${hidden}`,
  `rpa_${hidden}`,
  `skill://git/SKILL.md?token=ghp_${hidden}`,
  `skill://git/SKILL.md?password=${hidden}`,
  `skill://git/SKILL.md#rpo_${hidden}`,
  `https://user:${hidden}@h/x`,
  `https://user:ghp_${hidden}@h/x`,
  // As an address writes it, with a character that nobody sees in it, beside one, and where a long text is cut.
  `ghp%5F${hidden}`,
  `ghp%5f${hidden}`,
  `x?token%3D${hidden}`,
  `ghp_${hidden.slice(0, 10)}\u200b${hidden.slice(10)}`,
  `x\u200bghp_${hidden}`,
  `${'x'.repeat(90)} ghp_${hidden}`,
  `${'x'.repeat(990)} ghp_${hidden}`,
];

/** Neither as it is, nor as it was sent, nor the beginning of it. */
const hidesIt = (answer: unknown) =>
  !String(answer)
    .replace(/\u200b|\\u200b|\uFFFD|\?/g, '')
    .includes(hidden.slice(0, 5));

async function openRepertoire() {
  const world = createSkillWorld();
  world.skill('root/git');
  return createRepertoire(await openTestCatalog([world.at('root')]));
}

describe.each(texts)('%s', (text) => {
  test.each<[string, object]>([
    ['tools/call', { name: 'skill', arguments: { name: text } }],
    ['tools/call', { name: 'skill', arguments: { name: 'git', [text]: 1 } }],
    ['tools/call', { name: 'get_skill', arguments: { uri: text } }],
    ['tools/call', { name: 'get_skill', arguments: { skill_name: text } }],
    ['tools/call', { name: 'get_skill', arguments: { [text]: 1 } }],
    ['tools/call', { name: 'read_skill_file', arguments: { uri: text } }],
    ['tools/call', { name: 'read_skill_file', arguments: { skill: text, path: 'a' } }],
    ['tools/call', { name: 'read_skill_file', arguments: { skill: 'git', path: text } }],
    ['tools/call', { name: 'read_skill_file', arguments: { [text]: 1 } }],
    ['tools/call', { name: 'list_skills', arguments: { cursor: text, [text]: 1 } }],
    ['tools/call', { name: 'list_skills', arguments: { cursor: text } }],
    ['tools/call', { name: 'search_skills', arguments: { query: text } }],
    ['tools/call', { name: text }],
    ['resources/read', { uri: text }],
    ['resources/directory/read', { uri: text }],
    ['skills/get', { uri: text }],
    ['skills/list', { cursor: text }],
    ['prompts/get', { name: text }],
  ])('is not in the answer of %s %j (T9)', async (method, params) => {
    const table = createMethodTable({ repertoire: await openRepertoire(), version: '1.2.3' });
    const answer = await table.methods.get(method)?.({ ...params }, contextOf());
    expect(answer).toBeDefined();
    expect(JSON.stringify(answer)).toSatisfy(hidesIt);
  });

  test('is not in the answer to a method of that name (T9, M10)', () => {
    expect(JSON.stringify(methodNotFound(text))).toSatisfy(hidesIt);
  });

  test('is not in an answer of the API (T9, M10)', async () => {
    const world = createSkillWorld();
    world.skill('root/git');
    const { fetch } = await openApiWorld(world);
    const part = encodeURIComponent(text);
    const targets = [
      `/${part}`,
      `/api/${part}`,
      `/api/documents/${part}`,
      `/api/documents/git/files/${part}`,
      `/api/documents?${part}=1`,
      `/api/documents?cursor=${part}`,
      `/api/documents?limit=${part}`,
      `/api/search?query=${part}&${part}=1&${part}=2`,
      `/api/typed-skills/${part}`,
      `/api/invocations/${part}`,
      `/api/agents/${part}`,
    ];
    for (const target of targets) {
      const { text: answer } = await fetch(target);
      expect(answer).toSatisfy(hidesIt);
    }
    const body = JSON.stringify({ [text]: 1 });
    const headers = { 'content-type': 'application/json' };
    const invoked = await fetch(`/api/typed-skills/${part}/invoke`, { method: 'POST', headers, body });
    expect(invoked.text).toSatisfy(hidesIt);
    const added = await fetch('/api/agents', { method: 'POST', headers, body });
    expect(added.text).toSatisfy(hidesIt);
  });

  test('is not in the sentence that a command gives up with (T9)', () => {
    const lines: string[] = [];
    const errors = { write: (line: string) => void lines.push(line) } as Partial<Output> as Output;
    expect(exitSaying({ errors }, `Unknown host "${text}": use all`, 2)).toBe(2);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toSatisfy(hidesIt);
  });

  test('is not in the content of a function call (T9)', async () => {
    const { dispatch } = createFunctionTools(await openRepertoire());
    const call = (name: string, input: object) =>
      dispatch({ id: 'a', type: 'function', function: { name, arguments: JSON.stringify(input) } });
    const answers = [
      await call(text, {}),
      await call('get_skill', { skill_name: text }),
      await call('get_skill', { [text]: 1 }),
      await call('list_skills', { [text]: 1 }),
    ];
    for (const { content } of answers) expect(content).toSatisfy(hidesIt);
  });
});
