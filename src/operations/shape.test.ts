// Shapes: what they let through, what they say about the rest, and that their JSON Schema says the same.
import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { createValidator } from '../skills/check/json-validator.ts';
import {
  anything,
  choice,
  componentName,
  count,
  decimal,
  either,
  exactly,
  flag,
  list,
  mapOf,
  object,
  readFields,
  record,
  type Shape,
  text,
  whole,
} from './shape.ts';

const faultsOf = (shape: Shape, value: unknown) =>
  shape.faultsIn(value, 'x').map(({ path, message }) => `${path}: ${message}`);

describe('faultsIn() ends a sentence about the field', () => {
  test.each<readonly [Shape, unknown, string]>([
    [text(), 5, 'x: must be a text'],
    [text(), undefined, 'x: is required: send a text'],
    [text({ least: 1 }), '', 'x: must be a text that is not empty'],
    [text({ most: 3 }), 'four', 'x: must be a text of at most 3 characters'],
    [text({ least: 1, most: 3 }), 'four', 'x: must be a text of 1 to 3 characters'],
    [text({ pattern: /^a+$/, wanted: 'some a' }), 'b', 'x: must be some a'],
    [text({ fault: (value) => (value === 'no' ? 'must not be no' : undefined) }), 'no', 'x: must not be no'],
    [whole({ least: 1, most: 9 }), 1.5, 'x: must be a whole number from 1 to 9'],
    [whole({ least: 1, most: 9 }), '5', 'x: must be a whole number from 1 to 9'],
    [count, -1, 'x: must be a whole number of at least 0'],
    [decimal({ least: 0, most: 1 }), Number.NaN, 'x: must be a number from 0 to 1'],
    [flag, 'true', 'x: must be true or false'],
    [choice(['a', 'b']), 'c', 'x: must be one of a, b'],
    [choice(['a']), 'c', 'x: must be a'],
    [exactly(null), 0, 'x: must be null'],
    [object, [], 'x: must be an object'],
    [list(text()), 'a', 'x: must be a list'],
    [list(text(), 1), ['a', 'b'], 'x: must be a list of at most 1 entries'],
    [list(text()), ['a', 5], 'x[1]: must be a text'],
    [mapOf(text(), count), { a: -1 }, 'x.a: must be a whole number of at least 0'],
    [mapOf(choice(['a']), count), { b: 1 }, 'x.b: must be a'],
    [text({ most: 2 }), '😀😀😀', 'x: must be a text of at most 2 characters'],
    [record({ a: text() }), {}, 'x.a: is required: send a text'],
    [record({ a: text() }), { a: '', 'b\n': 1 }, 'x."b�": is not known here: known are a'],
    [record({}), { a: 1 }, 'x.a: is not known here: nothing is'],
    [either(text(), flag), 5, 'x: must be true or false'],
    [text().nullable(), 5, 'x: must be a text'],
  ])('%#', (shape, value, said) => {
    expect(faultsOf(shape, value)).toEqual([said]);
  });
});

test('readFields() fills in what is usual, leaves out what is not there, and tells everything that is wrong at once', () => {
  const fields = { a: text(), b: whole().usual(7), c: flag.optional() };
  expect(readFields(fields, { a: 'x' })).toEqual({ ok: true, value: { a: 'x', b: 7 } });
  expect(readFields(fields, { a: 'x', b: undefined, c: true })).toEqual({ ok: true, value: { a: 'x', b: 7, c: true } });
  const read = readFields(fields, { b: 'x', c: 1, d: 1 });
  expect(read.ok ? [] : read.failure.map(({ path }) => path)).toEqual(['d', 'a', 'b', 'c']);
});

test('null stands for nothing only where a field says so', () => {
  expect(readFields({ a: whole().usual(7).orNull(), b: text().optional().orNull() }, { a: null, b: null })).toEqual({
    ok: true,
    value: { a: 7 },
  });
  expect(readFields({ a: whole().usual(7) }, { a: null }).ok).toBe(false);
});

test.each(['__proto__', 'constructor', 'toString'])('%s is a field like any other unknown one', (name) => {
  const read = readFields({ a: text().optional() }, JSON.parse(`{ "${name}": 1 }`));
  expect(read).toEqual({ ok: false, failure: [{ path: name, message: 'is not known here: known are a' }] });
});

test('a named shape keeps its name wherever it is used, and not beside another description', () => {
  const named = record({ a: text() }).named('Thing');
  expect(componentName(named.schema)).toBe('Thing');
  expect(named.nullable().schema).toEqual({ anyOf: [named.schema, { type: 'null' }] });
  expect(named.about('Another').schema).toEqual({ allOf: [named.schema], description: 'Another' });
  expect(componentName(text().schema)).toBeUndefined();
});

/** Some of every builder, in each other. */
const someShape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape; leaf: Shape }>((tie) => ({
  leaf: fc.constantFrom<Shape>(
    text(),
    text({ least: 2, most: 3 }),
    text({ pattern: /^a+$/, wanted: 'some a' }),
    whole(),
    whole({ least: 0, most: 3 }),
    decimal({ most: 1 }),
    flag,
    choice(['a', 'b']),
    exactly(false),
    exactly(null),
    exactly('a'),
    anything,
    object,
  ),
  shape: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    tie('shape').map((shape) => list(shape, 2)),
    tie('shape').map((shape) => mapOf(text({ most: 2 }), shape)),
    tie('shape').map((shape) => shape.nullable()),
    tie('shape').map((shape) => shape.named('Named').about('About')),
    // Not of records: of two branches only the faults of one are told.
    fc.tuple(tie('leaf'), tie('leaf')).map(([one, other]) => either(one, other)),
    fc
      .tuple(tie('shape'), tie('shape'), tie('shape'))
      .map(([a, b, c]) => record({ a, b: b.optional(), c: c.usual('a') })),
  ),
})).shape;

const someValue = fc.oneof(
  fc.constantFrom('a', 'aa', 'b', '', 0, 1, 4, 1.5, true, false, null),
  fc.jsonValue({ maxDepth: 3 }),
  fc.record(
    { a: fc.jsonValue({ maxDepth: 1 }), b: fc.jsonValue({ maxDepth: 1 }), c: fc.constant('a') },
    { requiredKeys: [] },
  ),
);

test('the JSON Schema of a shape lets through what the shape does, but for unknown fields', () => {
  fc.assert(
    fc.property(someShape, someValue, (shape, value) => {
      const faults = shape.faultsIn(value, '');
      // Answers may grow, so no schema of ours refuses unknown fields; shapes do.
      fc.pre(!faults.some(({ message }) => message.startsWith('is not known here')));
      expect(createValidator(shape.schema, true)(value).length === 0).toBe(faults.length === 0);
    }),
    { numRuns: 2_000 },
  );
});
