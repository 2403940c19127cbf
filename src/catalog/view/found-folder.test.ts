// What a scanned folder means: the skill, the answer by folder name, the problems.
import { describe, expect, test } from 'vitest';
import { parseSkillDocument } from '../../document/skill-document.ts';
import { folderValue } from '../fixtures/folder-value.ts';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import { skillText } from '../fixtures/skill-world.ts';
import type { Folder } from '../scan/folder.ts';
import { MAX_SKILL_FILE_BYTES, type SkillFile, type SkillFileFailure, type SkillText } from '../scan/skill-file.ts';
import { describeFolder } from './found-folder.ts';

const ROOT = { ...testRoot('/roots/r'), label: './.agents/skills' };
const LOADED = new Date('2026-01-02T03:04:05Z');

function textOf(text: string): SkillText {
  const parsed = parseSkillDocument(text, undefined);
  if (parsed === undefined) throw new Error('these texts need no YAML reader');
  return { bytes: Buffer.from(text), ...parsed, loadedAt: LOADED };
}

const fileOf = (fields: Partial<SkillFile>): SkillFile => ({
  fileName: 'SKILL.md',
  isLink: false,
  target: undefined,
  text: undefined,
  failure: undefined,
  stamp: undefined,
  modifiedMs: 0,
  good: undefined,
  ...fields,
});

const folderOf = (skill: SkillFile | undefined, fields: Partial<Folder> = {}): Folder =>
  folderValue('/roots/r/group/pdf', {
    relative: 'group/pdf',
    depth: 2,
    skillFileName: skill?.fileName,
    skill,
    ...fields,
  });

const good = textOf(skillText('pdf'));
const found = (skill: SkillFile | undefined, fields: Partial<Folder> = {}) =>
  describeFolder(ROOT, folderOf(skill, fields), []);
const rules = (skill: SkillFile | undefined, fields: Partial<Folder> = {}) =>
  found(skill, fields).problems.map(({ rule }) => rule);

describe('describeFolder() of a good skill', () => {
  test('gives every field of it (D4)', () => {
    const { skill, text, failure, problems } = found(fileOf({ fileName: 'skill.md', text: good, good }));
    expect({ ...skill }).toEqual({
      key: 'pdf',
      name: 'pdf',
      isUnnamed: false,
      description: 'Does pdf things.',
      baseDirectory: '/roots/r/group/pdf',
      filePath: '/roots/r/group/pdf/skill.md',
      fileName: 'skill.md',
      source: './.agents/skills',
      segments: ['group', 'pdf'],
      uri: 'skill://group/pdf/SKILL.md',
      isOfProject: false,
      isShared: false,
      isNested: false,
      priority: 0,
      frontmatter: good.document?.frontmatter,
      lastLoaded: LOADED,
      availability: 'available',
      issues: [],
      listable: true,
    });
    expect(skill?.bytes).toBe(good.bytes);
    expect({ text, failure, problems }).toEqual({ text: good, failure: undefined, problems: [] });
  });

  test('serves one that breaks a naming rule, but does not list it (DESIGN 10)', () => {
    const text = textOf(skillText('My PDF'));
    const { skill, problems } = found(fileOf({ text, good: text }));
    expect(skill).toMatchObject({ name: 'My PDF', listable: false });
    expect(problems.map(({ rule, path, source, rootPath }) => [rule, path, source, rootPath])).toEqual([
      ['name-characters', 'group/pdf/SKILL.md', './.agents/skills', '/roots/r'],
      ['name-folder-mismatch', 'group/pdf/SKILL.md', './.agents/skills', '/roots/r'],
    ]);
  });

  test('counts what is wrong with its files among its issues', () => {
    const extra = { rule: 'too-many-files', severity: 'warning', message: 'm', fix: 'f' } as const;
    const { skill, problems } = describeFolder(ROOT, folderOf(fileOf({ text: good, good })), [extra]);
    expect(skill?.listable).toBe(false);
    expect(problems).toMatchObject([{ rule: 'too-many-files', path: 'group/pdf/SKILL.md' }]);
  });
});

