// An index that was kept and restored answers like the one it was, and one whose bytes are not those is not read (DESIGN 15).
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeImage, encodeImage, type IndexImage } from './index-image.ts';
import { type SearchEntry, SearchIndex } from './search-index.ts';

const entries: readonly SearchEntry[] = [
  ['pdf-forms', 'Fills in and flattens forms.', '# PDF forms\n\n## Copying fields\n\nKeep the layout.\n'],
  ['release-notes', 'Writes the notes of a release from merged changes.', '# Notes\n\nQuinces and `git log`.\n'],
  ['go-patterns', 'Idioms of Golang.', 'Channels, contexts and `select`.\n'],
  ['résumé-writer', 'Polishes a curriculum vitae for GitHub.', '翻訳 する\n'],
].map(([name = '', description = '', body = '']) => ({ id: `id:${name}`, kind: 'document', name, description, body }));

const form = { program: '1.0.0 build', sumOf: (bytes: Uint8Array, before: number) => crc32(bytes, before) };
const keyOf = (id: string): string => id.padEnd(16, '.').slice(0, 16);

function indexOf(all: readonly SearchEntry[]): SearchIndex {
  const index = new SearchIndex();
  for (const entry of all) index.put(entry);
  return index;
}

const bytesOf = (index: SearchIndex): Buffer => Buffer.concat([...encodeImage(index.imageOf(keyOf), form)]);

function imageIn(bytes: Buffer, program = form.program): IndexImage | undefined {
  const steps = decodeImage(bytes, { ...form, program });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value ?? undefined;
  }
}

function restored(bytes: Buffer, of: readonly SearchEntry[]): { index: SearchIndex; found: string[] } {
  const index = new SearchIndex();
  const image = imageIn(bytes);
  const found: string[] = [];
  if (image === undefined) throw new Error('not read');
  for (const _step of index.restore(
    image,
    of,
    ({ id }) => keyOf(id),
    ({ name }) => found.push(name),
  ));
  return { index, found };
}

const QUERIES = [
  'forms',
  'quinces',
  'a Go select',
  'migartion',
  'relese',
  'resume',
  '翻訳',
  'github',
  'copying',
  'pdf forms',
];
const answersOf = (index: SearchIndex) => QUERIES.map((query) => index.search(query, 10));

describe('a restored index (T13)', () => {
  test('answers as the one that was kept', () => {
    const index = indexOf(entries);
    const again = restored(bytesOf(index), entries);
    expect(again.found).toEqual(entries.map(({ name }) => name));
    expect(answersOf(again.index)).toEqual(answersOf(index));
  });

  test('is followed like any other: what is put, replaced and removed counts', () => {
    const [first, ...rest] = entries as [SearchEntry, ...SearchEntry[]];
    const { index } = restored(bytesOf(indexOf(entries)), rest);
    const changed = { ...first, description: 'Stamps quinces.' };
    index.put(changed);
    index.remove('id:go-patterns');
    const fresh = indexOf([changed, ...rest.filter(({ name }) => name !== 'go-patterns')]);
    expect(answersOf(index)).toEqual(answersOf(fresh));
    expect(index.size).toBe(3);
  });

  test('has nothing of a skill that is gone or says something else', () => {
    const [, ...rest] = entries;
    const { index, found } = restored(bytesOf(indexOf(entries)), rest);
    expect(found).toHaveLength(3);
    expect(answersOf(index)).toEqual(answersOf(indexOf(rest)));
  });

  test('is kept again, with numbers that were given back in between', () => {
    const index = indexOf(entries);
    index.remove('id:release-notes');
    const { index: again } = restored(bytesOf(index), entries);
    const { index: third } = restored(bytesOf(again), entries);
    expect(answersOf(third)).toEqual(answersOf(index));
  });

  test('of nothing is empty', () => {
    expect(restored(bytesOf(indexOf([])), entries).index.size).toBe(0);
  });
});

describe('bytes are not read (DESIGN 15)', () => {
  const bytes = bytesOf(indexOf(entries));

  test('when they are of another program', () => {
    expect(imageIn(bytes, '1.0.1 build')).toBeUndefined();
  });

  test('when they are cut off anywhere', () => {
    for (let length = 0; length < bytes.length; length += 1) expect(imageIn(bytes.subarray(0, length))).toBeUndefined();
  });

  test('when one of them is another', () => {
    const start = bytes.indexOf('\n') + 1;
    for (let at = start; at < bytes.length; at += 1) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] as number) ^ 1;
      expect(imageIn(other)).toBeUndefined();
    }
  });
});
