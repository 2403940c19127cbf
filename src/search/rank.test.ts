// The largest of many, against sorting them all.

import { expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { takeLargest } from './rank.ts';

test('takeLargest() answers what sorting everything would, equal values by the given order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(6), { maxLength: 200, size: 'max' }),
      fc.integer({ min: 1, max: 30 }),
      (numbers, most) => {
        const values = Float64Array.from(numbers);
        const byPlaceDown = (a: number, b: number) => b - a;
        const sorted = numbers
          .map((_, place) => place)
          .filter((place) => (numbers[place] ?? 0) > 0)
          .sort((a, b) => (numbers[b] ?? 0) - (numbers[a] ?? 0) || byPlaceDown(a, b));
        expect(takeLargest(values, most, byPlaceDown)).toEqual(sorted.slice(0, most));
      },
    ),
  );
});
