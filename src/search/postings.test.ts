// Runs of postings that grow, move and shrink.

import { expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { impactOf, Postings, slotOf } from './postings.ts';

const change = fc.record({ term: fc.nat(40), slot: fc.nat(300), impact: fc.nat(255) });

test('hold what was added and not removed, sorted by slot, however they moved and were packed', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3000, size: 'max' }), (changes) => {
      const postings = new Postings();
      const expected = new Map<number, Map<number, number>>();
      for (const { term, slot, impact } of changes) {
        const slots = expected.get(term) ?? new Map<number, number>();
        expected.set(term, slots);
        if (slots.delete(slot)) expect(postings.remove(term, slot)).toBe(slots.size);
        else postings.add(term, slot, slots.set(slot, impact).get(slot) ?? 0);
      }
      for (const [term, slots] of expected) {
        const found = Array.from(postings.of(term), (posting) => [slotOf(posting), impactOf(posting)]);
        expect(found).toEqual([...slots].sort(([a], [b]) => a - b));
      }
    }),
    { numRuns: 30 },
  );
});

test('a term that comes back does not write over others', () => {
  const postings = new Postings();
  postings.add(0, 1, 1);
  postings.remove(0, 1);
  for (let slot = 0; slot < 5000; slot += 1) postings.add(1 + (slot % 3), slot, 7);
  for (const slot of [1, 2, 3]) postings.add(0, slot, 9);
  for (const term of [1, 2, 3]) expect(new Set(Array.from(postings.of(term), impactOf))).toEqual(new Set([7]));
});

test('of() a term that no skill has is empty', () => {
  expect(new Postings().of(123_456)).toHaveLength(0);
  expect(new Postings().countOf(123_456)).toBe(0);
});

test('keep the largest slot whole', () => {
  const postings = new Postings();
  postings.add(0, 2 ** 24 - 1, 255);
  const [posting] = postings.of(0);
  expect([slotOf(posting ?? 0), impactOf(posting ?? 0)]).toEqual([2 ** 24 - 1, 255]);
});
