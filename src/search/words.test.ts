// How text is cut into pieces, and pieces into terms.
import { describe, expect, test } from 'vitest';
import { forEachPiece, nameKey, readPiece } from './words.ts';

const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  forEachPiece(text, 0, text.length, (piece) => pieces.push(piece));
  return pieces;
};

describe('forEachPiece()', () => {
  test('cuts at spaces and punctuation, and keeps compounds', () => {
    expect(piecesOf('Fill "pdf-forms", e.g. csvToJson (node_modules) -- ./a/b.json.')).toEqual([
      'Fill',
      'pdf-forms',
      'e.g',
      'csvToJson',
      'node_modules',
      'a',
      'b.json',
    ]);
  });

  test('reads only the stretch that it is given', () => {
    const pieces: string[] = [];
    forEachPiece('one two-three four', 4, 8, (piece) => pieces.push(piece));
    expect(pieces).toEqual(['two']);
  });

  test.each(['', ' ', '...', '-_-', "'"])('finds nothing in %j', (text) => {
    expect(piecesOf(text)).toEqual([]);
  });
});

const termsOf = (piece: string): string[] => readPiece(piece).parts.map(({ term }) => term);

describe('readPiece()', () => {
  test.each([
    ['csvToJson', ['csv', 'json'], 'csvtojson'],
    ['node_modules', ['node', 'modul'], 'nodemodul'],
    ['utf-8', ['utf', '8'], 'utf8'],
    ['GitHub', ['git', 'hub'], 'github'],
    ['PDFForm', ['pdf', 'form'], 'pdfform'],
    ['PDFs', ['pdf'], undefined],
    ['OAuth', ['oauth'], undefined],
    ['python3', ['python3', 'python'], undefined],
    ['k8s', ['k8s'], undefined],
    ["user's", ['user'], undefined],
    ['user’s', ['user'], undefined],
    ['to-do', ['todo'], undefined],
    ['a-b-c-d', ['b', 'c', 'd'], undefined],
  ])('splits the compound %s', (piece, terms, whole) => {
    expect(termsOf(piece)).toEqual(terms);
    expect(readPiece(piece)).toMatchObject({ whole, isStop: false });
  });

  test.each([
    ['pdfForms', ['pdf', 'Forms'], ['pdf', 'forms']],
    ['COMMIT-MESSAGES', ['COMMIT', 'MESSAGES'], ['commit', 'messages']],
    ['the-Migration', ['Migration'], ['migration']],
    ['Python3', ['Python3', 'Python'], ['python3', 'python']],
    ['Résumés', ['Résumés'], ['resumes']],
    ["User's", ["User's"], ['user']],
    ['To-do', ['To-do'], ['todo']],
    ['翻訳する', ['翻訳', '訳す', 'する'], ['翻訳', '訳す', 'する']],
  ])('knows how the parts of %s are written, and their letters', (piece, written, letters) => {
    expect(readPiece(piece).parts.map((part) => part.written)).toEqual(written);
    expect(readPiece(piece).parts.map((part) => part.letters)).toEqual(letters);
  });

  test.each(['the', 'THE', "don't", 'would'])('knows %s as a small word', (piece) => {
    expect(readPiece(piece).isStop).toBe(true);
  });

  test('folds accents, composed or combining, and full-width letters', () => {
    for (const spelling of ['résumé', 're\u0301sume\u0301', 'ｒｅｓｕｍｅ'])
      expect(termsOf(spelling)).toEqual(termsOf('resume'));
  });

  test('reads scripts without spaces by pairs of characters', () => {
    expect(termsOf('翻訳する')).toEqual(['翻訳', '訳す', 'する']);
    expect(termsOf('字')).toEqual(['字']);
  });

  test('leaves out keys and hashes', () => {
    for (const piece of ['a'.repeat(41), 'ee373f88b512a38e', '1731628800000'])
      expect(readPiece(piece).parts).toEqual([]);
    for (const piece of ['sha256sum', '20240512', '00042']) expect(readPiece(piece).parts).toHaveLength(1);
    expect(readPiece('v10.16.0').whole).toBeUndefined();
  });
});

test.each(['PDF Forms', 'pdf_forms', ' pdf-forms ', 'Pdf - Forms'])('nameKey() reads %j as pdf-forms', (name) => {
  expect(nameKey(name)).toBe('pdf-forms');
});
