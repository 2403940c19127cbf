// Background work that fails does not end the process (F14). In a process of its own: this one must not be guarded.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../fixtures/guarded-process.ts', import.meta.url));
const run = (mode: string) => spawnSync(process.execPath, ['--import', 'tsx', program, mode], { encoding: 'utf8' });

test('guardProcess logs and counts what would end the process (F14)', () => {
  const { status, stdout } = run('guarded');
  expect(status).toBe(0);
  const { faults, lines } = JSON.parse(stdout);
  expect(faults).toBe(2);
  expect(lines[0]).toMatch(/^An unhandled rejection.*guarded-process/s);
  expect(lines[1]).toMatch(/^An uncaught error.*guarded-process/s);
  // Where, not what: the words may hold a secret.
  expect(stdout).not.toContain('in the background');
});

test('without it the process ends', () => {
  expect(run('bare').status).not.toBe(0);
});
