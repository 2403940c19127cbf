// The example that a form is filled with: it passes the checks of the server, and comes through the form as it is.
import { expect, test } from 'vitest';
import { type BuiltinPorts, createBuiltinSkills } from '../../../src/builtin/builtin-skills.ts';
import { createValidator } from '../../../src/skills/check/json-validator.ts';
import { definitionJson } from '../../../src/skills/define/registered-skill.ts';
import { StoreUnavailable } from '../../../src/skills/record/invocation-log.ts';
import { createRuntime } from '../../../src/skills/run/runtime.ts';
import { draftOf, readDraft } from './draft.ts';
import { exampleInput } from './example-input.ts';

const objectOf = (properties: object, required = Object.keys(properties)) => ({ type: 'object', properties, required });

const throughForm = (schema: Readonly<Record<string, unknown>>, value: unknown) =>
  readDraft(schema, draftOf(schema, schema, value, { secrets: 'kept' })).value;

test.each([
  { type: 'string', minLength: 30 },
  { type: 'string', maxLength: 3 },
  { type: 'string', pattern: '^[0-9]{5}$' },
  { type: 'string', pattern: '^[A-Z]{2}-\\d{4}(?:-[a-z]+)?$' },
  { type: 'string', pattern: '^(?!x)[^\\s@]{3,}@[a-z]+\\.(?:org|com)$' },
  { type: 'string', pattern: '^[a-z][a-z0-9-]*$', minLength: 6 },
  { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' },
  ...['date-time', 'date', 'time', 'duration', 'email', 'uuid', 'uri', 'hostname', 'ipv4', 'ipv6', 'base64'].map(
    (format) => ({ type: 'string', format }),
  ),
  { type: 'string', format: 'password', minLength: 12 },
  { type: 'integer', minimum: 10, maximum: 11 },
  { type: 'integer', exclusiveMinimum: 5, multipleOf: 7 },
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  { type: 'number', maximum: -2.5 },
  { type: 'boolean' },
  { enum: ['b', 'a'] },
  { const: 7 },
  { type: ['null', 'integer'] },
  { anyOf: [{ type: 'null' }, { type: 'string', minLength: 2 }] },
  { oneOf: [{ type: 'integer' }, { type: 'string' }] },
  { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string' } },
  { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'integer', maximum: 9 } },
  { type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['x', 'y'] } },
  { type: 'array', maxItems: 0, items: { type: 'string' } },
  { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } },
  { allOf: [objectOf({ a: { type: 'string' } }), objectOf({ b: { type: 'integer' } })] },
  { type: 'string', minLength: 3, secret: true },
  {},
])('exampleInput() of a field %j fits, also by way of the form (U8)', (field) => {
  const schema = objectOf({ field });
  const example = exampleInput(schema);
  const check = createValidator(schema, true);
  expect({ example, faults: check(example) }).toEqual({ example: { field: expect.anything() }, faults: [] });
  expect(check(throughForm(schema, example))).toEqual([]);
});

test("exampleInput() takes the author's example where it fits, of the whole or of a field (U8)", () => {
  const schema = objectOf({ city: { type: 'string', examples: [7, 'Turin'] }, days: { type: 'integer' } }, ['days']);
  expect(exampleInput(schema)).toEqual({ city: 'Turin', days: 1 });
  expect(exampleInput({ ...schema, examples: [{ days: 'x' }, { days: 3 }] })).toEqual({ days: 3 });
});

test('exampleInput() leaves out what is optional, unless nothing is required (U8)', () => {
  const properties = { a: { type: 'string' }, b: { type: 'boolean' } };
  expect(exampleInput(objectOf(properties, ['b']))).toEqual({ b: false });
  expect(exampleInput(objectOf(properties, []))).toEqual({ a: 'Example a', b: false });
});

test('exampleInput() comes to an end where a schema holds itself (U8)', () => {
  const node = objectOf({ name: { type: 'string' }, next: { $ref: '#/$defs/node' } }, ['name']);
  const schema = { ...objectOf({ node: { $ref: '#/$defs/node' } }), $defs: { node } };
  expect(exampleInput(schema)).toEqual({ node: { name: 'Example name' } });
});

test.each([
  { type: 'string', minLength: 2 ** 31 },
  { type: 'string', pattern: '^(?:[ab]{900}){900}$' },
  { type: 'array', minItems: 2 ** 31, items: {} },
  { type: 'object', minProperties: 2 ** 31 },
])('exampleInput() makes no example of millions for %j (U8)', (field) => {
  expect(JSON.stringify(exampleInput(objectOf({ field }))).length).toBeLessThan(1_000_000);
});

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

test('every built-in skill takes the example that its form is filled with (U8)', async () => {
  const runtime = createRuntime({ skills: createBuiltinSkills(PORTS) });
  expect(runtime.skills.length).toBeGreaterThan(9);
  for (const skill of runtime.skills) {
    const { input_schema: schema } = definitionJson(skill);
    const answer = await runtime.invoke({ name: skill.name, input: throughForm(schema, exampleInput(schema)) });
    expect([skill.name, answer.success ? 'succeeded' : answer.failure.code]).not.toContain('VALIDATION_ERROR');
  }
});
