// What a build does to keep the compiled program, when the program does not start, and where nothing is kept.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepCompiled } from '../scripts/keep-compiled.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-keep-'));
  writeFileSync(join(folder, 'cli.js'), 'process.exit(3)');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('keepCompiled() does not wait for a program that has exited', async () => {
  await expect(keepCompiled(folder, 'linux')).rejects.toThrow('it exited with 3 at once');
});

test('keepCompiled() starts nothing on Windows, where a start keeps nothing', async () => {
  await keepCompiled(folder, 'win32');
  expect(readdirSync(folder)).toEqual(['cli.js']);
});
