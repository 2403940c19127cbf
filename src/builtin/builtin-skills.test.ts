// The built-in skills as a whole: registered without a fault, as the table of the contracts says, with a store that is away.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { agentCaller, mayInvoke } from '../identity/caller.ts';
import { definitionJson } from '../skills/define/registered-skill.ts';
import { StoreUnavailable } from '../skills/record/invocation-log.ts';
import { createRuntime } from '../skills/run/runtime.ts';
import { ACCOUNT_NAMES, type AccountName, ALL_BUILTIN_NAMES } from './builtin-names.ts';
import { type BuiltinPorts, createBuiltinSkills } from './builtin-skills.ts';

const away = async (): Promise<never> => {
  throw new StoreUnavailable('Cannot reach the database: it is away');
};
const PORTS: BuiltinPorts = {
  tasks: { create: away, find: away, list: away, update: away, delete: away },
  users: { create: away, find: away, findPassword: away, delete: away },
  tokens: { issue: away, verify: async () => ({ ok: false, failure: 'unavailable' }) },
  now: () => new Date(0),
  monotonicMs: () => 0,
};

const open = () => createRuntime({ skills: createBuiltinSkills(PORTS) });

const ID = '550e8400-e29b-41d4-a716-446655440000';
const CASES = {
  task_creation: ['task_management', 'TaskAgent', 'user_id', { title: 'x', user_id: ID }],
  task_retrieval: ['task_management', 'TaskAgent', 'user_id', { user_id: ID }],
  task_update: ['task_management', 'TaskAgent', 'user_id', { task_id: ID, user_id: ID, title: 'x' }],
  task_deletion: ['task_management', 'TaskAgent', 'user_id', { task_id: ID, user_id: ID }],
  token_generation: ['authentication', 'AuthAgent', undefined, { user_id: ID, email: 'a@b.c' }],
  token_validation: ['authentication', 'AuthAgent', undefined, { token: 'x' }],
  user_creation: ['user_management', 'UserAgent', undefined, { email: 'a@b.c', password: 'correct horse' }],
  ownership_validation: [
    'user_management',
    'TaskAgent, UserAgent',
    'user_id',
    { user_id: ID, resource_type: 'task', resource_id: ID },
  ],
  credential_validation: ['authentication', 'AuthAgent', undefined, { email: 'a@b.c', password: 'x' }],
  account_deletion: ['user_management', 'UserAgent', undefined, { user_id: ID }],
} as const satisfies Record<AccountName, readonly unknown[]>;

test('all register, under their names', () => {
  const { skills, problems } = open();
  expect(problems).toEqual([]);
  expect(skills.map(({ name }) => name)).toEqual([...ACCOUNT_NAMES]);
});

describe.each(Object.entries(CASES))('%s', (name, [category, agents, userField, input]) => {
  test('belongs to its category and agents, and is open to users as the contracts say (H5)', () => {
    const skill = open().find(name);
    expect(skill?.category).toBe(category);
    expect(skill?.access).toEqual({ assignedTo: agents.split(', '), userField });
  });

  test('publishes closed objects without a choice at the top (T3)', () => {
    const skill = open().find(name);
    const definition = skill && definitionJson(skill);
    for (const schema of [definition?.input_schema, definition?.output_schema]) {
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(keyword);
    }
  });

  test('answers PERSISTENCE_ERROR while the store is away (X4)', async () => {
    const answer = await open().invoke({ name, input });
    expect(answer).toMatchObject({
      success: false,
      failure: { code: 'PERSISTENCE_ERROR', message: 'Database operation failed', details: undefined },
    });
  });
});

/** Every field of an input, at any depth: `tasks[].id`. */
function listFields(schema: unknown, at = ''): readonly (readonly [string, unknown])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, anyOf } = schema as { readonly [keyword: string]: unknown };
  const own = Object.entries(properties as object).flatMap(([name, field]) => {
    const place = at === '' ? name : `${at}.${name}`;
    return [[place, field] as const, ...listFields(field, place)];
  });
  const choices = Array.isArray(anyOf) ? anyOf.flatMap((choice) => listFields(choice, at)) : [];
  return [...own, ...listFields(items, `${at}[]`), ...choices];
}

