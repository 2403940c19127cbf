// Plain JSON Schemas are really checked: each supported keyword has a value that fits and one that does not (X5).
import { describe, expect, test } from 'vitest';
import { createSchemaForm } from './schema-form.ts';

function checkerOf(field: unknown, rest: object = {}) {
  const form = createSchemaForm({ type: 'object', properties: { v: field }, ...rest }, 'input');
  if (!form.ok) throw new Error(form.failure);
  return (value: unknown) => {
    const checked = form.value.check({ v: value });
    return checked.ok ? [] : checked.failure.map(({ path, message }) => `${path}: ${message}`);
  };
}

describe('a JSON Schema as plain data', () => {
  test.each([
    ['type', { type: 'string' }, 'a', 1],
    ['types', { type: ['string', 'null'] }, null, false],
    ['integer', { type: 'integer' }, 2, 2.5],
    ['enum', { enum: ['a', 1, { b: [1] }] }, { b: [1] }, { b: [2] }],
    ['const', { const: null }, null, 0],
    ['minLength', { type: 'string', minLength: 2 }, '😀😀', '😀'],
    ['maxLength', { type: 'string', maxLength: 2 }, '😀😀', 'abc'],
    ['pattern', { type: 'string', pattern: '^\\p{Lu}' }, 'Ärger', 'ärger'],
    ['minimum', { type: 'number', minimum: 1 }, 1, 0.9],
    ['maximum', { type: 'number', maximum: 1 }, 1, 1.1],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 1 }, 1.1, 1],
    ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 1 }, 0.9, 1],
    ['multipleOf', { type: 'number', multipleOf: 0.1 }, 0.3, 0.35],
    ['minItems', { type: 'array', minItems: 1 }, [0], []],
    ['maxItems', { type: 'array', maxItems: 1 }, [0], [0, 1]],
    [
      'uniqueItems',
      { type: 'array', uniqueItems: true },
      [1, '1'],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ['items', { type: 'array', items: { type: 'string' } }, ['a'], ['a', 1]],
    ['prefixItems', { prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 'b']],
    ['required', { type: 'object', required: ['a'] }, { a: 1 }, {}],
    ['additionalProperties', { type: 'object', additionalProperties: { type: 'number' } }, { a: 1 }, { a: 'x' }],
    ['patternProperties', { patternProperties: { '^n_': { type: 'number' } } }, { n_a: 1 }, { n_a: 'x' }],
    ['propertyNames', { type: 'object', propertyNames: { pattern: '^a' } }, { ab: 1 }, { ba: 1 }],
    ['minProperties', { type: 'object', minProperties: 1 }, { a: 1 }, {}],
    ['maxProperties', { type: 'object', maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
    ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5, type: 'number' }] }, 5, 4],
    ['oneOf', { oneOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 7, 6],
    ['allOf', { allOf: [{ minimum: 5 }, { multipleOf: 2 }] }, 6, 7],
    ['not', { not: { type: 'string' } }, 1, 'a'],
  ])('%s', (_keyword, schema, good, bad) => {
    const check = checkerOf(schema);
    expect(check(good)).toEqual([]);
    expect(check(bad)).not.toEqual([]);
  });

  test('counts one thing as one', () => {
    expect(checkerOf({ type: 'string', minLength: 1 })('')).toEqual(['v: must have at least 1 character']);
    expect(checkerOf({ type: 'array', maxItems: 1 })([1, 2])).toEqual(['v: must have at most 1 item']);
    expect(checkerOf({ type: 'array', minItems: 1 })([])).toEqual(['v: must have at least 1 item']);
  });

  test.each([
    ['date-time', '2024-02-29T10:00:00+02:00', '2023-02-29T10:00:00Z'],
    ['date-time', '2026-11-15T10:00:00.5Z', '2026-11-15T10:00:00'],
    ['date', '0099-12-31', '2026-13-01'],
    ['time', '10:00:00Z', '25:00:00Z'],
    ['duration', 'P1DT2H', 'P'],
    ['email', 'a@b.org', 'a@b'],
    ['uuid', '550E8400-e29b-41d4-a716-446655440000', '550e8400e29b41d4a716446655440000'],
    ['uri', 'https://a.org/x', 'no address'],
    ['hostname', 'a-b.org', '-a.org'],
    ['ipv4', '127.0.0.1', '256.0.0.1'],
    ['ipv6', '::1', '1'],
  ])('format %s takes %s, not %s', (format, good, bad) => {
    const check = checkerOf({ type: 'string', format });
    expect(check(good)).toEqual([]);
    expect(check(bad)).toEqual([`v: must be a valid ${format}`]);
  });

  test('reports all faults at once, with their paths (X5)', () => {
    const check = checkerOf({
      type: 'array',
      items: { type: 'object', properties: { title: { type: 'string' }, n: { type: 'integer' } }, required: ['title'] },
    });
    expect(check([{ title: 'a' }, { n: 1.5 }, { title: 3, 'odd name': 1 }])).toEqual([
      'v[1].title: is required',
      'v[1].n: must be a whole number',
      'v[2].title: must be a string',
      'v[2]["odd name"]: is not a known field',
    ]);
  });

  test('closes objects that list their properties, unless they say otherwise (X5)', () => {
    const properties = { a: { type: 'string' } };
    expect(checkerOf({ type: 'object', properties })({ a: 'x', b: 1 })).toEqual(['v.b: is not a known field']);
    expect(checkerOf({ type: 'object', properties, additionalProperties: true })({ a: 'x', b: 1 })).toEqual([]);
    expect(checkerOf({ type: 'object' })({ b: 1 })).toEqual([]);
  });

  test('members of allOf share one object, referenced ones too', () => {
    const shared = { allOf: [{ $ref: '#/$defs/a' }, { type: 'object', properties: { b: { type: 'string' } } }] };
    const check = checkerOf(shared, { $defs: { a: { type: 'object', properties: { a: { type: 'string' } } } } });
    expect(check({ a: 'x', b: 'y' })).toEqual([]);
    expect(check({ a: 'x', b: 'y', c: 1 })).toEqual(['v.c: is not a known field']);
  });

  test('follows references, recursive ones and those into definitions', () => {
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/a~1b' } } },
    };
    const check = checkerOf({ $ref: '#/$defs/a~1b' }, { $defs: { 'a/b': tree } });
    expect(check({ name: 'a', kids: [{ name: 'b', kids: [{ name: 'c' }] }] })).toEqual([]);
    expect(check({ kids: [{ kids: [{ name: 1 }] }] })).toEqual(['v.kids[0].kids[0].name: must be a string']);
  });

  test('names the branch of a choice that was meant', () => {
    const branch = (kind: string, field: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [field]: { type: 'string' } },
      required: ['kind'],
    });
    const check = checkerOf({ oneOf: [branch('a', 'x'), branch('b', 'y')] });
    expect(check({ kind: 'b', y: 'ok' })).toEqual([]);
    expect(check({ kind: 'a', y: 'ok' })).toEqual(['v.y: is not a known field']);
  });
});
