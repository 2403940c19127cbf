// What the doctor concludes from a catalog and a machine, and how it says so.
import { describe, expect, test } from 'vitest';
import type { RootStatus } from '../../catalog/catalog.ts';
import { createDoctorReport, type DoctorReport, hasErrors } from './doctor-report.ts';
import { exampleProblem, exampleRoot, exampleSkill, exampleSnapshot } from './fixtures/example-values.ts';
import { renderDoctor } from './render-doctor.ts';
import { rootJson } from './report-json.ts';
import { createPaint } from './terminal/colours.ts';

const environment = { home: '/home/me', workingDirectory: '/project', variables: {} };
const words = { environment, status: 'node /checkout/dist/cli.js --root ./s' };
const store = { kind: 'sqlite', named_by: null, data_directory: '/home/me/.repertoire' } as const;
const machine = { node: '20.20.2', platform: 'linux', max_user_watches: 65_536 };
const NO_TYPED = { runtime: undefined, skills: [], refused: [] };

function conclude(roots: readonly RootStatus[], snapshot = exampleSnapshot([], []), facts = machine) {
  return createDoctorReport({ current: snapshot, roots }, NO_TYPED, {
    version: '1.2.3',
    store,
    findings: [],
    sources: [],
    ...facts,
  });
}

describe('createDoctorReport', () => {
  test('has nothing to say about a machine in order', () => {
    const healthy = conclude([exampleRoot({ watching: 'watched' })]);
    expect(healthy.issues).toEqual([]);
    expect(hasErrors(healthy)).toBe(false);
  });

  test('names the skills whose last good text is served (D8)', () => {
    const skills = [exampleSkill({ name: 'new' }), exampleSkill({ name: 'old', availability: 'fallback' })];
    expect(conclude([], exampleSnapshot(skills, [])).fallback).toEqual(['old']);
  });

  test('says that a polled folder is slow, and what to do', () => {
    const [issue] = conclude([exampleRoot({ watching: 'polled' })]).issues;
    expect(issue).toMatchObject({
      rule: 'polled',
      severity: 'warning',
      fix: expect.stringContaining('max_user_watches'),
    });
  });

  test('warns before watches run out', () => {
    const skills = Array.from({ length: 10 }, () => exampleSkill({}));
    const rules = (watches: number) =>
      conclude([], exampleSnapshot(skills, []), { ...machine, max_user_watches: watches }).issues.map(
        (issue) => issue.rule,
      );
    expect(rules(59)).toEqual(['watch-limit-near']);
    expect(rules(60)).toEqual([]);
  });

  test.each([
    ['18.20.0', true],
    ['20.18.9', true],
    ['20.19.0', false],
    ['21.7.3', true],
    ['22.2.0', true],
    ['22.3.0', false],
    ['24.0.0', false],
  ])('on Node %s an error is: %s', (node, expected) => {
    expect(hasErrors(conclude([], undefined, { ...machine, node }))).toBe(expected);
  });

  test('has errors when a skill has one, not when it has warnings only', () => {
    const withProblem = (severity: 'error' | 'warning') => exampleSnapshot([], [exampleProblem({ severity })]);
    expect(hasErrors(conclude([], withProblem('error')))).toBe(true);
    expect(hasErrors(conclude([], withProblem('warning')))).toBe(false);
  });
});

const layout = { paint: createPaint(false), columns: 80 };
const report: DoctorReport = {
  version: '1.2.3',
  store,
  ...machine,
  roots: [
    exampleRoot({ skills: 2, watching: 'watched' }),
    exampleRoot({ label: '~/.claude/skills', skills: 0, state: 'missing' }),
  ].map(rootJson),
  sources: [],
  skill_count: 2,
  fallback: [],
  problems: [],
  findings: [],
  issues: [],
};

