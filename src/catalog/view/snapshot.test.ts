// One frozen view: who owns a name, who is reported, and what each lookup answers.
import { describe, expect, test } from 'vitest';
import { foundFolder, foundSkill } from '../fixtures/found-folder-value.ts';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import type { FoundFolder } from './found-folder.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const FIRST = testRoot('/roots/first');
const SECOND = testRoot('/roots/second');

const snapshotOf = (...folders: FoundFolder[]): Snapshot => createSnapshot(folders, []);
const uris = ({ skills }: Snapshot): string[] => skills.map(({ uri }) => uri);
const problems = (snapshot: Snapshot): string[] =>
  snapshot.problems.map(({ rule, path, rootPath }) => `${rule} ${rootPath}/${path}`);
const place = (snapshot: Snapshot, name: string) => snapshot.findByName(name)?.baseDirectory;

describe('findByName()', () => {
  test('ignores letter case and blanks around the name (D5)', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'pdf', 'PDF Tools'));
    for (const name of ['PDF Tools', 'pdf tools', ' PDF TOOLS\n'])
      expect(place(snapshot, name)).toBe('/roots/first/pdf');
    expect(snapshot.findByName('pdf')).toBeUndefined();
  });

  test.each(['__proto__', 'constructor', 'toString', ''])('finds nothing under %j in a snapshot without it', (name) => {
    expect(snapshotOf(foundSkill(FIRST, 'a')).findByName(name)).toBeUndefined();
    expect(snapshotOf(foundSkill(FIRST, 'a')).findFolder(name)).toBeUndefined();
  });

  test('the first root wins, and the loser is reported and keeps its URI where its path differs (D5)', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'a/refunds'), foundSkill(SECOND, 'b/refunds', 'Refunds'));
    expect(place(snapshot, 'refunds')).toBe('/roots/first/a/refunds');
    expect(uris(snapshot)).toEqual(['skill://a/refunds/SKILL.md', 'skill://b/refunds/SKILL.md']);
    expect(problems(snapshot)).toEqual(['shadowed /roots/second/b/refunds/SKILL.md']);
    expect(snapshot.problems[0]?.fix).toContain('skill://b/refunds/SKILL.md');
    expect(snapshot.findByUri('skill://b/refunds/SKILL.md')?.baseDirectory).toBe('/roots/second/b/refunds');
  });

  test("where two roots offer the same path only the first root's is served (D5)", () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'a'), foundSkill(SECOND, 'a'));
    expect(snapshot.skills.map(({ baseDirectory }) => baseDirectory)).toEqual(['/roots/first/a']);
    expect(problems(snapshot)).toEqual(['shadowed /roots/second/a/SKILL.md']);
  });

  test('where the same path bears another name in the second root, that name is not served either (D5)', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'a', 'one'), foundSkill(SECOND, 'a', 'two'));
    expect(snapshot.findByName('two')).toBeUndefined();
    expect(problems(snapshot)).toEqual(['shadowed /roots/second/a/SKILL.md']);
  });

  test('a copy that is not served owns no name: another skill of that name is found by it', () => {
    const snapshot = snapshotOf(
      foundSkill(FIRST, 'a', 'one'),
      foundSkill(SECOND, 'a', 'two'),
      foundSkill(SECOND, 'b', 'two'),
    );
    expect(place(snapshot, 'two')).toBe('/roots/second/b');
  });

  test('inside one root the folder that bears the name beats one that merely claims it (D5)', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'aaa', 'PDF'), foundSkill(FIRST, 'pdf'));
    expect(place(snapshot, 'pdf')).toBe('/roots/first/pdf');
    expect(problems(snapshot)).toEqual(['shadowed /roots/first/aaa/SKILL.md']);
    // Not across roots: there the first root wins.
    const across = snapshotOf(foundSkill(FIRST, 'aaa', 'PDF'), foundSkill(SECOND, 'pdf'));
    expect(place(across, 'pdf')).toBe('/roots/first/aaa');
  });

  test('of two equal claims the one spelled by the Agent Skills rules wins, whatever comes first (D5, M16)', () => {
    const [written, plain] = [foundSkill(FIRST, 'Good-Beta'), foundSkill(FIRST, 'good-beta')];
    for (const folders of [
      [written, plain],
      [plain, written],
    ]) {
      const snapshot = snapshotOf(...folders);
      expect(place(snapshot, 'GOOD-BETA')).toBe('/roots/first/good-beta');
      expect(problems(snapshot)).toEqual(['shadowed /roots/first/Good-Beta/SKILL.md']);
    }
    // Of two that merely claim it as well; but a folder that bears the name, and an earlier root, come first.
    const claims = snapshotOf(foundSkill(FIRST, 'a', 'Good-Beta'), foundSkill(FIRST, 'b', 'good-beta'));
    expect(place(claims, 'good-beta')).toBe('/roots/first/b');
    const borne = snapshotOf(foundSkill(FIRST, 'Good-Beta'), foundSkill(FIRST, 'z', 'good-beta'));
    expect(place(borne, 'good-beta')).toBe('/roots/first/Good-Beta');
    const across = snapshotOf(foundSkill(FIRST, 'Good-Beta'), foundSkill(SECOND, 'good-beta'));
    expect(place(across, 'good-beta')).toBe('/roots/first/Good-Beta');
  });

  test('then path order decides (D5)', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'x/pdf'), foundSkill(FIRST, 'y/pdf'), foundSkill(FIRST, 'z', 'pdf'));
    expect(place(snapshot, 'pdf')).toBe('/roots/first/x/pdf');
    expect(problems(snapshot)).toEqual(['shadowed /roots/first/y/pdf/SKILL.md', 'shadowed /roots/first/z/SKILL.md']);
  });
});

