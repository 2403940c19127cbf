// Operations over the API: where their input comes from, what they answer with, and what is kept (H2, H3).
import { expect, test } from 'vitest';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { agentCaller } from '../../../identity/caller.ts';
import { testSkill } from '../../../skills/fixtures/test-skill.ts';
import { openApiWorld } from '../fixtures/api-world.ts';

const post = (body: unknown) => ({ method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

test('a field has the name that the address gives it, and what is wrong is told under that name', async () => {
  const world = createSkillWorld();
  world.skill('root/invoices');
  const { fetch } = await openApiWorld(world);
  expect((await fetch('/api/search?q=invoices&limit=1')).json.results).toMatchObject([{ name: 'invoices' }]);
  expect((await fetch('/api/search?query=x')).json.failure_message).toBe(
    'Input validation failed: query: is not known here: known are q, limit; q: is required: send a few words that say what the task is',
  );
});

test('fields of a body are read by their shapes, all faults at once', async () => {
  const { fetch } = await openApiWorld(createSkillWorld());
  expect((await fetch('/api/agents', post({ name: 'a', scopes: ['log:read', 'log:read'] }))).status).toBe(201);
  expect((await fetch('/api/agents')).json.agents).toMatchObject([{ name: 'a', roles: ['a'], scopes: ['log:read'] }]);
  const wrong = { name: 'a b', roles: ['x y'], expires_in: '0h', more: 1 };
  const { status, json } = await fetch('/api/agents', post(wrong));
  expect(status).toBe(400);
  for (const field of ['more', 'name', 'roles[0]', 'expires_in']) expect(json.failure_message).toContain(`${field}: `);
});

test('an agent that is added: what its roles open, and which of them no skill names (X10) (M4)', async () => {
  const skills = [
    testSkill({ name: 'for_tasks', assignedTo: ['TaskAgent'] }),
    testSkill({ name: 'for_logins', assignedTo: ['AuthAgent'] }),
    testSkill({ name: 'for_all' }),
  ];
  const { fetch } = await openApiWorld(createSkillWorld(), { skills });
  const add = async (name: string, roles?: readonly string[]) =>
    (await fetch('/api/agents', post({ name, roles }))).json;
  expect(await add('TaskAgent')).toEqual({
    name: 'TaskAgent',
    token: expect.stringMatching(/^rpa_/),
    opens: ['for_tasks', 'for_all'],
    warnings: [],
  });
  expect(await add('b', ['AuthAgnt', 'NopeRole'])).toMatchObject({
    opens: ['for_all'],
    warnings: [
      'No typed skill names the role "AuthAgnt": did you mean "AuthAgent"?',
      'No typed skill names the role "NopeRole": they name TaskAgent, AuthAgent',
    ],
  });
  expect(await add('c', ['*'])).toMatchObject({ opens: ['for_tasks', 'for_logins', 'for_all'], warnings: [] });
});

test.each([
  ['[]', 'the body must be a JSON object'],
  ['null', 'name: is required: send a name of 1 to 64 letters, digits, _ - or .'],
  ['', 'name: is required: send a name of 1 to 64 letters, digits, _ - or .'],
  ['{', 'the body is not valid JSON'],
])('the body %j is refused: %s', async (body, said) => {
  const { fetch } = await openApiWorld(createSkillWorld());
  expect(await fetch('/api/agents', post(body))).toMatchObject({
    status: 400,
    json: { failure_message: `Input validation failed: ${said}` },
  });
});

test('what is kept is sent again to callers who may see the same, until something changes', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const { fetch, catalog } = await openApiWorld(world);
  const first = await fetch('/api/documents');
  expect(first.json.documents[0].source).toBe(world.at('root'));
  // The same address, asked by a caller who sees no paths.
  expect((await fetch('/api/documents', { caller: agentCaller('x') })).json.documents[0].source).toBe('root');
  expect((await fetch('/api/documents')).bytes).toEqual(first.bytes);
  world.skill('root/b');
  await catalog.refresh();
  expect((await fetch('/api/documents')).json.documents).toHaveLength(2);
});
