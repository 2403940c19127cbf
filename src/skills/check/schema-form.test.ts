// What is published and what is checked for zod schemas, and the JSON that nobody may send (X5).
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { secret } from '../define/secret.ts';
import { INPUT_LIMITS, inspectJson, isHoldable } from './json-inspection.ts';
import type { Direction } from './published-schema.ts';
import { createSchemaForm } from './schema-form.ts';
import { reportViolations } from './violation.ts';

function formOf(schema: unknown, direction: Direction = 'input') {
  const form = createSchemaForm(schema, direction);
  if (!form.ok) throw new Error(form.failure);
  return form.value;
}

function faultsOf(schema: unknown, value: unknown, direction: Direction = 'input'): readonly string[] {
  const checked = formOf(schema, direction).check(value);
  return checked.ok ? [] : checked.failure.map(({ path, message }) => `${path}: ${message}`);
}

describe('a zod schema', () => {
  test('gives the skill the parsed value: defaults and transforms applied', () => {
    const schema = z.object({ name: z.string().trim(), n: z.number().default(3) });
    expect(formOf(schema).check({ name: ' Ada ' })).toEqual({ ok: true, value: { name: 'Ada', n: 3 } });
  });

  test('is published closed, with its secrets marked', () => {
    const { json } = formOf(z.object({ a: z.object({ b: z.string() }), token: secret(z.string()).optional() }));
    expect(json).toEqual({
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'], additionalProperties: false },
        token: { type: 'string', secret: true, writeOnly: true },
      },
      required: ['a'],
      additionalProperties: false,
    });
    expect(formOf(z.object({ token: secret(z.string()) }), 'output').json.properties).toEqual({
      token: { type: 'string', secret: true },
    });
  });

  test('with an id of its own is published as an object all the same', () => {
    expect(formOf(z.object({ a: z.string() }).meta({ id: 'ThingInput' })).json).toMatchObject({ type: 'object' });
  });

  test('reports everything at once: zod’s findings, unknown fields and bad text (X5)', () => {
    const schema = z.object({
      tasks: z.array(z.object({ title: z.string().min(2) })),
      note: z.string(),
      n: z.number(),
    });
    expect(faultsOf(schema, { tasks: [{ title: 'ok' }, { title: 'x', extra: 1 }], note: 'a\0b', extra: 2 })).toEqual([
      'note: contains a NUL character or a lone surrogate',
      'tasks[1].extra: is not a known field',
      'extra: is not a known field',
      'tasks[1].title: must have at least 2 characters',
      'n: is required',
    ]);
  });

  test('leaves loose objects, catchalls and records open', () => {
    const schema = z.object({
      loose: z.looseObject({ a: z.string() }),
      typed: z.object({}).catchall(z.number()),
      record: z.record(z.string(), z.number()),
    });
    expect(faultsOf(schema, { loose: { a: '', b: 1 }, typed: { c: 1 }, record: { d: 1 } })).toEqual([]);
    expect(faultsOf(z.strictObject({ a: z.string() }), { a: 'x', b: 1 })).toEqual(['b: is not a known field']);
  });

  test.each([
    [
      'a union',
      z.union([
        z.object({ a: z.string(), x: z.string().optional() }),
        z.object({ a: z.number(), y: z.string().optional() }),
      ]),
      { a: 's', y: 'lost' },
      ['v.y: is not a known field'],
    ],
    [
      'a union whose later branch was meant',
      z.union([z.object({ a: z.number(), y: z.string().optional() }), z.object({ a: z.string() })]),
      { a: 's', y: 'lost' },
      ['v.y: is not a known field'],
    ],
    [
      'a union told apart by a constant',
      z.union([z.object({ k: z.literal('a'), y: z.string().optional() }), z.object({ k: z.literal('b') })]),
      { k: 'b', y: 'lost' },
      ['v.y: is not a known field'],
    ],
    [
      'a union whose branch coerces',
      z.union([z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.coerce.number() })]),
      { k: 'b', n: '5' },
      [],
    ],
    [
      'a discriminated union',
      z.discriminatedUnion('k', [
        z.object({ k: z.literal('a'), x: z.string().optional() }),
        z.object({ k: z.literal('b'), y: z.string().optional() }),
      ]),
      { k: 'a', y: 'lost' },
      ['v.y: is not a known field'],
    ],
    [
      'an intersection',
      z.object({ a: z.string() }).and(z.object({ b: z.string() })),
      { a: '', b: '', c: 1 },
      ['v.c: is not a known field'],
    ],
    ['a nullable object', z.object({ a: z.string() }).nullable(), { a: '', c: 1 }, ['v.c: is not a known field']],
    ['a tuple', z.tuple([z.object({ a: z.string() })]), [{ a: '', c: 1 }], ['v[0].c: is not a known field']],
    ['an optional field that is undefined', z.object({ a: z.string().optional() }), { a: undefined, b: undefined }, []],
  ])('finds fields that are unknown inside %s (X5)', (_where, inner, value, expected) => {
    expect(faultsOf(z.object({ v: inner }), { v: value })).toEqual(expected);
  });

  test('a recursive one is followed', () => {
    const node = z.object({
      v: z.string(),
      get kids() {
        return z.array(node);
      },
    });
    expect(faultsOf(node, { v: '', kids: [{ v: '', kids: [], x: 1 }] })).toEqual(['kids[0].x: is not a known field']);
  });

  test('an output loses what it does not declare and must be JSON', () => {
    const schema = z.object({ a: z.string(), any: z.any() });
    expect(formOf(schema, 'output').check({ a: 'x', any: 1, internal: 'y' })).toEqual({
      ok: true,
      value: { a: 'x', any: 1 },
    });
    for (const any of [1n, () => 1, new Date(), Number.NaN, Symbol('x'), new Map()]) {
      expect(faultsOf(schema, { a: 'x', any }, 'output')).toEqual(['any: is not a JSON value']);
    }
  });
});

