import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

const program = fileURLToPath(new URL('fixtures/count-up.ts', import.meta.url));
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-one-at-a-time-'));
  path = join(folder, 'count');
  writeFileSync(path, '0');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('four processes lose no change of another, also while notes of killed ones lie about', async () => {
  const dead = String(spawnSync(process.execPath, ['--version']).pid);
  const ended = Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', program, path, '25', dead], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    return code;
  });
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
  expect(readFileSync(path, 'utf8')).toBe('100');
  expect(readdirSync(folder)).toEqual(['count']);
});

test('work that throws leaves room for the next', async () => {
  const broken = oneAtATime(path, () => {
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  expect(await oneAtATime(path, () => 'next')).toEqual({ ok: true, value: 'next' });
});

test('a living process is waited for', async () => {
  const note = `${path}.${process.pid}-ab.busy`;
  writeFileSync(note, '');
  const waiting = oneAtATime(path, () => readdirSync(folder).includes('count.other'));
  setTimeout(() => {
    writeFileSync(`${path}.other`, '');
    rmSync(note);
  }, 50);
  expect(await waiting).toEqual({ ok: true, value: true });
});
