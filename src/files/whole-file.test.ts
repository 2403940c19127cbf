// A file appears whole, never over another one, and nothing else stays beside it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearLeftovers, placeAnew, withWholeFile } from './whole-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-whole-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

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

test('two writers with the same process number, as in two containers, leave each other alone (H5)', () => {
  const isFirst = withWholeFile(pathOf(), 'first', 0o600, (one) => {
    clearLeftovers(pathOf());
    withWholeFile(pathOf(), 'second', 0o600, (other) => placeAnew(other, pathOf()));
    return readFileSync(one, 'utf8') === 'first' && placeAnew(one, pathOf());
  });
  expect([isFirst, readFileSync(pathOf(), 'utf8'), readdirSync(folder)]).toEqual([false, 'second', ['a']]);
});

describe('clearLeftovers()', () => {
  /** No system gives this number to a process. */
  const GONE = 2_147_483_000;

  const leave = (pid: number, what: 'old' | 'tmp'): string => {
    const name = `.a.${pid}-0123456789abcdef.${what}-repertoire`;
    writeFileSync(pathOf(name), 'left');
    return name;
  };

  function clearAfter(seconds: number): readonly string[] {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
    clearLeftovers(pathOf());
    vi.useRealTimers();
    return readdirSync(folder);
  }

  test('leaves what is new: its process may be one that cannot be seen from here (H5)', () => {
    writeFileSync(pathOf(), 'text');
    const left = [process.pid, GONE].flatMap((pid) => [leave(pid, 'old'), leave(pid, 'tmp')]);
    expect(clearAfter(10)).toEqual([...left, 'a'].sort());
    expect(clearAfter(70)).toEqual(['a']);
  });

  test('takes away within the hour what has the number of a process that lives (H5)', () => {
    writeFileSync(pathOf(), 'text');
    const left = leave(process.ppid, 'tmp');
    expect(clearAfter(70)).toEqual([left, 'a']);
    expect(clearAfter(3_700)).toEqual(['a']);
  });

  test('puts the only text back at once, and is quiet where there is no folder', () => {
    leave(GONE, 'old');
    expect(clearAfter(0)).toEqual(['a']);
    expect(() => clearLeftovers(pathOf('not/there'))).not.toThrow();
  });
});