test('every input field, at any depth, has a description of its own (B4, M7)', () => {
  const planning = { ai: undefined, findSkills: async () => [], isSkill: () => false };
  const { skills } = createRuntime({ skills: createBuiltinSkills({ ...PORTS, planning }) });
  expect(skills).toHaveLength(ALL_BUILTIN_NAMES.length);
  for (const skill of skills) {
    const fields = listFields(definitionJson(skill).input_schema);
    const texts = fields.map(([, field]) => (field as { readonly description?: unknown }).description);
    const bare = fields.filter((_, index) => !/^[A-Z"].{9,}\.$/.test(String(texts[index])));
    expect(bare.map(([place]) => `${skill.name}: ${place}`)).toEqual([]);
    // A step of a group has the fields of a step: they are described alike.
    const once = texts.filter((_, index) => !fields[index]?.[0].includes('parallel[]'));
    expect(once.filter((text, index) => once.indexOf(text) !== index)).toEqual([]);
  }
});

test('say what they change: nothing, something more, or what was there (X9)', () => {
  const planning = { ai: undefined, findSkills: async () => [], isSkill: () => false };
  const { skills } = createRuntime({ skills: createBuiltinSkills({ ...PORTS, planning }) });
  const namesOf = (hint: 'readOnly' | 'destructive' | 'openWorld', value: boolean | undefined) =>
    skills.filter(({ annotations }) => annotations[hint] === value).map(({ name }) => name);
  expect(namesOf('readOnly', true)).toEqual([
    ...['task_retrieval', 'token_validation', 'ownership_validation', 'credential_validation'],
    ...['suggestion_generation', 'request_routing', 'goal_decomposition', 'task_sequencing'],
  ]);
  expect(namesOf('destructive', true)).toEqual(['task_deletion', 'account_deletion']);
  expect(namesOf('destructive', false)).toEqual(['task_creation', 'token_generation', 'user_creation']);
  expect(namesOf('openWorld', true)).toEqual(['suggestion_generation', 'goal_decomposition']);
  // What they do is what the skills do that they run.
  expect(namesOf('openWorld', undefined)).toEqual(['workflow_coordination', 'task_execution']);
});

test('defaults, limits and secrets are in the published schema (B1, B2)', () => {
  const propertiesOf = (name: string) => {
    const skill = open().find(name);
    return skill && definitionJson(skill).input_schema.properties;
  };
  expect(propertiesOf('task_creation')).toMatchObject({
    title: { type: 'string', minLength: 1, maxLength: 200 },
    priority: { default: 1 },
  });
  expect(propertiesOf('task_retrieval')).toMatchObject({ limit: { default: 100 }, offset: { default: 0 } });
  expect(propertiesOf('token_generation')).toMatchObject({
    expires_in_seconds: { default: 3_600 },
    scopes: { default: [] },
  });
  expect(propertiesOf('user_creation')).toMatchObject({
    email: { pattern: '^[^@]+@[^@]+\\.[^@]+$', maxLength: 254 },
    password: { minLength: 8, maxLength: 128, secret: true },
  });
  expect(propertiesOf('credential_validation')).toMatchObject({ password: { maxLength: 4_096, secret: true } });
  const scopes = { maxItems: 256, items: { type: 'string', minLength: 1, maxLength: 256 } };
  expect(propertiesOf('token_generation')).toMatchObject({ scopes: { anyOf: [scopes, { type: 'null' }] } });
  expect(propertiesOf('token_validation')).toMatchObject({
    token: { secret: true },
    required_scopes: { anyOf: [scopes, { type: 'null' }] },
  });
  const issuing = open().find('token_generation');
  expect(issuing && definitionJson(issuing).output_schema.properties).toMatchObject({ access_token: { secret: true } });
});

test('the page about identities tells which role opens which of them (X10) (M4)', () => {
  const planning = { ai: undefined, findSkills: async () => [], isSkill: () => false };
  const { skills } = createRuntime({ skills: createBuiltinSkills({ ...PORTS, planning }) });
  const page = readFileSync(new URL('../../docs/identities.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+Agent)` \| (.+) \|$/gm)].map(([, role = '', cell = '']) => {
    return [role, [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()] as const;
  });
  const roles = [...new Set(skills.flatMap(({ access }) => access.assignedTo))];
  const opened = roles.map((role) => {
    const caller = agentCaller(role);
    return [role, skills.flatMap(({ name, access }) => (mayInvoke(caller, access) ? [name] : [])).sort()] as const;
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(opened));
});
