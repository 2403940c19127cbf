// A definition is refused at registration with the name of its field (X1); the good ones are served.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testSkill } from '../fixtures/test-skill.ts';
import { defineSkill } from './define-skill.ts';
import { failure } from './failure.ts';
import { definitionJson } from './registered-skill.ts';
import { createRegistry } from './registry.ts';
import { secret } from './secret.ts';

const problemsOf = (changes: object, rules = {}) => createRegistry([testSkill(changes)], rules).problems;

describe('createRegistry (X1)', () => {
  test.each([
    ['name', { name: 'Echo' }],
    ['name', { name: '1echo' }],
    ['name', { name: '' }],
    ['name', { name: '__proto__' }],
    ['name', { name: 'a'.repeat(65) }],
    ['name', { name: undefined }],
    ['name', { name: 'list_skills' }],
    ['description', { description: undefined }],
    ['description', { description: 'x'.repeat(501) }],
    ['description', { description: 'red \u001b[31m' }],
    ['category', { category: 'misc' }],
    ['category', { category: 'toString' }],
    ['assigned_to', { assignedTo: ['NobodyAgent'] }],
    ['assigned_to', { assignedTo: 'TaskAgent' }],
    ['failure_modes', { failureModes: ['NO_LUCK'] }],
    ['failure_modes', { failureModes: ['constructor'] }],
    ['timeout_seconds', { timeoutSeconds: 0 }],
    ['timeout_seconds', { timeoutSeconds: 301 }],
    ['timeout_seconds', { timeoutSeconds: 1.5 }],
    ['timeout_seconds', { timeoutSeconds: '5' }],
    ['limits', { limits: { perMinute: 0 } }],
    ['limits', { limits: { atOnce: 1.5 } }],
    ['limits', { limits: { perMinutes: 1 } }],
    ['limits', { limits: 60 }],
    ['limits', { limits: null }],
    ['isolation', { isolation: 'thread' }],
    ['isolation', { isolation: null }],
    ['module', { module: new URL('file:///heavy.js') }],
    ['exportName', { isolation: 'worker', module: new URL('file:///heavy.js'), exportName: 5 }],
    ['exportName', { isolation: 'worker', module: new URL('file:///heavy.js'), exportName: '' }],
    ['userField', { userField: 42 }],
    ['userField', { userField: 'user_id' }],
    ['userField', { userField: 'toString' }],
    ['success_criteria', { successCriteria: [1] }],
    ['run', { run: undefined }],
    ['environment', { environment: ['SERVICE_KEY'] }],
    ['environment', { isolation: 'worker', module: new URL('file:///heavy.js'), environment: 'SERVICE_KEY' }],
    ['environment', { isolation: 'worker', module: new URL('file:///heavy.js'), environment: ['A=B'] }],
    ['module', { isolation: 'worker', module: './heavy.js' }],
    ['module', { isolation: 'worker', module: new URL('https://example.org/heavy.js') }],
    ['module', { isolation: 'worker', module: new URL('file:///heavy.py') }],
    ['durable', { durable: {}, output: z.object({ text: secret(z.string()) }) }],
    ['durable', { durable: {}, output: z.object({ pages: z.array(z.object({ access_token: z.string() })) }) }],
    ['approval', { approval: 'required', output: z.object({ password: z.string() }) }],
    ['input_schema', { input: undefined }],
    ['input_schema', { input: z.string() }],
    ['input_schema', { input: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) }],
    ['input_schema', { input: z.object({ when: z.date() }) }],
    ['input_schema', { input: { type: 'object', anyOf: [{ required: ['a'] }] } }],
    ['input_schema', { input: { type: 'object', oneOf: [{ required: ['a'] }] } }],
    ['input_schema', { input: { type: 'object', allOf: [{ required: ['a'] }] } }],
    ['input_schema', { input: { type: 'array' } }],
    ['output_schema', { output: z.array(z.string()) }],
    ['output_schema', { output: { type: 'object', properties: { a: { $ref: 'https://example.org/a.json' } } } }],
  ])('refuses a bad %s: %o', (field, changes) => {
    const problems = problemsOf(changes, { reserved: new Set(['list_skills']) });
    expect(problems.map((problem) => problem.field)).toEqual([field]);
    expect(problems[0]?.message).toMatch(/^Cannot register skill ".*": /);
    expect(problems[0]?.fix).toMatch(/\.$/);
  });

  test('names TypeScript as the reason where a worker cannot run it', () => {
    const problems = problemsOf({ isolation: 'worker', module: new URL('file:///heavy.ts'), run: undefined });
    const runsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);
    expect(problems.map(({ message }) => message)).toEqual(
      runsTypeScript ? [] : [expect.stringContaining('this Node cannot run it in a worker')],
    );
  });

  test.each([
    ['an unknown keyword', { minimun: 5 }, 'the keyword "minimun"'],
    ['an unknown keyword beside a reference', { $ref: '#/$defs/a', dependentRequired: {} }, '"dependentRequired"'],
    ['an unknown format', { type: 'string', format: 'colour' }, 'the format "colour"'],
    ['a reference to nowhere', { $ref: '#/$defs/missing' }, '"#/$defs/missing"'],
    ['a reference in a circle', { $ref: '#/$defs/loop' }, '"#/$defs/loop"'],
    ['a wrong type', { type: 'text' }, 'a wrong value for type'],
    ['a wrong operand', { minLength: '5' }, 'a wrong value for minLength'],
    ['a pattern that is none', { pattern: '(' }, 'a wrong value for pattern'],
  ])('never silently ignores %s', (_what, inner, message) => {
    const input = {
      type: 'object',
      properties: { v: { type: 'array', items: inner } },
      $defs: { a: {}, loop: { $ref: '#/$defs/loop' } },
    };
    expect(problemsOf({ input })[0]?.message).toContain(message);
  });

  test('refuses schemas that are too large, too deep or circular', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { type: 'array', items: deep(levels - 1) });
    const properties = { v: deep(40) };
    const circle: Record<string, unknown> = { type: 'object' };
    circle.properties = { v: circle };
    expect(problemsOf({ input: { type: 'object', properties } })[0]?.message).toContain('deep');
    expect(problemsOf({ input: circle })[0]?.message).toContain('not plain JSON');
    expect(problemsOf({ input: { type: 'object', description: 'x'.repeat(70_000) } })[0]?.message).toContain('bytes');
  });

  test('reports every bad field, and keeps the other skills', () => {
    const registry = createRegistry([
      testSkill({ name: 'Bad', category: 'none', timeoutSeconds: 0 }),
      testSkill(),
      testSkill({ description: 'The same name again.', timeoutSeconds: 0 }),
      testSkill({ name: 'other' }),
      null as never,
    ]);
    expect(registry.skills.map(({ name }) => name)).toEqual(['other']);
    expect(registry.find('echo')).toBeUndefined();
    expect(registry.problems.map(({ skill, field }) => `${skill} ${field}`)).toEqual([
      'echo name',
      'Bad name',
      'Bad category',
      'Bad timeout_seconds',
      'echo timeout_seconds',
      '(unnamed) definition',
    ]);
  });

  test('tells of a name that several have once, however many have it', () => {
    const { problems, skills } = createRegistry([testSkill(), testSkill(), testSkill()]);
    expect(skills).toEqual([]);
    expect(problems).toEqual([
      {
        skill: 'echo',
        field: 'name',
        message: 'Cannot register skill "echo": name is given to 3 definitions, and none of them is served',
        fix: 'Rename all but one.',
      },
    ]);
  });

  test('looks names up, not into prototypes', () => {
    const registry = createRegistry([testSkill()]);
    for (const name of ['constructor', '__proto__', 'toString', '']) expect(registry.find(name)).toBeUndefined();
  });

  test('knows the configured agents too', () => {
    expect(problemsOf({ assignedTo: ['TaskAgent', 'Gardener'] }, { agents: ['Gardener'] })).toEqual([]);
  });
});

