// Texts that would keep a page busy are shown as text; what people write is rendered. Without a browser.
import { expect, test } from 'vitest';
import { whyAsText } from '../../web/src/text/markdown-limits.ts';

test.each([
  ['a long text', 'word '.repeat(50_000), 'longer than 200 kB'],
  ['emphasis inside of words', 'a**b'.repeat(2_001), 'very many marks'],
  ['underscores', 'a __b '.repeat(2_001), 'very many marks'],
  ['brackets in brackets', '['.repeat(2_001), 'very many marks'],
  ['quotes in quotes', '> '.repeat(300), 'very many marks'],
  ['lists in lists', `fine\n\n${'1. '.repeat(300)}`, 'very many marks'],
])('%s: as text, with the reason', (_name, text, reason) => {
  expect(whyAsText(text)).toContain(reason);
});

test.each([
  ['nothing', ''],
  ['many marks in many paragraphs', 'some **bold** and _slanted_ words\n\n'.repeat(3_000)],
  ['many links in one paragraph', '[a](b) '.repeat(3_000)],
  ['a long rule', '-'.repeat(5_000)],
  ['spaces without end', ' '.repeat(100_000)],
])('%s: rendered', (_name, text) => {
  expect(whyAsText(text)).toBeUndefined();
});