describe('renderDoctor', () => {
  test('names the command that shows how to make the first skill, as it works here (U5)', () => {
    const text = renderDoctor({ ...report, skill_count: 0 }, layout, words);
    expect(text).toMatch(
      /No skills yet: node \/checkout\/dist\/cli\.js --root \.\/s shows how to create the first one\n$/,
    );
  });

  test('lists every folder in order, with its state', () => {
    expect(renderDoctor(report, layout, words)).toBe(
      [
        'Repertoire 1.2.3 · Node 20.20.2 · linux',
        '',
        'Folders, in the order they are searched; the first wins on a duplicate name',
        '  1  ./.agents/skills  2 skills, watched  /project/.agents/skills',
        '  2  ~/.claude/skills  missing            /project/.claude/skills',
        '',
        'Skills  2 served',
        '',
        'Store  SQLite in ~/.repertoire',
        '',
        'No problems found',
        '',
      ].join('\n'),
    );
  });

  test.each(['--database-url', 'DATABASE_URL'] as const)('says what names the PostgreSQL: %s (C) (M18)', (named_by) => {
    const used = { kind: 'postgres', named_by, data_directory: '/srv/data' } as const;
    const text = renderDoctor({ ...report, store: used }, layout, words);
    expect(text).toContain(`\nStore  PostgreSQL (${named_by}); your token is in /srv/data\n`);
  });

  test.each([
    ['name-missing', 'error', 'Skipped: not served by name'],
    ['link-outside', 'error', 'Skipped: not served by name'],
    ['shadowed', 'warning', 'Shadowed: another skill has the same name'],
    ['unquoted-colon', 'warning', 'Repaired: served, but not to every host'],
    ['serving-last-good', 'warning', 'Broken: the last good text is served'],
    ['link-outside', 'warning', 'Links not followed'],
    ['description-too-long', 'warning', 'Served, with warnings'],
  ] as const)('puts %s (%s) under "%s"', (rule, severity, title) => {
    const text = renderDoctor({ ...report, problems: [exampleProblem({ rule, severity })] }, layout, words);
    expect(text).toContain(`\n${title}  1\n  ./.agents/skills\n`);
    expect(text).toContain('→ Add a line');
  });

  test('keeps every remark on a skipped skill under "Skipped"', () => {
    const problems = [
      exampleProblem({ path: 'a/SKILL.md' }),
      exampleProblem({ path: 'a/SKILL.md', rule: 'unquoted-colon', severity: 'warning' }),
      exampleProblem({ path: 'b/SKILL.md', rule: 'unquoted-colon', severity: 'warning' }),
    ];
    const text = renderDoctor({ ...report, problems }, layout, words);
    expect(text).toContain('\nSkipped: not served by name  2\n');
    expect(text).toContain('\nRepaired: served, but not to every host  1\n');
  });

  test('shows findings of high risk with their place, counts them, and takes them for errors (U11)', () => {
    const finding = {
      ...{ source: './.agents/skills', path: 'set-up/SKILL.md', line: 9, rule: 'instruction-override' },
      ...{ message: 'It overrides instructions', fix: 'Read it', excerpt: 'ignore all' },
      severity: 'high',
    } as const;
    const risky = { ...report, findings: [finding] };
    expect(renderDoctor(risky, layout, words)).toContain(
      [
        'High risk: read these before an agent does  1',
        '  ✗ high risk  ./.agents/skills/set-up/SKILL.md:9  instruction-override',
        '    | ignore all',
        '    It overrides instructions',
        '    → Read it',
        '',
        '1 high-risk finding',
      ].join('\n'),
    );
    expect([hasErrors(risky), hasErrors(report)]).toEqual([true, false]);
  });

  test('shows typed skills that were refused, and counts them', () => {
    const refused = [
      { rule: 'typed-skill-refused', severity: 'error', message: 'Cannot register "x"', fix: 'Fix it' } as const,
    ];
    const text = renderDoctor({ ...report, typed_skill_count: 3, refused_typed_skills: refused }, layout, words);
    expect(text).toContain('\nSkills  2 served, 3 typed\n');
    expect(text).toContain('\nRefused: typed skills that cannot be invoked  1\n');
    expect(text).toMatch(/→ Fix it\n\n1 error, 0 warnings\n$/);
  });

  test('counts errors and warnings at the end', () => {
    const problems = [exampleProblem({}), exampleProblem({ severity: 'warning' })];
    expect(renderDoctor({ ...report, problems }, layout, words)).toMatch(/\n1 error, 1 warning\n$/);
  });
});

test('sources: each with its commit and state, and every file that is not what the lock says (S3, S4)', () => {
  const source = { source: 'github:a/b', ref: 'v1', commit: 'c'.repeat(40), paths: ['skills'], skill_count: 3 };
  const amiss: DoctorReport = {
    ...report,
    sources: [
      { ...source, state: 'changed', differences: ['skills/x/SKILL.md: the file is not what the lock says'] },
      { ...source, source: '../other', ref: null, paths: [], state: 'ready', differences: [] },
    ],
  };
  expect(hasErrors(amiss)).toBe(true);
  const text = renderDoctor(amiss, layout, words);
  expect(text).toContain('github:a/b at ccccccc (v1), 3 skills, of skills: changed');
  expect(text).toContain('✗ skills/x/SKILL.md: the file is not what the lock says');
  expect(text).toContain('../other at ccccccc, 3 skills: ready');
  expect(text).toContain('1 source not as the lock says');
  expect(renderDoctor(report, layout, words)).not.toContain('Sources');
});
