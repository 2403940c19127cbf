// The doctor's report as text.
import { describe, expect, test } from 'vitest';
import type { DoctorReport } from './doctor-report.ts';
import { exampleProblem, exampleRoot } from './fixtures/example-values.ts';
import { renderDoctor } from './render-doctor.ts';
import { createPaint } from './terminal/colours.ts';

const layout = { paint: createPaint(false), columns: 80 };
const report: DoctorReport = {
  version: '1.2.3',
  machine: { nodeVersion: '20.20.2', platform: 'linux', maxWatches: 65_536 },
  roots: [
    exampleRoot({ skills: 2, watching: 'watched' }),
    exampleRoot({ label: '~/.claude/skills', skills: 0, state: 'missing' }),
  ],
  skillCount: 2,
  fallback: [],
  problems: [],
  typed: undefined,
  issues: [],
};

describe('renderDoctor', () => {
  test('lists every folder in order, with its state', () => {
    expect(renderDoctor(report, layout)).toBe(
      [
        'Repertoire 1.2.3 · Node 20.20.2 · linux',
        '',
        'Folders, in the order they are searched; the first wins on a duplicate name',
        '  1  ./.agents/skills  2 skills, watched  /project/.agents/skills',
        '  2  ~/.claude/skills  missing            /project/.claude/skills',
        '',
        'Skills  2 served',
        '',
        'All is well',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['name-missing', 'error', 'Skipped: not served by name'],
    ['link-outside', 'error', 'Skipped: not served by name'],
    ['shadowed', 'warning', 'Shadowed: another skill has the name'],
    ['unquoted-colon', 'warning', 'Repaired: served, but not to every host'],
    ['serving-last-good', 'warning', 'Old text served: the present one is broken'],
    ['link-outside', 'warning', 'Links not followed'],
    ['description-too-long', 'warning', 'Served, with a remark'],
  ] as const)('puts %s (%s) under "%s"', (rule, severity, title) => {
    const text = renderDoctor({ ...report, problems: [exampleProblem({ rule, severity })] }, layout);
    expect(text).toContain(`\n${title}  1\n  ./.agents/skills\n`);
    expect(text).toContain('→ Add a line');
  });

  test('keeps every remark on a skipped skill under "Skipped"', () => {
    const problems = [
      exampleProblem({ path: 'a/SKILL.md' }),
      exampleProblem({ path: 'a/SKILL.md', rule: 'unquoted-colon', severity: 'warning' }),
      exampleProblem({ path: 'b/SKILL.md', rule: 'unquoted-colon', severity: 'warning' }),
    ];
    const text = renderDoctor({ ...report, problems }, layout);
    expect(text).toContain('\nSkipped: not served by name  2\n');
    expect(text).toContain('\nRepaired: served, but not to every host  1\n');
  });

  test('shows typed skills that were refused, and counts them', () => {
    const refused = [
      { rule: 'typed-skill-refused', severity: 'error', message: 'Cannot register "x"', fix: 'Mend it' } as const,
    ];
    const text = renderDoctor({ ...report, typed: { count: 3, refused } }, layout);
    expect(text).toContain('\nSkills  2 served, 3 typed\n');
    expect(text).toContain('\nRefused: typed skills that cannot be invoked  1\n');
    expect(text).toMatch(/→ Mend it\n\n1 error, 0 warnings\n$/);
  });

  test('counts errors and warnings at the end', () => {
    const problems = [exampleProblem({}), exampleProblem({ severity: 'warning' })];
    expect(renderDoctor({ ...report, problems }, layout)).toMatch(/\n1 error, 1 warning\n$/);
  });
});
