// What is opened together is closed together, also when the opening fails half way.
import { expect, test } from 'vitest';
import { fail, ok } from '../values/result.ts';
import { openTogether } from './open-together.ts';

test('nothing is closed before close(), and then all of it once, the last first', async () => {
  const closed: string[] = [];
  const opened = await openTogether(async ({ add, close }) => {
    add(() => closed.push('first'));
    add(async () => closed.push('second'));
    return ok(close);
  });
  expect(closed).toEqual([]);
  if (opened.ok) await opened.value();
  if (opened.ok) await opened.value();
  expect(closed).toEqual(['second', 'first']);
});

test('a failure and a throw close what was opened', async () => {
  const closed: string[] = [];
  const failed = openTogether(async ({ add }) => {
    add(() => closed.push('of the failure'));
    return fail('no');
  });
  expect(await failed).toEqual({ ok: false, failure: 'no' });
  const thrown = openTogether(async ({ add }) => {
    add(() => closed.push('of the throw'));
    throw new Error('broken');
  });
  await expect(thrown).rejects.toThrow('broken');
  expect(closed).toEqual(['of the failure', 'of the throw']);
});

test('all is closed, also when closing one thing fails', async () => {
  const closed: string[] = [];
  const opened = await openTogether(async ({ add, close }) => {
    add(() => closed.push('first'));
    add(() => Promise.reject(new Error('stuck')));
    return ok(close);
  });
  await expect(opened.ok && opened.value()).rejects.toThrow('stuck');
  expect(closed).toEqual(['first']);
});
