// A file appears whole, never over another one, and nothing else stays beside it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clearLeftovers, nameBeside, placeAnew, withWholeFile } from './whole-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name = 'a') => join(folder, name);

test('what is handed over is finished, has its mode, and goes with the work', () => {
  const seen = withWholeFile(pathOf(), 'text', 0o600, (temporary) => [
    readFileSync(temporary, 'utf8'),
    statSync(temporary).mode & 0o777,
  ]);
  expect(seen).toEqual(['text', 0o600]);
  const fails = () =>
    withWholeFile(pathOf(), 'text', 0o600, () => {
      throw new Error('no');
    });
  expect(fails).toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('placeAnew() lets a file that is there stay', () => {
  expect(withWholeFile(pathOf(), 'first', 0o600, (temporary) => placeAnew(temporary, pathOf()))).toBe(true);
  expect(withWholeFile(pathOf(), 'second', 0o600, (temporary) => placeAnew(temporary, pathOf()))).toBe(false);
  expect([readFileSync(pathOf(), 'utf8'), readdirSync(folder)]).toEqual(['first', ['a']]);
});

test('clearLeftovers() takes away what an earlier process with our number left, and is quiet where there is no folder', () => {
  writeFileSync(pathOf(), 'text');
  for (const what of ['old', 'tmp'] as const) writeFileSync(nameBeside(pathOf(), what), 'left');
  clearLeftovers(pathOf());
  expect(readdirSync(folder)).toEqual(['a']);
  expect(() => clearLeftovers(pathOf('not/there'))).not.toThrow();
});