describe('a skill that comes with Repertoire (X1)', () => {
  const builtin = [testSkill({ description: 'Built in.' }), testSkill({ name: 'other' })];
  const replaceable = new Set(['echo', 'other', 'absent']);

  test.each(['echo', 'absent'])('keeps its name, whether it is served or not: %s', (name) => {
    const { problems, find } = createRegistry([testSkill({ name })], { builtin, replaceable });
    expect(find('echo')?.description).toBe('Built in.');
    expect(find('absent')).toBeUndefined();
    expect(problems).toEqual([
      {
        skill: name,
        field: 'name',
        message: `Cannot register skill "${name}": name is that of a built-in skill`,
        fix: 'Choose another name, or write replaces: true to serve this one in its place.',
      },
    ]);
  });

  test('keeps its name where only its definition is known', () => {
    const { problems, find } = createRegistry([testSkill()], { builtin });
    expect([problems.length, find('echo')?.description]).toEqual([1, 'Built in.']);
  });

  test('stays where two definitions have its name and none says that it replaces it (X1, M11)', () => {
    const { problems, find } = createRegistry([testSkill(), testSkill()], { builtin, replaceable });
    expect(find('echo')?.description).toBe('Built in.');
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('name is given to 2 definitions'),
      ...Array.from({ length: 2 }, () => expect.stringContaining('name is that of a built-in skill')),
    ]);
  });

  test('gives way to one that says replaces: true', () => {
    const { problems, skills } = createRegistry([testSkill({ replaces: true })], { builtin, replaceable });
    expect(problems).toEqual([]);
    expect(skills.map(({ name, description }) => [name, description])).toEqual([
      ['echo', 'Says what it was told.'],
      ['other', 'Says what it was told.'],
    ]);
  });

  test.each([
    ['a fault', [testSkill({ replaces: true, timeoutSeconds: 0 })]],
    ['a second one', [testSkill({ replaces: true }), testSkill({ replaces: true })]],
  ])('does not come back for a replacement that is refused because of %s', (_why, own) => {
    const { problems, skills } = createRegistry(own, { builtin, replaceable });
    expect([problems.length, skills.map(({ name }) => name)]).toEqual([1, ['other']]);
  });

  test.each([
    [{ name: 'mine', replaces: true }, 'replaces is true, but no built-in skill has this name'],
    [{ replaces: 'echo' }, 'replaces is "echo"'],
  ])('is not replaced by %o', (changes, said) => {
    const { problems } = createRegistry([testSkill(changes)], { builtin, replaceable });
    expect(problems.map(({ message }) => message).join()).toContain(said);
  });

  test('may be replaced in a configuration that a program without built-in skills runs', () => {
    expect(problemsOf({ replaces: true })).toEqual([]);
  });
});