describe('describeFolder() of a skill whose file went bad', () => {
  test('serves the last good text as a fallback, and says so (D8)', () => {
    const bad = textOf('no frontmatter');
    const answer = found(fileOf({ text: bad, good }));
    expect(answer.skill).toMatchObject({ availability: 'fallback', listable: true });
    expect([answer.text, answer.skill?.bytes]).toEqual([good, good.bytes]);
    expect(answer.problems.map(({ rule }) => rule)).toEqual(['frontmatter-missing', 'serving-last-good']);
  });

  test('serves it as a fallback while the folder cannot be looked into (D8)', () => {
    const issues = [
      {
        name: '',
        issue: { rule: 'folder-unreadable', severity: 'error', message: 'm', fix: 'f' } as const,
        isLink: false,
      },
    ];
    const answer = found(fileOf({ text: good, good }), { unreadable: true, issues });
    expect(answer.skill?.availability).toBe('fallback');
    expect(answer.problems).toMatchObject([{ rule: 'folder-unreadable', path: 'group/pdf' }]);
  });

  const failures: [SkillFileFailure, string, string][] = [
    ['denied', 'unreadable', 'denied'],
    ['outside', 'link-outside', 'denied'],
    ['not-a-file', 'not-a-file', 'no-skill-file'],
    ['missing', 'link-broken', 'no-skill-file'],
    ['too-large', 'skill-file-too-large', 'too-large'],
    ['invalid-utf8', 'invalid-utf8', 'invalid-utf8'],
    ['busy', 'busy', 'denied'],
  ];
  test.each(failures)('%s is the problem %s; by folder name the answer is %s (T6)', (failure, rule, answer) => {
    expect(found(fileOf({ failure }))).toMatchObject({ skill: undefined, text: undefined, failure: answer });
    expect(rules(fileOf({ failure }))).toEqual([rule]);
    expect(found(fileOf({ failure, good }))).toMatchObject({ text: good, failure: undefined });
    expect(rules(fileOf({ failure, good }))).toEqual([rule, 'serving-last-good']);
  });
});

describe('describeFolder() by folder name (T6)', () => {
  test('a folder without the file has no answer and no problem', () => {
    expect(found(undefined)).toMatchObject({ skill: undefined, failure: 'no-skill-file', problems: [] });
  });

  test('a folder that may not be looked into is denied, not without the file', () => {
    expect(found(undefined, { unreadable: true })).toMatchObject({ skill: undefined, failure: 'denied' });
  });

  test('a text without frontmatter is readable, though no named skill', () => {
    const text = textOf('# Just text\n');
    expect(found(fileOf({ text }))).toMatchObject({ skill: undefined, text, failure: undefined });
    expect(rules(fileOf({ text }))).toEqual(['frontmatter-missing']);
  });

  test.each(['', ' \n\t\n'])('an empty text %j is empty', (content) => {
    const text = textOf(content);
    expect(found(fileOf({ text }))).toMatchObject({ text: undefined, failure: 'empty' });
    expect(rules(fileOf({ text }))).toEqual(['empty']);
  });

  test('a text of exactly 1,048,576 bytes is answered, one byte more is too large and still served by URI', () => {
    const head = skillText('pdf', '');
    const most = textOf(head + 'x'.repeat(MAX_SKILL_FILE_BYTES - head.length));
    expect(found(fileOf({ text: most, good: most })).text === most).toBe(true);
    const over = textOf(head + 'x'.repeat(MAX_SKILL_FILE_BYTES - head.length + 1));
    const answer = found(fileOf({ text: over, good: over }));
    expect([answer.failure, answer.text, answer.skill?.listable]).toEqual(['too-large', undefined, false]);
    expect(rules(fileOf({ text: over, good: over }))).toEqual(['skill-file-too-large']);
  });
});

test('describeFolder() reports entries below their folder, and those of the root below "."', () => {
  const issue = { rule: 'link-broken', severity: 'warning', message: 'm', fix: 'f' } as const;
  expect(found(undefined, { issues: [{ name: 'x', issue, isLink: true }] }).problems).toMatchObject([
    { path: 'group/pdf/x' },
  ]);
  const root = folderValue('/roots/r', {
    relative: '',
    depth: 0,
    issues: [
      { name: 'x', issue, isLink: true },
      { name: '', issue, isLink: false },
    ],
  });
  expect(describeFolder(ROOT, root, []).problems).toMatchObject([{ path: 'x' }, { path: '.' }]);
});
