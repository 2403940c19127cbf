import { expect, test } from 'vitest';
import { createKeptArchives } from './kept-archives.ts';

test('a flood on one archive packs it once, and on many only a few at a time (S6)', async () => {
  let [packed, atOnce, most] = [0, 0, 0];
  const archives = createKeptArchives(async (key: { readonly size: number }) => {
    packed += 1;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return Buffer.alloc(key.size);
  });
  const one = { size: 10 };
  const answers = await Promise.all(Array.from({ length: 500 }, () => archives.get(one)));
  expect([packed, new Set(answers).size]).toEqual([1, 1]);
  await archives.get(one);
  expect(packed).toBe(1);
  await Promise.all(Array.from({ length: 50 }, () => archives.get({ size: 10 })));
  expect([packed, most]).toEqual([51, 2]);
});

test('what is larger than all that is kept is packed again, and what failed is tried again (S6)', async () => {
  let packed = 0;
  const archives = createKeptArchives(async (key: { readonly size: number | undefined }) => {
    packed += 1;
    return key.size === undefined ? undefined : Buffer.alloc(key.size);
  });
  const [large, broken] = [{ size: 33 * 1024 * 1024 }, { size: undefined }];
  for (const key of [large, large, broken, broken]) await archives.get(key);
  expect(packed).toBe(4);
});
