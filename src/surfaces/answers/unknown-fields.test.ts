// Which fields are refused, and in which words.
import { expect, test } from 'vitest';
import { refuseUnknownFields } from './unknown-fields.ts';

test('refuseUnknownFields() is silent about known fields, and names a few unknown ones, shortened', () => {
  expect(refuseUnknownFields({ a: 1 }, ['a', 'b'], '{}')).toBeUndefined();
  expect(refuseUnknownFields({}, [], '{}')).toBeUndefined();
  expect(refuseUnknownFields({ a: 1, 'c"d': 1, e: 1 }, ['a'], '{ "a": 1 }')).toBe(
    'Invalid input: "c\\"d": is not known here: known are a; e: is not known here: known are a; send { "a": 1 }',
  );
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${'x'.repeat(100)}${index}`, 1]));
  expect(refuseUnknownFields(many, [], '{}')?.length).toBeLessThan(1_200);
});

test('refuseUnknownFields() does not take inherited names for known ones', () => {
  expect(refuseUnknownFields(JSON.parse('{ "__proto__": 1 }'), ['a'], '{}')).toContain('__proto__');
  expect(refuseUnknownFields({ constructor: 1 }, ['a'], '{}')).toContain('constructor');
});
