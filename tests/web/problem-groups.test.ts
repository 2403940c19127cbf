// Problems by root, file and severity, and the document that each leads to. Without a browser.
import { describe, expect, test } from 'vitest';
import { countBySeverity, groupProblems, type ListedProblem } from '../../web/src/problem-groups.ts';

const problemAt = (path: string, given: Partial<ListedProblem> = {}): ListedProblem => ({
  path,
  rule: 'some-rule',
  message: 'Cannot',
  fix: 'Do',
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
      problemAt('two words/references/deep/file.md'),
    ];
    const groups = groupProblems(problems, documents, undefined);
    expect(
      groups.map(({ title, files }) => [title, files.map(({ path, problems: own }) => [path, own.length])]),
    ).toEqual([
      ['home', [['a/one/SKILL.md', 2]]],
      ['Not served', [['lost/SKILL.md', 1]]],
      ['work', [['two words/references/deep/file.md', 1]]],
    ]);
    expect(groups[2]?.files[0]?.address).toBe(`/documents/${encodeURIComponent('skill://two%20words/SKILL.md')}`);
    expect(groups[1]?.files[0]?.address).toBeUndefined();
  });

  test('tells roots apart that have the same path, where the server says them', () => {
    const problems = [problemAt('a/one/SKILL.md', { source: 'work' }), problemAt('a/one/SKILL.md', { source: 'home' })];
    const groups = groupProblems(problems, documents, undefined);
    expect(groups.map(({ title, files }) => [title, files[0]?.address !== undefined])).toEqual([
      ['work', false],
      ['home', true],
    ]);
  });
});

test('countBySeverity() believes the server, and else counts what is served as a warning', () => {
  const problems = [
    problemAt('a/one/SKILL.md'),
    problemAt('a/one/SKILL.md', { severity: 'error' }),
    problemAt('lost/SKILL.md'),
    problemAt('lost/SKILL.md', { severity: 'warning' }),
    problemAt('some_skill', { rule: 'typed-skill-refused' }),
  ];
  expect(countBySeverity(problems, documents)).toEqual({ error: 3, warning: 2 });
  expect(groupProblems(problems, documents, 'warning').flatMap(({ files }) => files)).toHaveLength(2);
});
