// Files for their owner alone: what is not theirs, or not whole, is not read, and nothing fails because of it.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skipAloud } from '../../tests/support/skip-aloud.ts';
import { finish, readPrivateFile, writePrivateFile } from './private-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => finish(readPrivateFile(path, 100));
const write = (path: string, ...texts: readonly string[]) =>
  finish(
    writePrivateFile(
      path,
      texts.map((text) => Buffer.from(text)),
    ),
  );

test('what is written is read again, whole, by its owner alone', () => {
  const path = join(folder, 'new/a');
  write(path, 'first');
  write(path, 'se', 'cond');
  expect(read(path)?.toString()).toBe('second');
  expect([statSync(path).mode & 0o777, readdirSync(join(folder, 'new'))]).toEqual([0o600, ['a']]);
});

test.each<[string, (path: string) => void]>([
  ['that is not there', () => {}],
  ['that others may read', (path) => chmodSync(path, 0o644)],
  [
    'that is a link',
    (path) => {
      rmSync(path);
      writeFileSync(`${path}2`, 'x', { mode: 0o600 });
      symlinkSync(`${path}2`, path);
    },
  ],
  ['that is too large', (path) => writeFileSync(path, 'x'.repeat(101))],
])('a file %s is not read', (what, change) => {
  const path = join(folder, 'a');
  if (!what.endsWith('not there')) write(path, 'text');
  change(path);
  expect(read(path)).toBeUndefined();
});

test('where nothing can be written nothing happens', () => {
  writeFileSync(join(folder, 'a'), 'a file, not a folder');
  expect(() => write(join(folder, 'a/b'), 'text')).not.toThrow();
});

test('where no folder can be made nothing happens, and it is not tried for ever', (context) => {
  skipAloud(context, process.platform !== 'linux', 'only Linux has /proc');
  expect(() => write('/proc/self/folder/a', 'text')).not.toThrow();
});

test('one that is not written to its end leaves nothing behind', () => {
  const steps = writePrivateFile(join(folder, 'a'), [Buffer.from('one'), Buffer.from('two')]);
  steps.next();
  steps.return();
  expect(readdirSync(folder)).toEqual([]);
});
