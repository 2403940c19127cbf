// Function tools over the API: definitions, and one call answered (H2, T11).
import { expect, test } from 'vitest';
import { createSkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { agentCaller } from '../../../identity/caller.ts';
import { testSkill } from '../../../skills/fixtures/test-skill.ts';
import { type AskOptions, openApiWorld } from '../fixtures/api-world.ts';

const asking = (name: string, input: unknown, rest: AskOptions = {}): AskOptions => ({
  method: 'POST',
  body: JSON.stringify({ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }),
  ...rest,
});

async function openTools() {
  const world = createSkillWorld();
  world.skill('root/pdf');
  return await openApiWorld(world, { skills: [testSkill({ assignedTo: ['TaskAgent'] })] });
}

test('the tools are those over documents and every typed skill (T11)', async () => {
  const { json } = await (await openTools()).fetch('/api/openai/tools');
  expect(json.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
    'list_skills',
    'get_skill',
    'echo',
  ]);
});

test('a call is answered with the message for the model, and a document that is read is a load (T11, D9)', async () => {
  const { fetch, loads } = await openTools();
  const caller = agentCaller('Reader');
  const { status, json } = await fetch('/api/openai/dispatch', asking('get_skill', { skill_name: 'pdf' }, { caller }));
  expect(status).toBe(200);
  expect(json).toEqual({ role: 'tool', tool_call_id: 'call_1', name: 'get_skill', content: expect.any(String) });
  expect(JSON.parse(json.content)).toEqual({ skill_name: 'pdf', documentation: skillText('pdf') });
  expect(loads).toMatchObject([{ skillName: 'pdf', client: 'Reader', surface: 'get_skill' }]);
});

test('typed skills run with the authority of the caller, under the id of the request (T11, H5)', async () => {
  const { fetch } = await openTools();
  const id = '0198f0aa-1111-4222-8333-444455556666';
  const headers = { 'X-Correlation-Id': id };
  const contentFor = async (agent: string) => {
    const ask = asking('echo', { text: 'hi' }, { caller: agentCaller(agent), headers });
    return JSON.parse((await fetch('/api/openai/dispatch', ask)).json.content);
  };
  expect(await contentFor('TaskAgent')).toEqual({ text: 'hi' });
  expect(await contentFor('AuthAgent')).toEqual({ error: expect.stringMatching(/^UNAUTHORIZED: Access denied/) });
  expect((await fetch(`/api/invocations?correlation_id=${id}`)).json.invocations).toHaveLength(2);
});

test.each([
  ['no JSON', '{', 400],
  ['no call', '[]', 200],
  ['nothing', '', 200],
  ['null', 'null', 200],
])('what is no call is told to whoever sent it: %s', async (_what, body, status) => {
  const { fetch } = await openTools();
  const answer = await fetch('/api/openai/dispatch', { method: 'POST', body });
  expect(answer.status).toBe(status);
  if (status === 200)
    expect(JSON.parse(answer.json.content)).toEqual({ error: expect.stringContaining('Cannot answer') });
  else expect(answer.json.failure_message).toContain('not valid JSON');
});
