// What is written in the form of a typed skill, and the input that it stands for. Without a browser.
import { describe, expect, test } from 'vitest';
import { type Draft, draftOf, fieldPaths, ownDraft, readDraft } from '../../web/src/form/draft.ts';
import { fieldOf, limitsText } from '../../web/src/form/field-shape.ts';
import { messagesAt, violationsElsewhere, violationsIn } from '../../web/src/model/violations.ts';

const objectOf = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });

const inputOf = (schema: object, draft: Draft) => readDraft(schema as Record<string, unknown>, draft).value;

describe('fieldOf()', () => {
  test.each([
    ['text', { type: 'string' }],
    ['secret', { type: 'string', format: 'password' }],
    ['secret', { type: 'string', writeOnly: true }],
    ['number', { type: 'integer' }],
    ['truth', { type: 'boolean' }],
    ['choice', { enum: ['a', 1, null] }],
    ['choice', { const: 'a' }],
    ['moment', { type: 'string', format: 'date-time' }],
    ['list', { type: 'array', items: { type: 'string' } }],
    ['json', { type: 'array' }],
    ['group', objectOf({})],
    ['json', { type: 'object', additionalProperties: { type: 'string' } }],
    ['json', { type: ['string', 'number'] }],
    ['json', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['json', {}],
  ])('is a field of kind %s for %j', (kind, schema) => {
    expect(fieldOf({}, schema).shape.kind).toBe(kind);
  });

  test.each([{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: ['string', 'null'] }])(
    'sets null aside in %j',
    (schema) => {
      expect(fieldOf({}, schema)).toMatchObject({ shape: { kind: 'text' }, takesNull: true });
    },
  );

  test('follows references, and ends where a schema holds itself', () => {
    const root = { $defs: { node: objectOf({ next: { $ref: '#/$defs/node' }, name: { type: 'string' } }) } };
    expect(fieldOf(root, { $ref: '#/$defs/node' }).shape.kind).toBe('group');
    expect(fieldOf(root, { $ref: '#/$defs/node' }, 5).shape.kind).toBe('json');
  });

  test('says in words what a value may be', () => {
    expect(limitsText(fieldOf({}, { type: 'integer', minimum: 1, maximum: 5, default: 2 }))).toBe(
      'whole number, at least 1, at most 5, default 2',
    );
  });
});

describe('readDraft()', () => {
  test('leaves out what is not given, and sends what is required and may be empty', () => {
    const schema = objectOf({ a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string', minLength: 1 } }, [
      'b',
      'c',
    ]);
    expect(inputOf(schema, {})).toEqual({ b: '' });
  });

  test('sends a number that is none as it is: the server says what is wrong with it', () => {
    const schema = objectOf({ n: { type: 'number' } });
    expect([inputOf(schema, { n: '1.5' }), inputOf(schema, { n: 'x' })]).toEqual([{ n: 1.5 }, { n: 'x' }]);
  });

  test('leaves an optional group out until something in it is given', () => {
    const schema = objectOf({ at: objectOf({ street: { type: 'string' }, zip: { type: 'string' } }, ['street']) });
    expect(inputOf(schema, { at: {} })).toEqual({});
    expect(inputOf(schema, { at: { zip: '1' } })).toEqual({ at: { street: '', zip: '1' } });
  });

  test('says which text is not JSON, by its path', () => {
    const { faults } = readDraft(objectOf({ list: { type: 'array', items: {} } }), { list: ['1', '{'] });
    expect([...faults.keys()]).toEqual(['list[1]']);
  });

  test('gives back what it was made from, without secrets', () => {
    const schema = objectOf({
      ...{ text: { type: 'string' }, count: { type: 'integer' }, flag: { type: 'boolean' }, colour: { enum: ['red'] } },
      ...{ at: { type: 'string', format: 'date-time' }, none: { type: ['string', 'null'] }, any: {} },
      tags: { type: 'array', items: { type: 'string' } },
      key: { type: 'string', secret: true },
      other: { type: 'string' },
    });
    const plain = {
      text: 'x',
      count: 0,
      flag: false,
      colour: 'red',
      at: '2026-01-31T12:00:00.000Z',
      none: null,
      any: { a: [1] },
      tags: ['a', 'b'],
    };
    const draft = draftOf(schema, schema, { ...plain, key: 'sesame', other: '[redacted]' });
    expect(inputOf(schema, draft)).toEqual(plain);
  });

  test('takes no name for a field that every object has', () => {
    const schema = {
      type: 'object',
      properties: JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}'),
    };
    expect(inputOf(schema, {})).toEqual({});
    expect(ownDraft({}, 'constructor')).toBeUndefined();
    expect(fieldPaths(schema, schema, {})).toEqual(['', '__proto__', 'constructor']);
  });

  test('sends an entry of a list that is null as null, and one that is left empty as a text', () => {
    const schema = objectOf({ list: { type: 'array', items: { type: ['integer', 'null'] } } });
    expect(inputOf(schema, { list: ['1', null, ''] })).toEqual({ list: [1, null, ''] });
  });
});

describe('violations', () => {
  const failed = {
    failure_code: 'VALIDATION_ERROR',
    failure_message: 'Input validation failed: a.b: is required; c[0]: is wrong',
  };

  test('are read from the details, else from the sentence', () => {
    const details = { violations: [{ path: 'x', message: 'is required' }] };
    expect(violationsIn({ ...failed, failure_details: details })).toEqual(details.violations);
    expect(violationsIn({ ...failed, failure_details: null })).toEqual([
      { path: 'a.b', message: 'is required' },
      { path: 'c[0]', message: 'is wrong' },
    ]);
    expect(violationsIn({ failure_code: 'NOT_FOUND' })).toEqual([]);
  });

  test('that no field bears are told apart', () => {
    const schema = objectOf({ a: { type: 'string' }, any: {}, list: { type: 'array', items: { type: 'string' } } });
    const paths = fieldPaths(schema, schema, { list: ['x'] });
    const all = ['', 'a', 'b', 'any', 'any.x', 'anything', 'list', 'list[0]', 'list[1]'];
    const left = violationsElsewhere(
      all.map((path) => ({ path, message: 'm' })),
      paths,
    );
    expect(left.map(({ path }) => path)).toEqual(['', 'b', 'anything', 'list[1]']);
  });

  test('of what lies inside are shown at a field that is one text', () => {
    const list = violationsIn(failed);
    expect([messagesAt(list, 'a', false), messagesAt(list, 'a', true)]).toEqual([[], ['a.b: is required']]);
  });
});
