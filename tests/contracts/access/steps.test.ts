// Skills that run skills give their caller no right that the caller does not have.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessWorld, expectRefusedResult, type Fields, type User } from './access-world.ts';

const world = new AccessWorld();
const tokens = { orchestrator: '', executor: '', several: '' };
let bob: User;
let bobsTask = '';

beforeAll(async () => {
  await world.start();
  const both = ['--role', 'OrchestratorAgent', '--role', 'TaskAgent'];
  [tokens.orchestrator, tokens.executor, tokens.several] = await Promise.all([
    world.addAgent('OrchestratorAgent'),
    world.addAgent('TaskExecutorAgent'),
    world.addAgent('several', ...both),
  ]);
  bob = await world.addUser('bob');
  bobsTask = await world.addTask(bob, 'Belongs to Bob');
});

afterAll(() => world.end());

/** Everything that there is of Bob, as the operator sees it. */
const bobsRows = () => world.give('task_retrieval', { user_id: bob.id });

const deletion = () => ({ id: 'drop', skill: 'task_deletion', input: { user_id: bob.id, task_id: bobsTask } });
const workflows: Record<string, () => Fields> = {
  'a step': () => ({ steps: [deletion()] }),
  'a parallel step': () => ({ steps: [{ parallel: [deletion()] }] }),
  'a workflow in a workflow': () => ({
    steps: [{ id: 'inner', skill: 'workflow_coordination', input: { steps: [deletion()] } }],
  }),
};

test.each(Object.entries(workflows))('%s cannot delete for an agent that may not (X5)', async (name, input) => {
  const correlationId = randomUUID();
  const before = await bobsRows();
  const headers = { 'x-correlation-id': correlationId };
  const answer = await world.invoke(tokens.orchestrator, 'workflow_coordination', input(), headers);
  expectRefusedResult(answer, 403, 'UNAUTHORIZED');
  const reply = await world.callTool(tokens.orchestrator, 'workflow_coordination', input());
  expect(JSON.stringify(reply)).toMatch(/UNAUTHORIZED/);
  expect(await bobsRows()).toEqual(before);
  const rows = ['task_deletion by OrchestratorAgent: failed', 'workflow_coordination by OrchestratorAgent: failed'];
  const nested = name.includes('in a workflow') ? [rows[1]] : [];
  expect(await world.logged(correlationId)).toEqual([...rows, ...nested].sort());
});

test('an agent that has both roles may, and the log names the agent (X5, X6)', async () => {
  const task_id = await world.addTask(bob, 'To be deleted');
  const correlationId = randomUUID();
  const input = { steps: [{ id: 'drop', skill: 'task_deletion', input: { user_id: bob.id, task_id } }] };
  const headers = { 'x-correlation-id': correlationId, 'x-invoking-agent': 'local' };
  const answer = await world.invoke(tokens.several, 'workflow_coordination', input, headers);
  expect([answer.status, answer.json.correlation_id]).toEqual([200, correlationId]);
  const rows = ['task_deletion by several: completed', 'workflow_coordination by several: completed'];
  expect(await world.logged(correlationId)).toEqual(rows);
});

test('task_execution runs nothing that its caller may not run (X5, B4)', async () => {
  const before = (await bobsRows()).total_count;
  for (const skill_name of ['task_deletion', 'account_deletion', 'token_generation', 'user_creation']) {
    const correlationId = randomUUID();
    const input = { user_id: bob.id, task_id: bobsTask };
    const headers = { 'x-correlation-id': correlationId };
    const body = { ...input, skill_name, input };
    const answer = await world.invoke(tokens.executor, 'task_execution', body, headers);
    expectRefusedResult(answer, 403, 'UNAUTHORIZED');
    expect(await world.logged(correlationId)).toEqual(
      [`${skill_name} by TaskExecutorAgent: failed`, 'task_execution by TaskExecutorAgent: failed'].sort(),
    );
  }
  const after = await bobsRows();
  expect([after.total_count, (after.tasks as readonly Fields[])[0]?.status]).toEqual([before, 'pending']);
});
