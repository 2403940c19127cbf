// The fast pass may say "look again" too often, never too seldom: what it passes has no fault for the thorough checks (X5).

import { expect, test } from 'vitest';
import { z } from 'zod';
import fc from '../../../tests/support/property.ts';
import { createFastPass, createTally, isSmall } from './fast-pass.ts';
import { INPUT_LIMITS, inspectJson } from './json-inspection.ts';
import { createValidator } from './json-validator.ts';
import { createSchemaForm } from './schema-form.ts';

const node = z.object({
  a: z.string().optional(),
  get kids() {
    return z.array(node).optional();
  },
});

const schemas = [
  z.object({ a: z.string(), b: z.object({ a: z.number() }).nullable(), kids: z.array(z.object({ a: z.any() })) }),
  z.object({
    a: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    b: z.record(z.string(), z.any()),
  }),
  z.looseObject({ a: z.object({}).catchall(z.object({ a: z.string() })), kids: z.tuple([z.string()]) }),
  z.object({ a: z.object({ a: z.string() }).and(z.object({ b: z.string() })), b: z.any() }),
  node,
];

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: fc.constantFrom('a', '\0', '\ud800', '€') }),
    fc.integer(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'kids', '__proto__', 'x', '\0'), tie('value'), {
    maxKeys: 3,
    noNullPrototype: false,
  }),
}));

test('what passes the fast pass passes the thorough one', () => {
  let passed = 0;
  for (const schema of schemas) {
    const form = createSchemaForm(schema, 'input');
    if (!form.ok) throw new Error(form.failure);
    const fastPass = createFastPass(form.value.json);
    const thorough = createValidator(form.value.json, true);
    fc.assert(
      fc.property(value, (given) => {
        const tally = createTally(INPUT_LIMITS);
        if (!fastPass(given, 1, tally) || !isSmall(tally, INPUT_LIMITS)) return;
        passed++;
        expect(inspectJson(given, INPUT_LIMITS)).toEqual([]);
        expect(thorough(given).filter(({ unknownField }) => unknownField)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  }
  expect(passed).toBeGreaterThan(100);
});

test('__proto__ never passes it, though a schema may list it', () => {
  const schema = {
    type: 'object',
    properties: JSON.parse('{"__proto__":{"type":"string"}}'),
    additionalProperties: false,
  };
  expect(createFastPass(schema)(JSON.parse('{"__proto__":"x"}'), 1, createTally(INPUT_LIMITS))).toBe(false);
});

test.each([
  ['as listed', '{"a":1,"b":2,"c":3}', true],
  ['in another order', '{"c":3,"a":1,"b":2}', true],
  ['with gaps', '{"b":2}', true],
  ['with an unknown one at the start', '{"x":0,"a":1,"b":2}', false],
  ['with an unknown one at the end', '{"a":1,"b":2,"c":3,"x":0}', false],
  ['with a bad text in the last', '{"b":2,"a":1,"c":"\\u0000"}', false],
])('fields %s', (_how, json, passes) => {
  const schema = { type: 'object', properties: { a: {}, b: {}, c: {} }, additionalProperties: false };
  expect(createFastPass(schema)(JSON.parse(json), 1, createTally(INPUT_LIMITS))).toBe(passes);
});

test('a plain value with a plain schema passes it', () => {
  const form = createSchemaForm(schemas[0], 'input');
  if (!form.ok) throw new Error(form.failure);
  const tally = createTally(INPUT_LIMITS);
  expect(createFastPass(form.value.json)({ a: 'x', b: null, kids: [{ a: { any: [1] } }] }, 1, tally)).toBe(true);
});
