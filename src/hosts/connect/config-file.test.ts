// A host's file on a real disk: written whole or not at all, and never over another program's change (C).
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  backupPathOf,
  type ConfigFile,
  openConfigFile,
  removeEmptyFolders,
  writeBackup,
  writeConfigFile,
} from './config-file.ts';

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

test('writeConfigFile() refuses when another program wrote the file meanwhile, or made it (C)', () => {
  const path = join(folder, 'a.json');
  const missing = open(path);
  writeFileSync(path, 'one');
  expect(writeConfigFile(missing, 'mine', 0o666)).toMatchObject({ ok: false });
  const file = open(path);
  writeFileSync(path, 'two');
  expect(writeConfigFile(file, 'mine', 0o666)).toEqual({
    ok: false,
    failure: 'another program changed it in the meantime; try again',
  });
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a.json']);
});

describe('a host that writes while its file is being written (C)', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  /** The host's turn comes right before, or after, this call to the system. */
  function during(call: 'fsyncSync' | 'renameSync' | 'linkSync', when: 'before' | 'after', write: () => void): void {
    const real = fs[call] as (...given: unknown[]) => void;
    vi.spyOn(fs, call).mockImplementationOnce((...given: unknown[]) => {
      if (when === 'before') write();
      real(...given);
      if (when === 'after') write();
    });
    syncBuiltinESMExports();
  }

  const changed = { ok: false, failure: 'another program changed it in the meantime; try again' };

  test.each([
    ['while the disk takes the new text', 'fsyncSync', 'after'],
    ['right before the last look', 'linkSync', 'after'],
    ['right before the renaming', 'renameSync', 'before'],
  ] as const)('%s loses nothing (A11)', (_when, call, when) => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'one');
    const file = open(path);
    during(call, when, () => writeFileSync(path, 'theirs'));
    expect(writeConfigFile(file, 'mine', 0o666)).toEqual(changed);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('puts another file in its place meanwhile: that one stays (A11)', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'one');
    const file = open(path);
    const theirs = join(folder, 'b.json');
    writeFileSync(theirs, 'one');
    writeFileSync(theirs, 'theirs');
    during('fsyncSync', 'after', () => fs.renameSync(theirs, path));
    expect(writeConfigFile(file, 'mine', 0o666)).toEqual(changed);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('makes the file itself meanwhile: that one stays (A11)', () => {
    const path = join(folder, 'a.json');
    const file = open(path);
    during('linkSync', 'before', () => writeFileSync(path, 'theirs'));
    expect(writeConfigFile(file, 'mine', 0o666)).toEqual(changed);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('writes what is about to be deleted: it is put back (A11)', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'one');
    const file = open(path);
    during('renameSync', 'before', () => writeFileSync(path, 'theirs'));
    expect(writeConfigFile(file, undefined, 0o666)).toEqual(changed);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('writes on after the renaming: its text is not put over ours (A11)', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'one');
    const file = open(path);
    during('renameSync', 'after', () => writeFileSync(path, 'theirs, with ours'));
    expect(writeConfigFile(file, 'mine', 0o666)).toEqual({ ok: true, value: undefined });
    expect(readFileSync(path, 'utf8')).toBe('theirs, with ours');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test.each([
    ['written', 'mine'],
    ['deleted', undefined],
  ])('and whose text cannot be put back when the file is %s: it is kept, and said where (A11)', (_what, text) => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'one');
    const file = open(path);
    const broken = () => {
      throw Object.assign(new Error('broken'), { code: 'EIO' });
    };
    const real = fs.renameSync;
    vi.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      writeFileSync(path, 'theirs');
      real(from, to);
      vi.spyOn(fs, 'renameSync').mockImplementation(broken);
      vi.spyOn(fs, 'linkSync').mockImplementation(broken);
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    const written = writeConfigFile(file, text, 0o666);
    const [kept = ''] = readdirSync(folder).filter((name) => name.endsWith('.old-repertoire'));
    expect(written).toEqual({ ok: false, failure: expect.stringContaining(kept) });
    expect(readFileSync(join(folder, kept), 'utf8')).toBe('theirs');
  });

  test('and whose text cannot be read again when the file is deleted: it is put back (A11)', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'one');
    const file = open(path);
    const read = fs.readFileSync;
    during('renameSync', 'after', () => {
      vi.spyOn(fs, 'readFileSync').mockImplementationOnce(() => {
        throw Object.assign(new Error('broken'), { code: 'EIO' });
      });
      syncBuiltinESMExports();
    });
    expect(writeConfigFile(file, undefined, 0o666)).toEqual({ ok: false, failure: 'the system reports EIO' });
    expect(read(path, 'utf8')).toBe('one');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('a disk without links takes the new text all the same (A11)', () => {
    const path = join(folder, 'a.json');
    for (const text of ['one', 'two']) {
      const file = open(path);
      vi.spyOn(fs, 'linkSync').mockImplementationOnce(() => {
        throw Object.assign(new Error('no links here'), { code: 'EPERM' });
      });
      syncBuiltinESMExports();
      expect(writeConfigFile(file, text, 0o666)).toMatchObject({ ok: true });
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
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

test('a read-only file is named as such, neither copied nor deleted (C)', () => {
  const path = join(folder, 'a.json');
  writeFileSync(path, 'one', { mode: 0o444 });
  const refused = { ok: false, failure: 'the file itself is read-only; make it writable first' };
  expect(writeBackup(open(path))).toEqual(refused);
  expect(writeConfigFile(open(path), 'two', 0o666)).toEqual(refused);
  expect(writeConfigFile(open(path), undefined, 0o666)).toEqual(refused);
  expect(readdirSync(folder)).toEqual(['a.json']);
});

describe('what was left behind', () => {
  /** No system gives this number to a process. */
  const GONE = 2_147_483_000;

  test('by processes that are gone is removed; what another one has in work stays (A11)', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, 'one');
    for (const pid of [GONE, `${GONE}-0`, process.ppid]) {
      for (const what of ['old', 'tmp']) writeFileSync(join(folder, `.a.json.${pid}.${what}-repertoire`), 'a token');
    }
    const others = ['.a.json.old-repertoire', `.b.json.${GONE}.old-repertoire`, '.a.json.x.tmp-repertoire'];
    for (const name of others) writeFileSync(join(folder, name), 'theirs');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(writeConfigFile(open(path), 'two', 0o666)).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe('two');
    const inWork = ['old', 'tmp'].map((what) => `.a.json.${process.ppid}.${what}-repertoire`);
    expect(readdirSync(folder).sort()).toEqual([...others, ...inWork, 'a.json'].sort());
  });

  test('by a process that died while it deleted the file is put back, and nothing is written over it (A11)', () => {
    const path = join(folder, 'a.json');
    const missing = open(path);
    writeFileSync(join(folder, `.a.json.${GONE}-0.old-repertoire`), 'theirs');
    expect(writeConfigFile(missing, 'mine', 0o666)).toMatchObject({ ok: false });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});

test('openConfigFile() takes a missing file for an empty one, and touches nothing', () => {
  const path = join(folder, 'not/there.json');
  expect(open(path)).toMatchObject({ path, text: undefined, backup: undefined });
  expect(existsSync(join(folder, 'not'))).toBe(false);
});

test('removeEmptyFolders() stops at the first folder with anything in it, and at a link (C)', () => {
  const [a, b, c] = [join(folder, 'a'), join(folder, 'a/b'), join(folder, 'a/b/c')];
  mkdirSync(c, { recursive: true });
  writeFileSync(join(a, 'theirs'), '');
  expect(removeEmptyFolders([c, b, a])).toEqual([c, b]);
  expect(readdirSync(a)).toEqual(['theirs']);
  mkdirSync(join(folder, 'target'));
  symlinkSync(join(folder, 'target'), join(folder, 'link'));
  expect(removeEmptyFolders([join(folder, 'link')])).toEqual([]);
  expect(existsSync(join(folder, 'target'))).toBe(true);
});
