// The example as a reader runs it, and the loop against a stand-in that is as strict as a provider.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createRepertoire, openCatalog } from '../../src/index.ts';
import { createFunctionTools, type FunctionTools } from '../../src/surfaces/openai/function-tools.ts';
import { openFakeModel } from './fake-model.ts';
import { runToolLoop } from './tool-loop.ts';

const QUESTION = 'Write a changelog entry, and review the schema migrations';

async function openLoop(change: (tools: FunctionTools) => FunctionTools = (tools) => tools) {
  const skills = fileURLToPath(new URL('../skills', import.meta.url));
  const catalog = await openCatalog({ roots: [skills], watch: false });
  onTestFinished(() => catalog.close());
  const model = await openFakeModel();
  onTestFinished(() => model.close());
  const tools = change(createFunctionTools(createRepertoire(catalog)));
  const provider = { baseUrl: model.baseUrl, apiKey: 'none', model: 'stand-in' };
  return (question: string) => runToolLoop(provider, tools, question);
}

test('the example runs, and ends with an answer from two skills (T11)', async () => {
  const loop = fileURLToPath(new URL('loop.ts', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', loop]);
  expect(stderr).toBe('');
  expect(stdout).toContain('calls list_skills({"cursor":null,"limit":null})');
  expect(stdout).toMatch(/I have read:\n- release-notes: "Release notes", \d+ characters\n- sql-review: "SQL review"/);
});

test('the model lists the skills, reads two in parallel, and answers (T11)', async () => {
  const run = await openLoop();
  const messages = await run(QUESTION);
  const roles = ['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'tool', 'assistant'];
  expect(messages.map((message) => message.role)).toEqual(roles);
  expect(messages[4]).toMatchObject({ tool_calls: [{ id: 'call_get_skill_1' }, { id: 'call_get_skill_2' }] });
  expect(messages.slice(5, 7)).toMatchObject([
    { tool_call_id: 'call_get_skill_1', name: 'get_skill', content: expect.stringContaining('"documentation":') },
    { tool_call_id: 'call_get_skill_2', name: 'get_skill', content: expect.stringContaining('"documentation":') },
  ]);
});

test('a question that no skill fits is answered after the list', async () => {
  const run = await openLoop();
  expect((await run('xyzzy?')).at(-1)).toEqual({ role: 'assistant', content: 'No skill fits this task.' });
});

test('an error of a skill reaches the model, and the loop goes on (T11)', async () => {
  const run = await openLoop((tools) => {
    const misspelled = (text: string) => text.replace('sql-review', 'sequel-review');
    return {
      ...tools,
      dispatchAll: (calls) => tools.dispatchAll(calls && JSON.parse(misspelled(JSON.stringify(calls)))),
    };
  });
  expect((await run(QUESTION)).at(-1)?.content).toContain("- Skill 'sequel-review' not found in skills folder");
});

test('the stand-in refuses a call without its answer, as providers do', async () => {
  const run = await openLoop((tools) => ({
    ...tools,
    dispatchAll: async (calls) => (await tools.dispatchAll(calls)).map((each) => ({ ...each, tool_call_id: 'other' })),
  }));
  await expect(run(QUESTION)).rejects.toThrow(/400.*must be followed by the result of call_list_skills_1/);
});

test('the stand-in calls only functions that the request offers', async () => {
  const run = await openLoop((tools) => ({ ...tools, definitions: [] }));
  await expect(run(QUESTION)).rejects.toThrow(/400.*offers no function list_skills/);
});
