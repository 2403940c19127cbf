// How much a browser has to read before the first page is there.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const assets = fileURLToPath(new URL('../../dist/web/assets/', import.meta.url));

test('all scripts of the dashboard are at most 120 kB, compressed', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const bytes = scripts.map((name) => gzipSync(readFileSync(assets + name)).length);
  expect(scripts.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120_000);
});
