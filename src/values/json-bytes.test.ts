// The size of a text as JSON, against JSON itself.
import { expect, test } from 'vitest';
import { jsonBytes } from './json-bytes.ts';

const EVERY_SHORT = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');

test.each(['', 'plain', '"quotes" and \\', '\u0001'.repeat(100), 'é€𝄞\u2028\u007f', EVERY_SHORT])(
  'the bytes of %j as JSON are known before (F10)',
  (text) => {
    expect(jsonBytes(Buffer.from(text))).toBe(Buffer.byteLength(JSON.stringify(text)) - 2);
  },
);
