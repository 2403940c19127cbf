// The operator's token on the disk (H5).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFifo } from '../../tests/support/make-fifo.ts';
import { skipAloud } from '../../tests/support/skip-aloud.ts';
import { openOperatorToken, rotateOperatorToken } from './operator-token-file.ts';

let folder: string;
let dataDirectory: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-token-'));
  dataDirectory = join(folder, 'a/b');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = () => join(dataDirectory, 'operator-token');
const open = (operatorToken?: string) => openOperatorToken({ dataDirectory, operatorToken });
const rotate = (operatorToken?: string) => rotateOperatorToken({ dataDirectory, operatorToken });
const tokenOf = (result: ReturnType<typeof open>) => (result.ok ? result.value.token : undefined);
const modeOf = (file: string) => statSync(file).mode & 0o777;

function put(text: string, mode = 0o600): void {
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(path(), text);
  chmodSync(path(), mode);
}

describe('the first start', () => {
  test('makes it, for its owner alone; the next one finds it (H5)', () => {
    const first = open();
    expect(first).toEqual({ ok: true, value: { token: expect.stringMatching(/^rpo_[\w-]{43}$/), warning: undefined } });
    expect(open()).toEqual(first);
    expect([modeOf(dataDirectory), modeOf(path())]).toEqual([0o700, 0o600]);
    expect(readFileSync(path(), 'utf8')).toBe(`${tokenOf(first)}\n`);
    expect(readdirSync(dataDirectory)).toEqual(['operator-token']);
  });
});

describe('ten first starts', () => {
  /** Says that it is ready, and opens the token when it is told to. */
  const CODE = `
    const { openOperatorToken } = await import(${JSON.stringify(new URL('./operator-token-file.ts', import.meta.url).href)});
    process.stdin.once('data', (dataDirectory) => {
      process.stdout.write(JSON.stringify(openOperatorToken({ dataDirectory: String(dataDirectory) })));
      process.stdin.destroy();
    });
    process.stdout.write('ready');
  `;

  async function startProcess() {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', CODE]);
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toBe('ready');
    return child;
  }

  test('in the same moment end with one token (H5)', async () => {
    const children = await Promise.all(Array.from({ length: 10 }, startProcess));
    const answers = children.map((child) => once(child.stdout, 'data'));
    for (const child of children) child.stdin.write(dataDirectory);
    const said = new Set((await Promise.all(answers)).map(String));
    expect([...said]).toEqual([JSON.stringify(open())]);
    expect(readdirSync(dataDirectory)).toEqual(['operator-token']);
  });
});

test('one that others can read is made private, with a warning, once (H5)', () => {
  put(`${'x'.repeat(40)}\n`, 0o644);
  const warning = expect.stringMatching(/^Others could read the operator token: .* `repertoire token --rotate`$/);
  expect(open()).toEqual({ ok: true, value: { token: 'x'.repeat(40), warning } });
  expect(modeOf(path())).toBe(0o600);
  expect(open()).toMatchObject({ value: { warning: undefined } });
});

test.each([
  ['an empty one', '', 'it is empty'],
  ['a blank one', ' \n', 'it is empty'],
  ['a short one', 'rpo_abc\n', 'it has fewer than 32 characters'],
  ['garbage', '\0\x01'.repeat(30), 'it has other characters than letters'],
  ['two lines', `${'x'.repeat(40)}\n${'y'.repeat(40)}\n`, 'it has other characters than letters'],
])('%s is refused with a sentence, and can be replaced (H5)', (_what, text, fault) => {
  put(text);
  const failure = expect.stringContaining(`Cannot use the operator token in the data directory: ${fault}`);
  expect(open()).toEqual({ ok: false, failure });
  expect(tokenOf(rotate())).toMatch(/^rpo_/);
  expect(open().ok).toBe(true);
});

