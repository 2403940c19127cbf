// The quick look may say "look again" too often, never too seldom: what it passes has no fault for the thorough look (X5).

import { expect, test } from 'vitest';
import { z } from 'zod';
import fc from '../../../tests/support/property.ts';
import { createLook, INPUT_LIMITS, inspectJson, isSmall } from './json-inspection.ts';
import { createValidator } from './json-validator.ts';
import { createQuickLook } from './quick-look.ts';
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

test('what passes the quick look passes the thorough one', () => {
  let passed = 0;
  for (const schema of schemas) {
    const form = createSchemaForm(schema, 'input');
    if (!form.ok) throw new Error(form.failure);
    const quick = createQuickLook(form.value.json);
    const thorough = createValidator(form.value.json, true);
    fc.assert(
      fc.property(value, (given) => {
        const look = createLook(INPUT_LIMITS);
        if (!quick(given, 1, look) || !isSmall(look, INPUT_LIMITS)) return;
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
  expect(createQuickLook(schema)(JSON.parse('{"__proto__":"x"}'), 1, createLook(INPUT_LIMITS))).toBe(false);
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
  expect(createQuickLook(schema)(JSON.parse(json), 1, createLook(INPUT_LIMITS))).toBe(passes);
});

test('a plain value with a plain schema passes it', () => {
  const form = createSchemaForm(schemas[0], 'input');
  if (!form.ok) throw new Error(form.failure);
  const look = createLook(INPUT_LIMITS);
  expect(createQuickLook(form.value.json)({ a: 'x', b: null, kids: [{ a: { any: [1] } }] }, 1, look)).toBe(true);
});
