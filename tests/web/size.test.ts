// How much a browser has to read before the first page is there.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const assets = fileURLToPath(new URL('../../dist/web/assets/', import.meta.url));

const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
const page = readFileSync(new URL('../../dist/web/index.html', import.meta.url), 'utf8');

const compressed = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(assets + name)).length, 0);

test('what the first page needs is at most 100 kB of scripts, compressed', () => {
  const first = scripts.filter((name) => page.includes(name));
  expect(first).not.toEqual([]);
  expect(compressed(first)).toBeLessThanOrEqual(100_000);
});

test('all scripts of the dashboard, with those that a page fetches when it is opened, are at most 120 kB', () => {
  expect(compressed(scripts)).toBeLessThanOrEqual(120_000);
});