test('rotate makes a new one in its place (H5)', () => {
  const old = tokenOf(open());
  const fresh = tokenOf(rotate());
  expect(fresh).toMatch(/^rpo_/);
  expect(fresh).not.toBe(old);
  expect(tokenOf(open())).toBe(fresh);
  expect([modeOf(path()), readdirSync(dataDirectory)]).toEqual([0o600, ['operator-token']]);
});

test('what a killed process left beside it goes with the next one, a minute later (A14)', () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 });
  mkdirSync(dataDirectory, { recursive: true });
  const left = join(dataDirectory, '.operator-token.2147483000-0.tmp-repertoire');
  writeFileSync(left, 'a token');
  open();
  expect(readdirSync(dataDirectory)).toEqual(['operator-token']);
  writeFileSync(left, 'a token');
  rotate();
  expect(readdirSync(dataDirectory)).toEqual(['operator-token']);
});

test('on a full disk the old one stays valid, nothing is left behind, and with room again it is rotated (A14, F5)', (context) => {
  mkdirSync(dataDirectory, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', dataDirectory]);
  skipAloud(context, mounted.status !== 0, 'no small file system: mounting one takes root');
  try {
    const old = tokenOf(open());
    const ballast = join(dataDirectory, 'ballast');
    expect(() => writeFileSync(ballast, Buffer.alloc(100_000))).toThrow('ENOSPC');
    const failure = 'Cannot keep the operator token in the data directory: the disk is full; make room on it';
    for (let times = 0; times < 3; times += 1) expect(rotate()).toEqual({ ok: false, failure });
    expect(readdirSync(dataDirectory).sort()).toEqual(['ballast', 'operator-token']);
    expect(tokenOf(open())).toBe(old);
    rmSync(path());
    expect(() => appendFileSync(ballast, Buffer.alloc(100_000))).toThrow('ENOSPC');
    expect(open()).toEqual({ ok: false, failure });
    expect(readdirSync(dataDirectory)).toEqual(['ballast']);
    rmSync(ballast);
    expect(tokenOf(rotate())).toMatch(/^rpo_/);
    expect(readdirSync(dataDirectory)).toEqual(['operator-token']);
  } finally {
    spawnSync('umount', ['-l', dataDirectory]);
  }
});

test('a pipe of that name is refused, not waited for, and rotated away (A14)', () => {
  mkdirSync(dataDirectory, { recursive: true });
  makeFifo(path());
  expect(open()).toEqual({
    ok: false,
    failure: expect.stringContaining('operator-token in the data directory is no file'),
  });
  expect(tokenOf(rotate())).toMatch(/^rpo_/);
});

describe('REPERTOIRE_OPERATOR_TOKEN', () => {
  test('counts instead of the file, which is neither read nor made (H5)', () => {
    expect(open('e'.repeat(32))).toEqual({ ok: true, value: { token: 'e'.repeat(32), warning: undefined } });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused when it is short, and cannot be rotated (H5)', () => {
    expect(open('short')).toEqual({
      ok: false,
      failure: expect.stringMatching(/^Cannot use REPERTOIRE_OPERATOR_TOKEN: .*; set it/),
    });
    expect(rotate('e'.repeat(32))).toEqual({
      ok: false,
      failure: expect.stringContaining('REPERTOIRE_OPERATOR_TOKEN sets it'),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each([
  ['below a file', () => writeFileSync(join(folder, 'a'), ''), /it is a file or below one/],
  ['a directory of that name', () => mkdirSync(path(), { recursive: true }), /is no file|is a directory/],
  [
    'a link that leads nowhere',
    () => {
      mkdirSync(dataDirectory, { recursive: true });
      symlinkSync('nowhere', path());
    },
    /cannot be made/,
  ],
])('%s is said in one sentence without a path (H5)', (_what, prepare, reason) => {
  prepare();
  const { failure } = open() as { readonly failure: string };
  expect(failure).toMatch(reason);
  expect(failure).toMatch(/^Cannot [^\n]+; [^\n]+$/);
  expect(failure).not.toContain(folder);
});
