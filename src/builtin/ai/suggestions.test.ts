// What of a model's answer becomes a suggestion, and what is dropped (B3).
import { expect, test } from 'vitest';
import { parseSuggestions } from './suggestions.ts';

const GOOD = { title: 'Call Ada', description: null, priority: 3, confidence: 0.5 };
const parse = (suggestions: unknown, count = 10) => parseSuggestions(JSON.stringify({ suggestions }), count);

test.each([
  ['the least', { confidence: 0, priority: 1 }],
  ['the most', { confidence: 1, priority: 5, title: '🌱'.repeat(200), description: '🌱'.repeat(2_000) }],
])('%s that a suggestion may be is taken (B3)', (_what, given) => {
  expect(parse([{ ...GOOD, ...given }])).toEqual([{ ...GOOD, ...given }]);
});

test.each([
  ['no title', { title: undefined }],
  ['a blank title', { title: ' \n\t' }],
  ['a title of 201', { title: 'x'.repeat(201) }],
  ['a description of 2001', { description: 'x'.repeat(2_001) }],
  ['a description that is no text', { description: 7 }],
  ['priority 0', { priority: 0 }],
  ['priority 6', { priority: 6 }],
  ['priority 2.5', { priority: 2.5 }],
  ['priority as text', { priority: '3' }],
  ['confidence below 0', { confidence: -0.1 }],
  ['confidence above 1', { confidence: 1.1 }],
  ['no confidence', { confidence: undefined }],
])('a suggestion with %s is dropped, the others stay (B3)', (_what, bad) => {
  expect(parse([{ ...GOOD, ...bad }, GOOD])).toEqual([GOOD]);
  expect(parse([{ ...GOOD, ...bad }])).toBeUndefined();
});

test('the surplus is cut (B3)', () => {
  expect(parse(Array(30).fill(GOOD), 4)).toHaveLength(4);
});

test('a missing or empty description is null; fields that nobody asked for are gone', () => {
  const { description: _none, ...without } = GOOD;
  expect(parse([{ ...without, secret: 'x' }])).toEqual([GOOD]);
  expect(parse([{ ...GOOD, description: '' }])).toEqual([GOOD]);
});

test('what steers a terminal, a database or the direction of text does not come through', () => {
  const title = 'a\u0000b\u001b[31mc\ud800d\u202ee\nf';
  expect(parse([{ ...GOOD, title, description: 'x\u0007\ny' }])).toEqual([
    { ...GOOD, title: 'a b [31mc d e f', description: 'x \ny' },
  ]);
});

test.each([
  ['a fence', '```json\n{ "suggestions": [@] }\n```'],
  ['words around it', 'Here you are: { "suggestions": [@] } Enjoy!'],
])('JSON in %s is found', (_what, text) => {
  expect(parseSuggestions(text.replace('@', JSON.stringify(GOOD)), 3)).toEqual([GOOD]);
});

test.each([
  '',
  'no',
  '{',
  '}{',
  '[]',
  'null',
  '{}',
  '{"suggestions":{}}',
  '{"suggestions":[]}',
  '{"suggestions":[null,1,[]]}',
])('nonsense is told from suggestions: %j (B3)', (text) => {
  expect(parseSuggestions(text, 3)).toBeUndefined();
});