test('definitionJson has the fields of the contract, with their defaults (X1)', () => {
  const [skill] = createRegistry([testSkill()]).skills;
  expect(skill && definitionJson(skill)).toEqual({
    name: 'echo',
    description: 'Says what it was told.',
    category: 'execution',
    assigned_to: [],
    input_schema: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 100 } },
      required: ['text'],
      additionalProperties: false,
    },
    output_schema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
    success_criteria: [],
    failure_modes: [],
    timeout_seconds: 30,
  });
});

test('definitionJson tells durability, approval and limits where they are set (J1, J8)', () => {
  const durable = { idempotent: true, attempts: 3 };
  const [skill] = createRegistry([{ ...testSkill(), durable, approval: 'required', limits: { perMinute: 6 } }]).skills;
  expect(skill && definitionJson(skill)).toMatchObject({
    durable: { idempotent: true, attempts: 3, backoff_seconds: 5, resumes: false },
    approval: 'required',
    limits: { per_minute: 6 },
  });
});

test('the types of run come from the schemas, and undeclared failures do not compile', () => {
  const common = { name: 'typed', description: 'Typed.', category: 'ai', output: z.object({ n: z.number() }) } as const;
  defineSkill({
    ...common,
    input: z.object({ n: z.number(), s: z.string().default('') }),
    failureModes: ['NOT_FOUND'],
    run: async ({ n, s }, { signal }) =>
      signal.aborted || s.length > 5 ? failure('NOT_FOUND', { resource: s }) : { n: n.toFixed() === '1' ? 1 : n },
  });
  defineSkill({
    ...common,
    input: { type: 'object', properties: { n: { type: 'number' } } },
    // @ts-expect-error PERSISTENCE_ERROR is not declared
    run: () => failure('PERSISTENCE_ERROR'),
  });
  defineSkill({
    ...common,
    input: z.object({}),
    // @ts-expect-error n is a number
    run: () => ({ n: 'one' }),
  });
  // @ts-expect-error the template asks for a resource
  expect(failure('NOT_FOUND')).toBeDefined();
});
