// The built-in skills in a program of one's own, over the store that it opened.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSkill } from '../tests/support/write-skill.ts';
import { ALL_BUILTIN_NAMES } from './builtin/builtin-names.ts';
import { type BuiltinOptions, createBuiltinSkills } from './builtin.ts';
import { openCatalog } from './index.ts';
import type { AnySkill } from './skills/define/define-skill.ts';
import { testSkill } from './skills/fixtures/test-skill.ts';
import { createRuntime } from './skills.ts';
import { openStore, type Store } from './store.ts';

let folder = '';
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-builtin-'));
  store = await openStore({ data: join(folder, 'data') });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (skills: readonly AnySkill[] = [], options: Partial<BuiltinOptions> = {}) =>
  createRuntime({ skills, builtin: createBuiltinSkills({ store, ...options }), invocationLog: store.invocations });

test('createBuiltinSkills() runs beside skills of the program, and all is in the log (C, B4, M3)', async () => {
  const runtime = open([testSkill()]);
  expect(runtime.skills.map(({ name }) => name)).toEqual(['echo', ...ALL_BUILTIN_NAMES]);
  expect(runtime.problems).toEqual([]);
  const account = { email: 'ada@example.com', password: 'correct horse battery' };
  const user = await runtime.invoke({ name: 'user_creation', input: account });
  const user_id = user.success ? user.outputPayload.user_id : undefined;
  const steps = [
    { id: 'said', skill: 'echo', input: { text: 'Buy paper' } },
    { id: 'made', skill: 'task_creation', input: { user_id, title: `\${steps.said.output.text}` } },
  ];
  const answer = await runtime.invoke({ name: 'workflow_coordination', input: { steps } });
  expect(answer).toMatchObject({ success: true });
  const tasks = await runtime.invoke({ name: 'task_retrieval', input: { user_id } });
  expect(tasks).toMatchObject({ outputPayload: { tasks: [{ title: 'Buy paper' }] } });
  const { invocations } = await store.invocations.list({ limit: 50 });
  expect(invocations).toHaveLength(5);
  expect(JSON.stringify(invocations)).not.toContain('battery');
  await runtime.close();
});

test('request_routing finds the skills of the program, and documents of its catalog (C, B4)', async () => {
  writeSkill(join(folder, 'skills'), 'sql-review');
  const catalog = await openCatalog({ roots: [join(folder, 'skills')], watch: false });
  const route = async (request: string, options: Partial<BuiltinOptions>) => {
    const runtime = open([testSkill()], options);
    const answer = await runtime.invoke({ name: 'request_routing', input: { request } });
    await runtime.close();
    return answer;
  };
  const best = (name: string, kind: string) => ({ outputPayload: { matches: [{ name, kind }] } });
  expect(await route('echo what it was told', { names: ['request_routing'] })).toMatchObject(best('echo', 'typed'));
  expect(await route('sql review', { catalog, names: ['request_routing'] })).toMatchObject(
    best('sql-review', 'document'),
  );
  catalog.close();
});

test('goal_decomposition plans by the steps of the documents in its catalog (C, B4)', async () => {
  const path = join(folder, 'skills/release-notes');
  mkdirSync(path, { recursive: true });
  const steps = '1. Find the range of commits\n2. Sort every change\n3. Write each entry\n';
  const head = '---\nname: release-notes\ndescription: Writes release notes.\n---\n';
  writeFileSync(join(path, 'SKILL.md'), `${head}\n## Steps\n\n${steps}`);
  const catalog = await openCatalog({ roots: [join(folder, 'skills')], watch: false });
  const runtime = open([], { catalog });
  const account = { email: 'ada@example.com', password: 'correct horse' };
  const user = await runtime.invoke({ name: 'user_creation', input: account });
  const user_id = user.success ? user.outputPayload.user_id : undefined;
  const input = { user_id, goal: 'Write the release notes' };
  const answer = await runtime.invoke({ name: 'goal_decomposition', input });
  expect(JSON.stringify(answer)).toContain('Sort every change');
  await runtime.close();
  catalog.close();
});

test('a skill of the program takes the place of a built-in one only if it says so (C, X1)', async () => {
  const own = { name: 'task_creation', description: 'Ours.' };
  const refused = open([testSkill(own)]);
  expect(refused.problems.map(({ message }) => message)).toEqual([
    'Cannot register skill "task_creation": name is that of a built-in skill',
  ]);
  expect(refused.find('task_creation')?.description).not.toBe('Ours.');
  expect(open([testSkill({ ...own, replaces: true })]).find('task_creation')?.description).toBe('Ours.');
});

test('tokens are signed with the secret that is given, else with one of the store (B2, C)', async () => {
  const tokenOf = async (secret?: string) => {
    const runtime = open([], secret === undefined ? {} : { secret });
    const email = `${Math.random()}@example.com`;
    const user = await runtime.invoke({ name: 'user_creation', input: { email, password: 'correct horse' } });
    const user_id = user.success ? user.outputPayload.user_id : undefined;
    const issued = await runtime.invoke({ name: 'token_generation', input: { user_id, email } });
    return issued.success ? String(issued.outputPayload.access_token) : '';
  };
  const validate = async (token: string, secret?: string) => {
    const runtime = open([], secret === undefined ? {} : { secret });
    const answer = await runtime.invoke({ name: 'token_validation', input: { token } });
    return answer.success && answer.outputPayload.valid;
  };
  const secret = 's'.repeat(32);
  const [kept, given] = [await tokenOf(), await tokenOf(secret)];
  expect([
    await validate(kept),
    await validate(given, secret),
    await validate(given),
    await validate(kept, secret),
  ]).toEqual([true, true, false, false]);
});

test.each<[string, object, string]>([
  ['a store of another kind', { store: {} }, 'the field "store" is none that openStore() opened.'],
  ['no store', { store: undefined }, 'the field "store" is none that openStore() opened.'],
  [
    'a mistyped name',
    { names: ['task_creatoin'] },
    'unknown built-in skill "task_creatoin": did you mean "task_creation"?',
  ],
  ['a weak secret', { secret: 'short' }, 'the field "secret" has fewer than 32 bytes.'],
  ['half an endpoint', { ai: { baseUrl: 'http://127.0.0.1:1/v1' } }, 'the field "ai" has no baseUrl or no model.'],
  [
    'an unknown field',
    { builtin: 'all' },
    'the field "builtin" is unknown. Use store, names, catalog, secret, ai, ownership.',
  ],
])('refuses %s in a sentence (C)', (_what, options, said) => {
  const create = () => createBuiltinSkills({ store, ...options } as BuiltinOptions);
  expect(create).toThrow(`Cannot create the built-in skills: ${said}`);
});
