// Problems by root, file and severity, and the document that each leads to. Without a browser.
import { describe, expect, test } from 'vitest';
import { countBySeverity, groupProblems } from '../../web/src/model/problem-groups.ts';
import type { Problem } from '../../web/src/model/shapes.ts';

const problemAt = (path: string, given: Partial<Problem> = {}): Problem => ({
  path,
  rule: 'some-rule',
  message: 'Cannot',
  fix: 'Do',
  source: 'home',
  severity: 'warning',
  line: null,
  ...given,
});

const documents = [
  { uri: 'skill://a/one/SKILL.md', source: 'home' },
  { uri: 'skill://two%20words/SKILL.md', source: 'work' },
];

describe('groupProblems()', () => {
  test('puts what is in one file together, and leads to the document above it', () => {
    const problems = [
      problemAt('a/one/SKILL.md', { message: '1' }),
      problemAt('lost/SKILL.md'),
      problemAt('a/one/SKILL.md', { message: '2' }),
      problemAt('two words/references/deep/file.md', { source: 'work' }),
      problemAt('some_skill', { source: null }),
    ];
    const groups = groupProblems(problems, documents, undefined);
    expect(
      groups.map(({ title, files }) => [title, files.map(({ path, problems: own }) => [path, own.length])]),
    ).toEqual([
      [
        'home',
        [
          ['a/one/SKILL.md', 2],
          ['lost/SKILL.md', 1],
        ],
      ],
      ['work', [['two words/references/deep/file.md', 1]]],
      ['Typed skills', [['some_skill', 1]]],
    ]);
    expect(groups[1]?.files[0]?.address).toBe(`/documents/${encodeURIComponent('skill://two%20words/SKILL.md')}`);
    expect(groups[0]?.files[1]?.address).toBeUndefined();
  });

  test('tells roots apart that have the same path', () => {
    const problems = [problemAt('a/one/SKILL.md', { source: 'work' }), problemAt('a/one/SKILL.md', { source: 'home' })];
    const groups = groupProblems(problems, documents, undefined);
    expect(groups.map(({ title, files }) => [title, files[0]?.address !== undefined])).toEqual([
      ['work', false],
      ['home', true],
    ]);
  });
});

test('problems are counted and chosen by the severity that the server says', () => {
  const problems = [
    problemAt('a/one/SKILL.md'),
    problemAt('a/one/SKILL.md', { severity: 'error' }),
    problemAt('lost/SKILL.md'),
    problemAt('lost/SKILL.md', { severity: 'advice' }),
    problemAt('some_skill', { source: null, severity: 'error' }),
  ];
  expect(countBySeverity(problems)).toEqual({ error: 2, warning: 2, advice: 1 });
  expect(groupProblems(problems, documents, 'warning').flatMap(({ files }) => files)).toHaveLength(2);
});
