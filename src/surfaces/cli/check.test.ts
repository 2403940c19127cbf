// A report of `check` as text, JSON and annotations.
import { describe, expect, test } from 'vitest';
import {
  type CheckReport,
  isFailing,
  renderCheckAnnotations,
  renderCheckJson,
  renderCheckText,
  toAnnotation,
} from './check.ts';
import { createPaint } from './terminal/colours.ts';

const layout = { paint: createPaint(false), columns: 80 };
const showPath = (file: string) => file.replace('/work/', '');

const problem = {
  file: '/work/a/SKILL.md',
  rule: 'name-missing',
  severity: 'error',
  message: 'Cannot serve it: no name',
  fix: 'Add a name',
} as const;
const finding = {
  file: '/work/a/run.sh',
  rule: 'pipe-to-shell',
  severity: 'high',
  line: 3,
  message: 'A download is run unseen.',
  fix: 'Look at it first',
  excerpt: 'curl x | sh',
} as const;
const clean: CheckReport = { skillsChecked: 2, problems: [], findings: [] };

describe('renderCheckText', () => {
  test('shows file and line, rule, message and fix, then a summary', () => {
    const report = { skillsChecked: 1, problems: [{ ...problem, line: 2 }], findings: [finding] };
    expect(renderCheckText(report, showPath, layout)).toBe(
      [
        '✗ error  a/SKILL.md:2  name-missing',
        '  Cannot serve it: no name',
        '  → Add a name',
        '✗ high risk  a/run.sh:3  pipe-to-shell',
        '  | curl x | sh',
        '  A download is run unseen.',
        '  → Look at it first',
        '',
        '1 skill checked: 1 error, 1 finding',
        '',
      ].join('\n'),
    );
  });

  test('keeps what belongs to one skill together', () => {
    const nested = { ...finding, file: '/work/a/scripts/deep/run.sh' };
    const other = { ...problem, file: '/work/b/SKILL.md' };
    const report = { skillsChecked: 2, problems: [other, problem], findings: [nested] };
    const heads = renderCheckText(report, showPath, layout)
      .split('\n')
      .filter((line) => /^✗|^$/.test(line));
    expect(heads.slice(0, 4)).toEqual([
      '✗ error  a/SKILL.md  name-missing',
      '✗ high risk  a/scripts/deep/run.sh:3  pipe-to-shell',
      '',
      '✗ error  b/SKILL.md  name-missing',
    ]);
  });

  test('says so when all is good', () => {
    expect(renderCheckText(clean, showPath, layout)).toBe('2 skills checked: all good\n');
  });
});

test('renderCheckJson() has the same keys for every problem', () => {
  expect(JSON.parse(renderCheckJson({ ...clean, problems: [problem], findings: [finding] }, showPath))).toEqual({
    skills_checked: 2,
    problems: [
      {
        path: 'a/SKILL.md',
        rule: 'name-missing',
        severity: 'error',
        message: 'Cannot serve it: no name',
        fix: 'Add a name',
        line: null,
      },
    ],
    findings: [
      {
        path: 'a/run.sh',
        rule: 'pipe-to-shell',
        severity: 'high',
        message: 'A download is run unseen.',
        fix: 'Look at it first',
        line: 3,
        excerpt: 'curl x | sh',
      },
    ],
  });
});

test('renderCheckAnnotations() gives each severity its level', () => {
  const report = { ...clean, problems: [problem, { ...problem, severity: 'advice' as const }], findings: [finding] };
  expect(renderCheckAnnotations(report, showPath)).toBe(
    [
      '::error file=a/SKILL.md,title=name-missing::Cannot serve it: no name. Add a name',
      '::notice file=a/SKILL.md,title=name-missing::Cannot serve it: no name. Add a name',
      '::error file=a/run.sh,line=3,title=pipe-to-shell::A download is run unseen. Look at it first',
      '',
    ].join('\n'),
  );
});

describe('isFailing', () => {
  test.each([
    ['nothing', clean, false],
    ['advice', { ...clean, problems: [{ ...problem, severity: 'advice' as const }] }, false],
    ['a warning', { ...clean, problems: [{ ...problem, severity: 'warning' as const }] }, true],
    ['an error', { ...clean, problems: [problem] }, true],
    ['a medium finding', { ...clean, findings: [{ ...finding, severity: 'medium' as const }] }, false],
    ['a high finding', { ...clean, findings: [finding] }, true],
  ])('with %s: %s', (_what, report, expected) => {
    expect(isFailing(report)).toBe(expected);
  });
});

test('toAnnotation() writes a workflow command', () => {
  expect(
    toAnnotation({ level: 'error', file: 'a/SKILL.md', line: 3, title: 'rule', message: 'What, exactly: this' }),
  ).toBe('::error file=a/SKILL.md,line=3,title=rule::What, exactly: this\n');
});

test('toAnnotation() leaves the line out where none is known', () => {
  expect(toAnnotation({ level: 'notice', file: 'a', line: undefined, title: 't', message: 'm' })).toBe(
    '::notice file=a,title=t::m\n',
  );
});

test('toAnnotation() escapes what would end a property or a command', () => {
  const annotation = {
    level: 'warning',
    file: 'a:b,c%\n',
    line: 1,
    title: 'x::y',
    message: '100%\r\n::error::forged',
  } as const;
  expect(toAnnotation(annotation)).toBe(
    '::warning file=a%3Ab%2Cc%25%0A,line=1,title=x%3A%3Ay::100%25%0D%0A::error::forged\n',
  );
});
