import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupPathOf, type ConfigFile, openConfigFile, writeBackup, writeConfigFile } from './config-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (path: string): ConfigFile => {
  const opened = openConfigFile(path);
  if (!opened.ok) throw new Error(opened.failure);
  return opened.value;
};

test('writeConfigFile() refuses when somebody else wrote the file meanwhile, or made it (C)', () => {
  const path = join(folder, 'a.json');
  const missing = open(path);
  writeFileSync(path, 'one');
  expect(writeConfigFile(missing, 'mine', 0o666)).toMatchObject({ ok: false });
  const file = open(path);
  writeFileSync(path, 'two');
  expect(writeConfigFile(file, 'mine', 0o666)).toEqual({
    ok: false,
    failure: 'it was changed by another program meanwhile; try again',
  });
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a.json']);
});

test('writeBackup() replaces an older copy, and refuses where a folder has its name', () => {
  const path = join(folder, 'a.json');
  writeFileSync(path, 'now');
  writeFileSync(backupPathOf(path), 'older');
  expect(open(path).backup).toBe('older');
  expect(writeBackup(open(path))).toEqual({ ok: true, value: backupPathOf(path) });
  expect(readFileSync(backupPathOf(path), 'utf8')).toBe('now');
  rmSync(backupPathOf(path));
  mkdirSync(join(backupPathOf(path), 'x'), { recursive: true });
  expect(open(path).backup).toBeUndefined();
  expect(writeBackup(open(path))).toMatchObject({ ok: false });
  expect(readdirSync(folder).some((name) => name.includes('.tmp-'))).toBe(false);
});

test('openConfigFile() takes a missing file for an empty one, and touches nothing', () => {
  const path = join(folder, 'not/there.json');
  expect(open(path)).toMatchObject({ path, text: undefined, backup: undefined });
  expect(existsSync(join(folder, 'not'))).toBe(false);
});
