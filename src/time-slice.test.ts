// Long work lets others run.
import { expect, test } from 'vitest';
import { createTimeSlice } from './time-slice.ts';

test('a slice is spent after its time, and a rest starts the next one after everything else ran', async () => {
  const slice = createTimeSlice(20);
  expect(Array.from({ length: 16 }, () => slice.isSpent())).not.toContain(true);
  const end = performance.now() + 25;
  while (performance.now() < end);
  // It looks at the clock every so many steps.
  expect(Array.from({ length: 16 }, () => slice.isSpent())).toContain(true);
  const order: string[] = [];
  setImmediate(() => order.push('another'));
  await slice.rest();
  order.push('the work');
  expect(order).toEqual(['another', 'the work']);
  expect(Array.from({ length: 16 }, () => slice.isSpent())).not.toContain(true);
});
