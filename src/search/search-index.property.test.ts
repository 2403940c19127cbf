// What must hold for any corpus and any query.

import { describe, expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { type SearchEntry, SearchIndex } from './search-index.ts';

const WORDS = [
  'pdf',
  'forms',
  'fill',
  'merge',
  'invoice',
  'reminder',
  'the',
  'csvToJson',
  'kubernetes',
  'pods',
  'report',
  'migration',
  'migrations',
  'migrating',
  '漢字',
];

const words = (most: number) => fc.array(fc.constantFrom(...WORDS), { maxLength: most, size: 'max' });
const body = fc
  .array(fc.tuple(fc.constantFrom('# ', '', '```\n', '\n'), words(30)), { maxLength: 12, size: 'max' })
  .map((lines) => lines.map(([opening, text]) => `${opening}${text.join(' ')}`).join('\n'));
const entry: fc.Arbitrary<SearchEntry> = fc.record({
  id: fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `id-${index}`)),
  kind: fc.constantFrom('document' as const, 'typed' as const),
  name: words(3).map((parts) => parts.join('-')),
  description: words(12).map((text) => text.join(' ')),
  body,
});
type Change = { readonly put: SearchEntry } | { readonly remove: string };
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: entry.map((put) => ({ put })) },
  { weight: 1, arbitrary: entry.map(({ id }) => ({ remove: id })) },
);
const query = fc.oneof(
  words(6).map((text) => text.join(' ')),
  fc.constantFrom('invoi', 'kubernets', 'mrege', 'pdfforms', 'in voice', 'csv', 'migartion', 'migratoin', 'zzqx'),
);

test('answers depend on what is indexed, not on how it came about', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 40, size: 'max' }),
      fc.array(query, { minLength: 1, maxLength: 6 }),
      (changes, queries) => {
        const { index, present } = follow(changes);
        const fresh = new SearchIndex();
        for (const each of [...present.values()].sort((a, b) => (a.id < b.id ? 1 : -1))) fresh.put(each);
        expect(index.size).toBe(fresh.size);
        for (const each of queries) expect(index.search(each, 50)).toEqual(fresh.search(each, 50));
      },
    ),
    { numRuns: 150 },
  );
});

test('which of many beginnings are meant does not depend on the order either', () => {
  const named = ['invoak', 'invobk', 'invock', 'invodk', 'invoek', 'invofk'].map((name) => ({ put: entryNamed(name) }));
  const [forth, back] = [follow(named), follow(named.toReversed())];
  expect(forth.index.search('invo', 10)).toEqual(back.index.search('invo', 10));
  expect(forth.index.search('invo', 10).map(({ id }) => id)).toEqual(['invoak', 'invobk', 'invock', 'invodk']);
});

test('a smaller limit gives the beginning of the larger answer', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 30, size: 'max' }),
      query,
      fc.integer({ min: 1, max: 10 }),
      (changes, each, limit) => {
        const { index } = follow(changes);
        expect(index.search(each, limit)).toEqual(index.search(each, 50).slice(0, limit));
      },
    ),
  );
});

test('the exact name comes first', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20, size: 'max' }), (entries) => {
      const { index, present } = follow(entries.map((put) => ({ put })));
      for (const { name } of present.values()) {
        const first = index.search(name.toUpperCase().replaceAll('-', ' '), 5)[0]?.id ?? '';
        expect(present.get(first)?.name).toBe(name);
      }
    }),
  );
});

describe('hostile input', () => {
  const { index } = follow([
    {
      put: {
        id: 'a',
        kind: 'document',
        name: 'constructor',
        description: '__proto__ .* (a+)+$',
        body: '# toString\n\n漢字仮名',
      },
    },
  ]);

  test('any text may be indexed and asked for', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(text, text, text, text, (name, description, anyBody, asked) => {
        const own = follow([{ put: { id: name, kind: 'document', name, description, body: anyBody } }]).index;
        own.search(asked, 5);
        own.search(description, 5);
        own.remove(name);
        expect(own.size).toBe(0);
      }),
    );
  });

  test.each(['constructor', '__proto__', 'toString', '漢字', '.* (a+)+$', 'prot'])(
    '%s is a word like others',
    (asked) => {
      expect(index.search(asked, 5).map(({ id }) => id)).toEqual(['a']);
    },
  );

  test.each(['hasOwnProperty', 'valueOf', '[', '\\', '👩‍👩‍👧', '\ud800'])('%s is nowhere', (asked) => {
    expect(index.search(asked, 5)).toEqual([]);
  });

  test.each([
    ['words', 'constructor of things '.repeat(50_000)],
    ['one word', 'x'.repeat(2 ** 20)],
    ['different words', Array.from({ length: 150_000 }, (_, number) => `w${number}`).join(' ')],
    ['characters without spaces', '漢字仮名'.repeat(2 ** 18)],
    ['joiners', 'a-'.repeat(2 ** 19)],
    ['combining characters', `e${'\u0301'.repeat(2 ** 20)}`],
    ['apostrophes', "'s".repeat(2 ** 19)],
    ['capitals', 'aB'.repeat(2 ** 19)],
    ['spaces', ' '.repeat(2 ** 20)],
  ])('a megabyte of %s is read once', (_case, asked) => {
    // A square of its length would take many minutes: beyond the limit of a test.
    expect(index.search(asked, 5).length).toBeLessThanOrEqual(5);
  });
});

function entryNamed(name: string): SearchEntry {
  return { id: name, kind: 'document', name, description: '', body: '' };
}

function follow(changes: readonly Change[]): { index: SearchIndex; present: ReadonlyMap<string, SearchEntry> } {
  const index = new SearchIndex();
  const present = new Map<string, SearchEntry>();
  for (const each of changes) {
    if ('put' in each) {
      index.put(each.put);
      present.set(each.put.id, each.put);
    } else {
      index.remove(each.remove);
      present.delete(each.remove);
    }
  }
  return { index, present };
}
