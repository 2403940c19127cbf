// What a hit says about itself.
import { expect, test } from 'vitest';
import { SearchIndex } from './search-index.ts';
import { explainMatches } from './why.ts';

const index = new SearchIndex();
index.put({
  id: 'a',
  kind: 'document',
  name: 'pdf-tools',
  description: 'Fill in and flatten forms.',
  body: '# Signing\n\nPlaces a signature on the page.\n\n```sh\nqpdf --linearize in.pdf\n```\n',
});

const whyOf = (query: string): string => explainMatches(index.search(query, 1)[0]?.matches ?? []);

test('names the words of the query as they were written, each in its weightiest field', () => {
  expect(whyOf('PDF')).toBe('name: PDF');
  expect(whyOf('signatures qpdf')).toBe('body: signatures, qpdf');
  expect(index.search('Filling PDFs, signing pages', 1)[0]?.matches).toEqual([
    { field: 'name', words: ['PDFs'] },
    { field: 'description', words: ['Filling'] },
    { field: 'heading', words: ['signing'] },
    { field: 'body', words: ['pages'] },
  ]);
});

test.each([
  ['pdfForms', 'name: pdf; description: Forms'],
  ['COMMIT-FORMS', 'description: FORMS'],
  ['the-signature', 'body: signature'],
  ['Formssigning', 'description: Forms; heading: signing'],
  ['PageFlattens', 'description: Flattens; body: Page'],
])('shows of %s the parts that stand there, as they were written', (query, why) => {
  expect(whyOf(query)).toBe(why);
});

test.each([
  ['GitHub', 'git-tools', 'Works with github.', 'name: Git; body: GitHub'],
  ['GitHub', 'github', 'For git.', 'name: GitHub'],
  ['csvToJson', 'csv-to-json', '', 'name: csvToJson'],
  ['spread sheet', 'spreadsheet-tools', 'A sheet.', 'name: spread sheet'],
  ['CrashLoopBackOff', 'k8s-crashloop', 'It loops.', 'name: CrashLoop'],
])('shows a part of %s beside the compound only in a weightier field', (query, name, body, why) => {
  const own = new SearchIndex();
  own.put({ id: 'a', kind: 'document', name, description: '', body });
  own.put({ id: 'b', kind: 'document', name: 'other', description: '', body: 'Something else.' });
  expect(explainMatches(own.search(query, 1)[0]?.matches ?? [])).toBe(why);
});

test('shows the word that was typed, not the one that was guessed', () => {
  expect(whyOf('flaten')).toBe('description: flaten');
});

test('stops at six words', () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  expect(explainMatches([{ field: 'body', words }])).toBe('body: one, two, three, four, five, six, …');
});

test('says nothing about nothing', () => {
  expect(explainMatches([])).toBe('');
});
