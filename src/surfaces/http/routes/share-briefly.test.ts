// One look for many, fresh for a while that may depend on what it took.
import { expect, test } from 'vitest';
import { shareBriefly } from './share-briefly.ts';

function openShared(keepMs: (tookMs: number) => number = () => 100) {
  const clock = { ms: 0 };
  const looks: { end(): void; fail(): void }[] = [];
  const look = () =>
    new Promise<number>((resolve, reject) => {
      const number = looks.length + 1;
      looks.push({ end: () => resolve(number), fail: () => reject(new Error(`look ${number}`)) });
    });
  return { clock, looks, ask: shareBriefly(look, { monotonicMs: () => clock.ms, keepMs }) };
}

test('who asks while a look is under way gets that one, however long it takes', async () => {
  const { ask, clock, looks } = openShared();
  const first = ask();
  clock.ms = 10_000;
  const second = ask();
  looks[0]?.end();
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(looks).toHaveLength(1);
});

test('it is kept for a while after it has ended, and then looked again', async () => {
  const { ask, clock, looks } = openShared();
  const first = ask();
  clock.ms = 50;
  looks[0]?.end();
  await first;
  clock.ms = 149;
  expect(await ask()).toBe(1);
  clock.ms = 150;
  const second = ask();
  looks[1]?.end();
  expect(await second).toBe(2);
});

test('what took long is kept long', async () => {
  const { ask, clock, looks } = openShared((tookMs) => tookMs * 20);
  const first = ask();
  clock.ms = 100;
  looks[0]?.end();
  await first;
  clock.ms = 2_099;
  await ask();
  expect(looks).toHaveLength(1);
});

test('a failure is shared and kept, too', async () => {
  const { ask, clock, looks } = openShared();
  const answers = Promise.allSettled([ask(), ask()]);
  looks[0]?.fail();
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(ask()).rejects.toThrow('look 1');
  clock.ms = 100;
  const again = ask();
  looks[1]?.end();
  expect(await again).toBe(2);
});