describe('JSON that nobody may send (X5)', () => {
  const schema = z.object({ v: z.any() });
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

  test('64 levels pass, 65 do not', () => {
    expect(faultsOf(schema, { v: nested(63) })).toEqual([]);
    expect(faultsOf(schema, { v: nested(64) })).toEqual([expect.stringContaining('is nested too deeply')]);
    expect(faultsOf(schema, { v: nested(5_000) })).toEqual([expect.stringContaining('is nested too deeply')]);
  });

  test('1 MB of JSON passes, one byte more does not, whatever the characters', () => {
    const room = 1_048_576 - Buffer.byteLength('{"v":""}');
    expect(faultsOf(schema, { v: 'a'.repeat(room) })).toEqual([]);
    expect(faultsOf(schema, { v: 'a'.repeat(room + 1) })).toEqual([': is larger than 1048576 bytes of JSON']);
    expect(faultsOf(schema, { v: '\u0001'.repeat(room / 6 + 1) })).toEqual([': is larger than 1048576 bytes of JSON']);
    expect(faultsOf(schema, { v: '€'.repeat(room / 3 + 1) })).toEqual([': is larger than 1048576 bytes of JSON']);
  });

  test('NUL, lone surrogates and __proto__ are refused in values and names, at any depth', () => {
    const value = JSON.parse(
      '{"v":[{"a":"x\\u0000"},{"b":"\\ud800"},{"c\\udc00":1},{"__proto__":1}, "\\ud83d\\ude00"]}',
    );
    expect(faultsOf(schema, value)).toEqual([
      'v[0].a: contains a NUL character or a lone surrogate',
      'v[1].b: contains a NUL character or a lone surrogate',
      'v[2]["c\uFFFD"]: has a name that is not allowed',
      'v[3].__proto__: has a name that is not allowed',
    ]);
  });

  test('__proto__ is refused also when nothing else is wrong', () => {
    const value = JSON.parse('{"v":{"__proto__":{"admin":true}}}');
    expect(faultsOf(schema, value)).toEqual(['v.__proto__: has a name that is not allowed']);
  });

  test('a circle, and an object that holds itself many times over, end at once', () => {
    const circle: Record<string, unknown> = {};
    circle.v = circle;
    expect(faultsOf(schema, circle)).not.toEqual([]);
    let laughs: unknown = 'ha';
    for (let level = 0; level < 50; level++) laughs = [laughs, laughs];
    expect(faultsOf(schema, { v: laughs })).toEqual([expect.stringContaining('has more than 50,000 values')]);
  });

  test.each([
    ['some times', 20],
    ['very often', 40_000],
  ])('an output that holds one long text %s is refused without being written (A4)', (_how, times) => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const v = Array(times).fill('x'.repeat(1_000_000));
    expect(faultsOf(schema, { v }, 'output')).toEqual([': is larger than 8388608 bytes of JSON']);
    expect(stringify.mock.calls.filter(([written]) => written?.v === v)).toEqual([]);
    stringify.mockRestore();
  });

  test('64 levels beside a long text pass', () => {
    expect(faultsOf(schema, { v: [nested(62), 'x'.repeat(2_000_000)] }, 'output')).toEqual([]);
  });

  test('fields that are undefined do not count: JSON leaves them out', () => {
    const v = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`${'x'.repeat(300)}${index}`, undefined]),
    );
    expect(faultsOf(schema, { v }, 'output')).toEqual([]);
  });

  test.each([null, undefined, 'text', 5, [], true])('%j is no input', (value) => {
    expect(faultsOf(schema, value)).not.toEqual([]);
  });
});

test('what cannot be held is told by its kind, not by its words, and a report shows the words alone', () => {
  const faults = inspectJson({ a: '\0', b: () => 1 }, INPUT_LIMITS);
  expect(faults.map(({ kind }) => kind)).toEqual(['text', 'shape']);
  expect(isHoldable(faults)).toBe(false);
  expect(isHoldable(faults.map((fault) => ({ ...fault, kind: 'text' as const })))).toBe(true);
  expect(reportViolations(faults).violations[0]).toEqual({
    path: 'a',
    message: 'contains a NUL character or a lone surrogate',
  });
});

test('a report shows ten violations and keeps a hundred (X5)', () => {
  const many = Array.from({ length: 150 }, (_, index) => ({ path: `a[${index}]`, message: 'is required' }));
  const { details, violations } = reportViolations(many);
  expect(details).toMatch(/^a\[0\]: is required; .*a\[9\]: is required; and 140 more$/);
  expect(violations).toHaveLength(100);
});
