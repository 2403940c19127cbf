// One promise for all callers, and a new one after a failure.
import { expect, test, vi } from 'vitest';
import { keptPromise } from './kept-promise.ts';

test('get() makes it once, also for callers at the same time', async () => {
  const make = vi.fn(async () => ({}));
  const kept = keptPromise(make);
  const [first, second] = await Promise.all([kept.get(), kept.get()]);
  expect(await kept.get()).toBe(first);
  expect(second).toBe(first);
  expect(make).toHaveBeenCalledOnce();
});

test('a failure reaches all who waited for it, and the next get() tries again', async () => {
  const make = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue('there');
  const kept = keptPromise(make);
  const ended = await Promise.allSettled([kept.get(), kept.get()]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(kept.find()).toBeUndefined();
  expect(await kept.get()).toBe('there');
  expect(make).toHaveBeenCalledTimes(2);
});

test('find() starts nothing', async () => {
  const make = vi.fn(async () => 'made');
  const kept = keptPromise(make);
  expect(kept.find()).toBeUndefined();
  expect(make).not.toHaveBeenCalled();
  kept.get();
  expect(await kept.find()).toBe('made');
});

test('what was forgotten is made again, and its late failure does not drop the new one', async () => {
  let failFirst = (_error: Error): void => {};
  const first = new Promise<string>((_, reject) => {
    failFirst = reject;
  });
  const make = vi.fn<() => Promise<string>>().mockReturnValueOnce(first).mockResolvedValue('second');
  const kept = keptPromise(make);
  const forgotten = kept.get();
  kept.forget();
  const second = kept.get();
  failFirst(new Error('late'));
  await expect(forgotten).rejects.toThrow('late');
  expect(kept.find()).toBe(second);
  expect(await second).toBe('second');
});
