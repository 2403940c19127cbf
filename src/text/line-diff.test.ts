import { describe, expect, test } from 'vitest';
import { type DiffHunk, diffLines, findHunks } from './line-diff.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' } as const;
const shown = (hunks: readonly DiffHunk[]) =>
  hunks.flatMap(({ before, after, lines }) => [
    `@${before},${after}`,
    ...lines.map(({ kind, text }) => SIGNS[kind] + text),
  ]);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('diffLines()', () => {
  test('of equal texts is empty', () => {
    expect(diffLines('a\nb\n', 'a\nb\n')).toEqual([]);
  });

  test('shows what was added, removed and changed, with lines around it', () => {
    expect(shown(diffLines('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n', 1))).toEqual([
      '@1,1',
      ' a',
      '-b',
      '+B',
      ' c',
      ' d',
      '+e',
    ]);
  });

  test.each([
    ['a\nb\nc', 'a\nb\nc\n'],
    ['a\nb\nc\n', 'a\nb\nc'],
  ])('shows the last line of texts that differ in its line break alone: %j, %j (L3)', (before, after) => {
    expect(shown(diffLines(before, after, 1))).toEqual(['@2,2', ' b', '-c', '+c']);
  });

  test('gives differences that are far apart hunks of their own, with the numbers of their first lines', () => {
    const before = numbered(40);
    const after = before.replace('line 3\n', '').replace('line 30\n', 'line 30!\n');
    expect(shown(diffLines(before, after, 1))).toEqual([
      ...['@2,2', ' line 2', '-line 3', ' line 4'],
      ...['@29,28', ' line 29', '-line 30', '+line 30!', ' line 31'],
    ]);
  });

  test('puts both texts together again, whatever they are', () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
      const [a, b] = [0, 1].map(() => Array.from({ length: next(12) }, () => `${next(4)}\n`).join(''));
      const lines = diffLines(a ?? '', b ?? '', 100).flatMap((hunk) => hunk.lines);
      const side = (kind: 'removed' | 'added') =>
        lines.filter((line) => line.kind === 'same' || line.kind === kind).map(({ text }) => `${text}\n`);
      if (a === b) continue;
      expect([side('removed').join(''), side('added').join('')]).toEqual([a, b]);
    }
  });

  test('of long texts without a common line is one hunk', () => {
    const hunks = diffLines(numbered(3_000), numbered(3_000).replaceAll('line', 'row'));
    expect(hunks).toHaveLength(1);
    expect(hunks[0]?.lines).toHaveLength(6_000);
  });

  test('of long texts of like lines that differ in many places is one hunk, too: finding the shortest way would take long (F10)', () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => (index % 1_000 === 0 ? 'edge\n' : 'x\n'));
    const changed = lines.map((line, index) => (index % 450 === 7 ? 'y\n' : line));
    expect(diffLines(lines.join(''), changed.join(''))).toHaveLength(1);
  });

  test('of a long text with few differences shows each of them', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`);
    const changed = lines.map((line, index) => (index % 1_000 === 7 ? 'y\n' : line));
    const hunks = diffLines(lines.join(''), changed.join(''));
    expect(hunks).toHaveLength(100);
    expect(hunks[99]).toMatchObject({ before: 99_005, after: 99_005 });
  });
});

describe('findHunks()', () => {
  test('counts the lines from the first difference to the last, and not those around them (F4)', () => {
    const before = numbered(10_000);
    const after = before.replace('line 5000\n', 'row\n').replace('line 5009\n', 'row\n');
    expect(findHunks(before, after, { mostLines: 19 })).toBeUndefined();
    expect(findHunks(before, after, { mostLines: 20 })?.map((hunk) => hunk.before)).toEqual([4_997, 5_006]);
  });
});
