// Long work lets others run.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTimeSlice } from './time-slice.ts';

test('a slice is spent after its time, and a rest starts the next one after everything else ran', async () => {
  let ms = 1_000;
  const uptime = vi.spyOn(process, 'uptime').mockImplementation(() => ms / 1_000);
  onTestFinished(() => uptime.mockRestore());
  const slice = createTimeSlice(20, 8);
  const looks = () => Array.from({ length: 16 }, () => slice.isSpent());
  ms += 19;
  expect(looks()).not.toContain(true);
  ms += 2;
  // It looks at the clock every so many steps.
  expect(looks().filter(Boolean)).toHaveLength(2);
  const order: string[] = [];
  setImmediate(() => order.push('another'));
  await slice.rest();
  order.push('the work');
  expect(order).toEqual(['another', 'the work']);
  expect(looks()).not.toContain(true);
});
