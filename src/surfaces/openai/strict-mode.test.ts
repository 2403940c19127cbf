// The checker of strict mode itself: it notices each fault, so that its silence means something.
import { expect, test } from 'vitest';
import { strictFaults } from './strict-mode.ts';

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

test('accepts objects in objects, lists and nullable types (T11)', () => {
  const inner = object({ a: text, b: { type: ['integer', 'null'] } });
  expect(strictFaults(object({ one: inner, many: { type: 'array', items: inner } }))).toEqual([]);
});

test.each([
  ['oneOf at the top', { ...object({}), oneOf: [text] }, '#: oneOf at the top level'],
  ['anyOf at the top', { ...object({}), anyOf: [text] }, '#: anyOf at the top level'],
  ['allOf at the top', { ...object({}), allOf: [text] }, '#: allOf at the top level'],
  ['a root that is no object', text, '#: the root must be an object'],
  ['a property that is not required', object({ a: text }, []), '#/a: not required'],
  ['a required name without property', object({}, ['a']), '#/a: required, but not there'],
  ['an open object', { type: 'object', properties: {}, required: [] }, '#: additionalProperties must be false'],
  [
    'an open object deep inside',
    object({ a: { type: 'array', items: { type: 'object' } } }),
    '#/a/items: additionalProperties must be false',
  ],
  ['an open object among alternatives', object({ a: { anyOf: [{ type: 'object' }] } }), '#/a/anyOf/0: additional'],
  ['a default', object({ a: { ...text, default: 'x' } }), '#/a: default is not supported'],
  ['a property without type', object({ a: {} }), '#/a: no type'],
  ['a type that does not exist', object({ a: { type: 'text' } }), '#/a: no such type as text'],
])('notices %s', (_what, schema, fault) => {
  expect(strictFaults(schema)).toContainEqual(expect.stringContaining(fault));
});
