// A part that is run from what V8 compiled of it before: the same answers, and nothing taken that is not whole or not ours.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledIn, loadPart } from './compiled-part.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-part-'));
  writeFileSync(join(folder, 'part-abc.js'), SOURCE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Long enough that V8 finds something to keep. */
const SOURCE = `"use strict";
exports.answer = (given) => given.map((each) => each * 2).join(' ');
exports.place = [__filename, __dirname, require === module.require, this === undefined];
exports.later = () => module.load('./later.js');
`;

interface Answers {
  readonly answer: (given: readonly number[]) => string;
  readonly place: readonly unknown[];
  readonly later: () => Promise<unknown>;
}

const keptIn = () => join(folder, 'home/remembered');
const path = () => join(folder, 'part-abc.js');
const load = () =>
  loadPart<Answers>({ path: path(), keptIn: keptIn(), load: async (specifier) => `loaded ${specifier}` });
const keptFile = () => join(keptIn(), readdirSync(keptIn())[0] ?? '');

/** Runs it once and keeps what was compiled. */
function keepOne(): Buffer {
  const part = load();
  part.exports.answer([1]);
  part.keepCompiled();
  return readFileSync(keptFile());
}

test('the part is the same, compiled before or not, and others who require it get this very one', async () => {
  for (const round of ['not kept', 'kept']) {
    const { exports } = load();
    expect(exports.answer([1, 2]), round).toBe('2 4');
    expect(exports.place.slice(0, 2)).toEqual([path(), folder]);
    expect(await exports.later()).toBe('loaded ./later.js');
    expect(createRequire(import.meta.url)(path())).toBe(exports);
    keepOne();
  }
});

test('what was compiled is kept once, for its owner alone', () => {
  keepOne();
  rmSync(keptFile());
  const part = load();
  part.keepCompiled();
  part.keepCompiled();
  const kept = readFileSync(keptFile());
  expect(compiledIn(kept)?.length).toBeGreaterThan(100);
  // Found by the next one, which has nothing to keep.
  writeFileSync(keptFile(), kept);
  const before = readdirSync(keptIn());
  load().keepCompiled();
  expect([readdirSync(keptIn()), readFileSync(keptFile()).equals(kept)]).toEqual([before, true]);
});

test.each<[string, (kept: Buffer) => void]>([
  ['cut off', (kept) => writeFileSync(keptFile(), kept.subarray(0, kept.length - 8))],
  ['empty', () => writeFileSync(keptFile(), '')],
  [
    'changed in one byte',
    (kept) => writeFileSync(keptFile(), kept.with(kept.length >> 1, 1 ^ (kept[kept.length >> 1] ?? 0))),
  ],
  ['something else', () => writeFileSync(keptFile(), 'text'.repeat(1_000))],
  ['readable by others', () => chmodSync(keptFile(), 0o644)],
  [
    'a link',
    (kept) => {
      writeFileSync(join(folder, 'elsewhere'), kept, { mode: 0o600 });
      const file = keptFile();
      rmSync(file);
      symlinkSync(join(folder, 'elsewhere'), file);
    },
  ],
])('compiled code that is %s is not taken, and is made anew', (_what, change) => {
  const kept = keepOne();
  change(kept);
  const before = lstatSync(keptFile()).ino;
  const part = load();
  expect(part.exports.answer([3])).toBe('6');
  part.keepCompiled();
  expect(compiledIn(readFileSync(keptFile()))).toBeDefined();
  const after = lstatSync(keptFile());
  expect([after.isFile(), after.mode & 0o777, after.ino === before]).toEqual([true, 0o600, false]);
});

test('without a folder to keep it in nothing is kept, and where nothing can be written nothing fails', () => {
  loadPart<Answers>({ path: path(), keptIn: undefined, load: async () => {} }).keepCompiled();
  expect(readdirSync(folder)).toEqual(['part-abc.js']);
  mkdirSync(join(folder, 'home'));
  writeFileSync(keptIn(), 'a file, not a folder');
  expect(() => load().keepCompiled()).not.toThrow();
});
