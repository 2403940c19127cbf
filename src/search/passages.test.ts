// Where the passages of a body begin and end.
import { expect, test } from 'vitest';
import { segmentsOf as walk } from './passages.ts';

interface Segment {
  readonly text: string;
  readonly kind: string;
  readonly passage: number;
}

const segmentsOf = (body: string): Segment[] =>
  [...walk(body)].map(({ from, to, kind, passage }) => ({ text: body.slice(from, to), kind, passage }));

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

test('tells headings, prose and code apart', () => {
  const body = '# Title\ntext\n```sh\n# no heading\n```\nmore #hash\n~~~\ncode\n```\ncode\n~~~\nend';
  expect(segmentsOf(body).map(({ kind }) => kind)).toEqual([
    ...['heading', 'prose', 'code', 'code', 'code', 'prose'],
    ...['code', 'code', 'code', 'code', 'code', 'prose'],
  ]);
});

test('begins a passage with each section that is not too short', () => {
  const body = `## One\n${words(60)}\n## Two\nshort\n## Three\n${words(60)}`;
  const passageOf = (heading: string) => segmentsOf(body).find(({ text }) => text === `## ${heading}`)?.passage;
  expect([passageOf('One'), passageOf('Two'), passageOf('Three')]).toEqual([0, 1, 1]);
});

test('ends a full passage with its paragraph', () => {
  const paragraph = words(50);
  const passages = segmentsOf(Array.from({ length: 6 }, () => paragraph).join('\n\n')).map(({ passage }) => passage);
  expect(passages).toEqual([0, 0, 1, 1, 2, 2]);
});

test.each([
  ['one long line', words(2000)],
  ['one long word', 'x'.repeat(20_000)],
  ['lines without paragraphs', Array.from({ length: 300 }, () => words(8)).join('\n')],
  ['one code block', `\`\`\`\n${Array.from({ length: 300 }, () => words(8)).join('\n')}`],
])('bounds the passages of %s', (_case, body) => {
  const lengths = new Map<number, number>();
  for (const { text, passage } of segmentsOf(body)) lengths.set(passage, (lengths.get(passage) ?? 0) + text.length);
  expect(Math.max(...lengths.values())).toBeLessThanOrEqual(2000);
  expect(
    segmentsOf(body)
      .map(({ text }) => text)
      .join('').length,
  ).toBeGreaterThanOrEqual(body.length - 300);
});

test('reads Windows line ends', () => {
  expect(segmentsOf('# A\r\n\r\ntext\r\n').map(({ kind }) => kind)).toEqual(['heading', 'prose', 'prose']);
});
