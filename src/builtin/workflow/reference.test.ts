// Which texts are references, what they stand for, and inputs with them filled in (B4).
import { describe, expect, test } from 'vitest';
import fc from '../../../tests/support/property.ts';
import { findOnlyReference, findValue, parseText, type Reference, resolveInput } from './reference.ts';

const ref = (path: string) => `\${${path}}`;
const referenceOf = (text: string): Reference | undefined => {
  const [part] = parseText(ref(text));
  return part?.kind === 'reference' ? part.reference : undefined;
};

test.each([
  ['steps.a.output', 'a', []],
  ['steps.a.output.x', 'a', ['x']],
  ['steps.a-1.output.x.0.y', 'a-1', ['x', '0', 'y']],
  ['steps.a.output.x[10].y z', 'a', ['x', '10', 'y z']],
  ['steps.a.output.__proto__', 'a', ['__proto__']],
  ['steps.a.output[3].x', 'a', ['3', 'x']],
  ['item', undefined, []],
  ['item.title', undefined, ['title']],
  ['item[0].x', undefined, ['0', 'x']],
])('%s is a reference', (text, stepId, path) => {
  expect(referenceOf(text)).toEqual({ text, stepId, path });
});

test.each([
  '',
  'x',
  'steps',
  'steps.a',
  'steps.a.outputs',
  'steps..output',
  'steps.a.output.',
  'steps.a.output[x]',
  'env.HOME',
  'items',
  'item.',
  'item title',
])('%j is none', (text) => {
  expect(parseText(ref(text))).toEqual([{ kind: 'wrong', text: ref(text) }]);
});

// Looking for the end from each beginning, a square, would take the second text many minutes: beyond the limit of a test.
// How the time of both grows is measured in bench/measures/growth.ts.
test('a text without an end, and one full of beginnings, are read once', () => {
  expect(parseText(`\${${'a'.repeat(2_000_000)}`)[0]).toEqual({ kind: 'wrong', text: '${' });
  expect(parseText('${'.repeat(1_000_000))[0]).toMatchObject({ kind: 'wrong' });
});

describe('what a reference stands for', () => {
  const output = { list: [{ n: 1 }], empty: null, text: 'abc', deep: { constructor: 'own' } };
  const find = (path: string) => findValue(referenceOf(`steps.a.output${path}`) as Reference, output);

  test.each([
    ['', output],
    ['.list[0].n', 1],
    ['.list.0', { n: 1 }],
    ['.empty', null],
    ['.deep.constructor', 'own'],
  ])('%j is found', (path, value) => {
    expect(find(path)).toEqual({ ok: true, value });
  });

  test.each([
    '.__proto__',
    '.constructor',
    '.constructor.prototype',
    '.toString',
    '.list.length',
    '.list.map',
    '.list[1]',
    '.list.-1',
    '.text.length',
    '.text.0',
    '.empty.x',
    '.list[0].__proto__.polluted',
  ])('%j is not there', (path) => {
    expect(find(path)).toEqual({ ok: false, failure: undefined });
  });
});

describe('an input with its references filled in', () => {
  const outputs = new Map<string, unknown>([
    ['a', { n: 7, yes: true, none: null, list: [1, 'x'], text: ref('steps.a.output.n'), long: 'x'.repeat(600_000) }],
  ]);
  const a = (field: string) => ref(`steps.a.output.${field}`);
  const resolve = (input: unknown) => resolveInput(input, { outputs });

  test('alone it keeps its type; among words it becomes text', () => {
    expect(
      resolve({ n: a('n'), list: [a('list')], text: `${a('n')} of ${a('list')}, ${a('yes')} ${a('none')}` }),
    ).toEqual({
      ok: true,
      value: { n: 7, list: [[1, 'x']], text: '7 of [1,"x"], true null' },
    });
  });

  test('what it stands for is not read for references again', () => {
    expect(resolve({ alone: a('text'), among: `<${a('text')}>` })).toEqual({
      ok: true,
      value: { alone: ref('steps.a.output.n'), among: `<${ref('steps.a.output.n')}>` },
    });
  });

  test('$${ is a plain ${', () => {
    expect(resolve(['$${HOME}', '$$${', '$', 'cost: $5'])).toEqual({
      ok: true,
      value: [ref('HOME'), '$${', '$', 'cost: $5'],
    });
  });

  test('an item stands for itself and its fields; a step that was skipped stands for nothing (B4)', () => {
    const item = { value: { title: 'Pack', list: [1] } };
    const input = { whole: ref('item'), text: `${ref('item.title')}: ${ref('item.list[0]')}`, step: a('n') };
    expect(resolveInput(input, { outputs, item })).toEqual({
      ok: true,
      value: { whole: item.value, text: 'Pack: 1', step: 7 },
    });
    expect(resolveInput({ x: ref('item.none') }, { outputs, item })).toEqual({
      ok: false,
      failure: 'x: holds a reference that stands for nothing: there is no such field in the item',
    });
    expect(resolveInput({ x: ref('steps.b.output') }, { outputs, item })).toEqual({
      ok: false,
      failure: 'x: holds a reference to a step that was skipped',
    });
  });

  test.each([
    [ref('item'), 'item'],
    [ref('steps.a.output.list'), 'steps.a.output.list'],
    [`${ref('item')} `, undefined],
    [`$${ref('item')}`, undefined],
    ['item', undefined],
    [ref('items'), undefined],
  ])('whether %j is one reference and nothing else', (text, reference) => {
    expect(findOnlyReference(text)?.text).toBe(reference);
  });

  test('all that is missing is told, by its place: the text may hold a secret', () => {
    const resolved = resolve({ list: [a('x')], text: `${a('y')}!` });
    expect(resolved).toEqual({
      ok: false,
      failure: expect.stringMatching(
        /^list\[0\]: holds a reference that stands .*; text: holds a reference that stands /,
      ),
    });
    expect(JSON.stringify(resolved)).not.toContain('steps.a');
  });

  test('a small input cannot fill the memory', () => {
    const started = process.memoryUsage().rss;
    expect(resolve({ text: `${a('long')} `.repeat(20_000) })).toEqual({
      ok: false,
      failure: expect.stringContaining('larger than 1 MB'),
    });
    expect(process.memoryUsage().rss - started).toBeLessThan(200_000_000);
  });

  test('a value without references comes out as it went in (property)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('${') && !JSON.stringify(value).includes('__proto__'));
        expect(resolveInput(value, { outputs: new Map() })).toEqual({ ok: true, value });
      }),
    );
  });

  test('a whole reference gives the very value, whatever it is (property)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(resolveInput({ x: ref('steps.s.output.v') }, { outputs: new Map([['s', { v: value }]]) })).toEqual({
          ok: true,
          value: { x: value },
        });
      }),
    );
  });
});
