// Records read back as they were written.

import { expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { RecordReader, RecordWriter } from './skill-record.ts';

const passages = fc
  .uniqueArray(fc.nat(100_000), { maxLength: 40, size: 'max' })
  .map((all) => all.sort((a, b) => a - b));
const term = fc.record({ term: fc.nat(2 ** 28), impact: fc.nat(255), passages });

test('a record reads back as it was written, with passages or without', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 60 }), fc.boolean(), (terms, withPassages) => {
      const writer = new RecordWriter();
      for (const each of terms)
        writer.addTerm(
          each.term,
          each.impact,
          each.passages.map((n) => n * 2 + (n % 2)),
        );
      const reader = new RecordReader();
      reader.open(writer.take());
      for (const expected of terms) {
        expect(reader.nextTerm()).toBe(true);
        expect([reader.term, reader.impact]).toEqual([expected.term, expected.impact]);
        if (withPassages) expect(readPassages(reader)).toEqual(expected.passages.map((n) => [n, n % 2 === 1]));
      }
      expect(reader.nextTerm()).toBe(false);
      expect(writer.take()).toHaveLength(0);
    }),
  );
});

function readPassages(reader: RecordReader): [number, boolean][] {
  const read: [number, boolean][] = [];
  while (reader.nextPassage()) read.push([reader.passage, reader.isCodeOnly]);
  return read;
}