describe('look-alikes (D5)', () => {
  const CYRILLIC = 'раураl';

  test('the plain ASCII name stays, whichever comes first; the other is a problem and is not served', () => {
    for (const folders of [
      [foundSkill(FIRST, 'a', CYRILLIC), foundSkill(SECOND, 'paypal')],
      [foundSkill(FIRST, 'paypal'), foundSkill(SECOND, 'a', CYRILLIC)],
    ]) {
      const snapshot = snapshotOf(...folders);
      expect(snapshot.findByName('paypal')).toBeDefined();
      expect(snapshot.findByName(CYRILLIC)).toBeUndefined();
      expect(uris(snapshot)).toEqual(['skill://paypal/SKILL.md']);
      expect(snapshot.problems).toMatchObject([{ rule: 'look-alike', severity: 'error', path: 'a/SKILL.md' }]);
    }
  });

  test('full-width letters and another Unicode form are look-alikes, too', () => {
    const wide = snapshotOf(foundSkill(FIRST, 'x', 'ｐｄｆ'), foundSkill(FIRST, 'pdf'));
    expect(problems(wide)).toEqual(['look-alike /roots/first/x/SKILL.md']);
    const decomposed = snapshotOf(foundSkill(FIRST, 'x', 'cafe\u0301'), foundSkill(FIRST, 'y', 'caf\u00e9'));
    expect(problems(decomposed)).toEqual(['look-alike /roots/first/x/SKILL.md']);
  });

  test('without a plain one the first stays', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'a', 'раy'), foundSkill(FIRST, 'b', 'pау'));
    expect(place(snapshot, 'раy')).toBe('/roots/first/a');
    expect(problems(snapshot)).toEqual(['look-alike /roots/first/b/SKILL.md']);
  });

  test('a name in another script that resembles nothing is served', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'a', 'перевод'), foundSkill(FIRST, 'b', '翻訳'));
    expect(snapshot.skills).toHaveLength(2);
    expect(snapshot.problems).toEqual([]);
  });
});

describe('aliases', () => {
  test('the same folder reached twice is one skill and no problem', () => {
    const real = foundSkill(SECOND, 'pdf');
    const link = { ...foundSkill(FIRST, 'pdf'), real: real.real, linked: true };
    const snapshot = snapshotOf(link, real);
    expect(snapshot.skills.map(({ baseDirectory }) => baseDirectory)).toEqual(['/roots/first/pdf']);
    expect(snapshot.problems).toEqual([]);
  });

  test('inside one root the folder itself is preferred to a link to it', () => {
    const real = foundSkill(FIRST, 'z/pdf');
    const link = { ...foundSkill(FIRST, 'alias'), real: real.real, linked: true };
    expect(uris(snapshotOf(link, real))).toEqual(['skill://z/pdf/SKILL.md']);
  });

  test('a folder is found by the names of links to it, too, and is the same skill (T6)', () => {
    const real = foundSkill(FIRST, 'z/pdf');
    const link = { ...foundSkill(FIRST, 'Alias'), real: real.real, linked: true };
    const snapshot = snapshotOf(link, real);
    for (const name of ['Alias', 'alias', 'pdf'])
      expect(snapshot.findFolder(name)).toMatchObject({ skill: real.skill });
    for (const without of ['alias', 'pdf']) {
      expect(createSnapshot([link, real], [without]).findFolder('alias')).toBeUndefined();
    }
    expect(createSnapshot([link, real], ['alias']).findFolder('pdf')).toMatchObject({ skill: real.skill });
  });
});

describe('findByUri()', () => {
  test('finds a SKILL.md in any equivalent percent-encoding, and nothing else', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'my group/pdf'));
    for (const uri of ['skill://my%20group/pdf/SKILL.md', 'SKILL://my%20group/%70df/SKILL.md'])
      expect(snapshot.findByUri(uri)?.name).toBe('pdf');
    for (const uri of [
      'skill://my%20group/pdf',
      'skill://my%20group/pdf/',
      'skill://my%20group/pdf/skill.md',
      'skill://my%20group/../my%20group/pdf/SKILL.md',
      'skill://my%20group%2Fpdf/SKILL.md',
      'skill://my%20group/pdf/SKILL.md?x',
      'file:///roots/first/my%20group/pdf/SKILL.md',
      '/roots/first/my group/pdf/SKILL.md',
      'skill://',
      '',
    ])
      expect(snapshot.findByUri(uri)).toBeUndefined();
  });
});

