// Search over heads alone: what is found, in which order, and what is said about it.
import { describe, expect, test } from 'vitest';
import { HeadScan } from './head-scan.ts';
import { createHead, headingsOf } from './heads.ts';
import { SearchIndex } from './search-index.ts';
import { explainMatches } from './why.ts';

const skills = [
  ['pdf-forms', 'Fills in and flattens forms.', '# PDF forms\n\n## Copying fields\n'],
  ['release-notes', 'Writes the notes of a release from merged changes.', '# Notes\n\n## Plan\n'],
  ['sql-review', 'Reviews database migrations before they are applied.', '# Review\n'],
  ['résumé-writer', 'Polishes a curriculum vitae for GitHub.', ''],
  ['translate', '文書を翻訳する。', ''],
  ['formula', 'Explains formulas and formats of spreadsheets.', ''],
] as const;

const entries = skills.map(([name, description, body]) => ({ id: `id:${name}`, name, description, body }));

const headOf = (entry: (typeof entries)[number]) =>
  createHead({ ...entry, headings: headingsOf(Buffer.from(entry.body), 10_000) });

function search(query: string, limit = 5) {
  const scan = new HeadScan(query);
  for (const entry of entries) scan.add(headOf(entry));
  return scan.best(limit);
}

const namesOf = (query: string): readonly string[] => search(query).map(({ id }) => id.slice(3));
const whyOf = (query: string): string | undefined => search(query).map(({ matches }) => explainMatches(matches))[0];

describe('a word is found in every form, and in no other word', () => {
  test.each([
    ['form', ['pdf-forms']],
    ['copies', ['pdf-forms']],
    ['review migration', ['sql-review']],
    ['resume', ['résumé-writer']],
    ['Github', ['résumé-writer']],
    ['翻訳', ['translate']],
    ['formatting', ['formula']],
    ['lease', []],
    ['the', ['release-notes']],
    ['', []],
    ['…', []],
  ])('%j', (query, names) => {
    expect(namesOf(query)).toEqual(names);
  });
});

test('a name that is asked for exactly stands first, above all others', () => {
  const [first, ...rest] = search('PDF Forms, release notes'.split(',')[1] ?? '');
  expect(first?.id).toBe('id:release-notes');
  expect(first?.score).toBeGreaterThan(100);
  expect(rest).toEqual([]);
});

test('says which words stand where, each once, in the weightiest field', () => {
  expect(whyOf('flatten the fields of pdf forms')).toBe('name: pdf, forms; description: flatten; heading: fields');
});

test('a word in the name is worth more than one in a heading', () => {
  expect(namesOf('plan forms')).toEqual(['pdf-forms', 'release-notes']);
});

test('gives as many as were asked for, and the same for any order of the skills', () => {
  expect(search('forms notes review', 2)).toHaveLength(2);
  const backwards = new HeadScan('forms notes review');
  for (const entry of entries.toReversed()) backwards.add(headOf(entry));
  expect(backwards.best(5)).toEqual(search('forms notes review'));
});

test('finds first what the index finds first, for words that stand in names and descriptions', () => {
  const index = new SearchIndex();
  for (const entry of entries) index.put({ kind: 'document', ...entry });
  for (const query of ['fill a form', 'notes for the next release', 'database', 'translate', 'spreadsheets']) {
    expect(search(query)[0]?.id, query).toBe(index.search(query, 1)[0]?.id);
  }
});

describe('headingsOf()', () => {
  test('takes the title and the sections, and leaves comments in code', () => {
    expect(headingsOf(Buffer.from('# Títle\ntext\n## One\n```sh\n# a comment\n```\n### Two\n'), 10_000)).toBe(
      '# Títle\n## One\n### Two\n',
    );
  });

  test.each([
    ['nothing', ''],
    ['no heading', 'text # no heading\n'],
  ])('finds none in %s', (_case, body) => {
    expect(headingsOf(Buffer.from(body), 10_000)).toBe('');
  });

  test('ends after 2,000 characters', () => {
    expect(headingsOf(Buffer.from('## Section of the document\n'.repeat(50_000)), 1e6)).toHaveLength(2_000);
    expect(headingsOf(Buffer.from(`# ${'x'.repeat(1_000_000)}`), 1e6)).toHaveLength(2_000);
  });
});

test('"Go" is the language before the index is there, too (T13)', () => {
  const scan = new HeadScan('Write a Go worker');
  const named = (name: string, description: string) => createHead({ id: name, name, description, headings: '' });
  for (const head of [named('go-patterns', 'Idioms.'), named('golang-context', 'Cancels.'), named('gopher', 'Mail.')])
    scan.add(head);
  expect(scan.best(5).map(({ id }) => id)).toEqual(['go-patterns', 'golang-context']);
});
