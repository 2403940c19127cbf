// The program as its readers run it, twice: the log of the first run is there in the second.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'repertoire-embedded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(): readonly string[] {
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  const loader = import.meta.resolve('tsx');
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', loader, MAIN], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('runs its own skill and a built-in one, and keeps a log of both (C, X7)', () => {
  expect(run()).toEqual(['Hello, Ada', 'user_creation completed', 'greet completed']);
  expect(run()).toEqual([
    'Hello, Ada',
    'user_creation failed',
    'greet completed',
    'user_creation completed',
    'greet completed',
  ]);
});

test('is a program of twenty lines', () => {
  const lines = readFileSync(MAIN, 'utf8').split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(20);
});