describe('findFolder() (T6)', () => {
  const answer = (snapshot: Snapshot, name: string) => {
    const found = snapshot.findFolder(name);
    if (found === undefined) return undefined;
    return 'failure' in found ? found.failure : found.text.toString();
  };

  test('exact letter case before any other', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'PDF'), foundSkill(SECOND, 'pdf'));
    expect(answer(snapshot, 'pdf')).toContain('pdf in /roots/second');
    expect(answer(snapshot, 'Pdf')).toContain('PDF in /roots/first');
  });

  test('then direct children of a root before nested skill folders', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'group/pdf'), foundSkill(SECOND, 'pdf'));
    expect(answer(snapshot, 'pdf')).toContain('text of pdf in /roots/second');
    // Letter case comes first, though.
    const cased = snapshotOf(foundSkill(FIRST, 'group/pdf'), foundSkill(SECOND, 'PDF'));
    expect(answer(cased, 'pdf')).toContain('group/pdf');
  });

  test('then root order, then path order', () => {
    const roots = snapshotOf(foundSkill(FIRST, 'b/pdf'), foundSkill(SECOND, 'a/pdf'));
    expect(answer(roots, 'pdf')).toContain('b/pdf in /roots/first');
    const paths = snapshotOf(foundSkill(FIRST, 'a/pdf'), foundSkill(FIRST, 'b/pdf'));
    expect(answer(paths, 'pdf')).toContain('a/pdf');
  });

  test('a direct child without the file says so, a nested folder without it is no skill', () => {
    const snapshot = snapshotOf(foundFolder(FIRST, 'empty'), foundFolder(FIRST, 'empty/deeper'));
    expect(answer(snapshot, 'empty')).toBe('no-skill-file');
    expect(answer(snapshot, 'deeper')).toBeUndefined();
    expect(answer(snapshot, 'nothing')).toBeUndefined();
  });

  test('serves a text that is no named skill, and passes over a folder that cannot be served for one that can', () => {
    const text = { text: { bytes: Buffer.from('plain') }, failure: undefined };
    const plain = foundFolder(SECOND, 'pdf', text);
    expect(answer(snapshotOf(foundFolder(FIRST, 'pdf'), plain), 'pdf')).toBe('plain');
    expect(answer(snapshotOf(foundFolder(FIRST, 'pdf', { failure: 'denied' }), plain), 'pdf')).toBe('plain');
    expect(answer(snapshotOf(foundFolder(FIRST, 'pdf', { failure: 'denied' })), 'pdf')).toBe('denied');
  });

  test('answers a folder that lost its name to another skill, or is a second copy', () => {
    const snapshot = snapshotOf(foundSkill(FIRST, 'a', 'pdf'), foundSkill(FIRST, 'b', 'pdf'));
    expect(answer(snapshot, 'b')).toContain('text of b');
  });

  test('does not look at a root by its own name', () => {
    const root = { ...foundFolder(FIRST, ''), name: '', depth: 0 };
    expect(answer(snapshotOf(root), '')).toBeUndefined();
  });
});

describe('createSnapshot() without some skills', () => {
  test('leaves them out of every lookup, by their name and by their folder, in any letter case', () => {
    const folders = [
      foundSkill(FIRST, 'a', 'Secret Tool'),
      foundSkill(SECOND, 'secret-dir', 'x'),
      foundSkill(FIRST, 'z'),
    ];
    const snapshot = createSnapshot(folders, ['secret TOOL', 'Secret-Dir']);
    expect(uris(snapshot)).toEqual(['skill://z/SKILL.md']);
    for (const name of ['Secret Tool', 'x']) expect(snapshot.findByName(name)).toBeUndefined();
    for (const name of ['a', 'secret-dir']) expect(snapshot.findFolder(name)).toBeUndefined();
    expect(snapshot.findByUri('skill://a/SKILL.md')).toBeUndefined();
    expect(snapshot.problems).toEqual([]);
  });

  test('does not let another copy of the name take its place', () => {
    const folders = [foundSkill(FIRST, 'a', 'one'), foundSkill(SECOND, 'b', 'one')];
    expect(createSnapshot(folders, ['one']).skills).toEqual([]);
  });
});

test('skills are in the order of their normalised names by code points, then of their URIs (T1)', () => {
  const names = ['b', 'A', 'é', '🎉', '\uff21', 'a-b', 'a'];
  const snapshot = snapshotOf(...names.map((name, index) => foundSkill(FIRST, `f${index}`, name)));
  expect(snapshot.skills.map(({ name }) => name)).toEqual(['A', 'a', 'a-b', 'b', 'é', '🎉']);
  // Full-width A only looks like A, so it is a problem; the two spellings of a are one name.
  expect(problems(snapshot)).toEqual(['shadowed /roots/first/f1/SKILL.md', 'look-alike /roots/first/f4/SKILL.md']);
});
