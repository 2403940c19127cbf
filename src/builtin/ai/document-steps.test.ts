// The steps of a document skill, as authors write them (B4).
import { expect, test } from 'vitest';
import { documentSteps } from './document-steps.ts';

const titles = (body: string) => documentSteps(body).map(({ title }) => title);

test('a numbered list gives its items, without marks; the first sentence is the title (B4, M6)', () => {
  const body = [
    '# Notes',
    '',
    '1. Find the range: `git log`; see [the manual](https://example.org/x). It takes',
    '   a moment.',
    '2. **Sort.** Drop what *no* user can notice.',
    '   - a detail',
    '',
    '   More about it.',
    '3. Check',
    '',
    'The end.',
  ].join('\n');
  expect(documentSteps(body)).toEqual([
    { title: 'Find the range: git log; see the manual', more: 'It takes a moment.' },
    { title: 'Sort', more: 'Drop what *no* user can notice. More about it.' },
    { title: 'Check', more: '' },
  ]);
});

test('numbered headings come before lists, the longest list before others (B4)', () => {
  expect(titles('## Step 1: Pack\n1. a b\n2. c d\n3. e f\n## Step 2: Drive ##\n')).toEqual(['Pack', 'Drive']);
  expect(titles('## One\n1. a\n2. b\n\n## Other\n1. x\n2. y\n3. z\n')).toEqual(['x', 'y', 'z']);
  expect(titles('- [ ] Pack\n- [x] Drive\n')).toEqual(['Pack', 'Drive']);
});

test.each([
  ['no list', 'Just words.\n\nAnd more.'],
  ['one item', '1. Alone'],
  ['plain points', '- a\n- b'],
  ['a list in code', '```\n1. a\n2. b\n```\n~~~sh\n1. a\n2. b\n'],
  ['a list in a comment', '<!--\n1. a\n2. b\n-->'],
])('%s has no steps', (_what, body) => {
  expect(documentSteps(body)).toEqual([]);
});

test('a large text is read at once, whatever is in it', () => {
  for (const piece of ['1. a\n', '```\n', '<!-- ', '**a', '[a](', '# 1. ', '`', ' \n'])
    expect(Array.isArray(documentSteps(piece.repeat(Math.ceil(1_000_000 / piece.length))))).toBe(true);
});
