// A sum is CRC-32, however it is counted.
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { sumOf } from './checksum.ts';

test('the sum of few bytes is the same as that of many', () => {
  for (const length of [0, 1, 9, 32_768, 32_769]) {
    const bytes = Buffer.alloc(length, 'repertoire\u00ff');
    expect([sumOf(bytes), sumOf(bytes, 7)]).toEqual([crc32(bytes), crc32(bytes, 7)]);
  }
});
