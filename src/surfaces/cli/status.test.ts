// The status screen: with skills, without, with problems, with hosts.
import { describe, expect, test } from 'vitest';
import { exampleProblem, exampleRoot } from './fixtures/example-values.ts';
import { rootJson } from './report-json.ts';
import { renderStatus, type StatusHints, type StatusReport } from './status.ts';
import { createPaint } from './terminal/colours.ts';

const layout = { paint: createPaint(false), columns: 80 };
const report: StatusReport = {
  version: '1.2.3',
  roots: [
    exampleRoot({ label: './.agents/skills', skills: 3 }),
    exampleRoot({ label: '~/.claude/skills', skills: 0, state: 'missing' }),
  ].map(rootJson),
  skill_count: 3,
  problems: [],
  hosts: [],
  server_command: ['repertoire', 'mcp'],
};
const hints: StatusHints = {
  givenRoots: [],
  program: 'repertoire',
  doctor: 'repertoire doctor',
  make: 'repertoire new my-first-skill',
  hasProjectSkills: false,
};

const screenOf = (changes: Partial<StatusReport> = {}, told: Partial<StatusHints> = {}) =>
  renderStatus({ ...report, ...changes }, { ...hints, ...told }, layout);

const hostsWith = (...connected: readonly string[]) => [
  { id: 'codex', name: 'Codex', folder: '~/.codex', connected: connected.includes('codex') },
  { id: 'zed', name: 'Zed', folder: '~/.config/zed', connected: connected.includes('zed') },
];

describe('renderStatus', () => {
  test('says what was found where (C)', () => {
    expect(screenOf()).toBe(
      [
        'Repertoire 1.2.3  3 skills in 1 folder · no problems',
        '',
        'Skills',
        '  ./.agents/skills  3 skills  /project/.agents/skills',
        '  1 other folder is not there: `repertoire doctor` lists every folder',
        '',
        'Next: give these skills to an agent',
        '  Add this to the MCP settings of any host:',
        '  {"mcpServers":{"repertoire":{"command":"repertoire","args":["mcp"]}}}',
        '',
      ].join('\n'),
    );
  });

  test('shows ten problems, errors first, and counts the rest (C)', () => {
    const warnings = Array.from({ length: 12 }, (_, index) =>
      exampleProblem({ severity: 'warning', path: `w${index}/SKILL.md` }),
    );
    const text = screenOf({ problems: [...warnings, exampleProblem({ path: 'e/SKILL.md', line: 7 })] });
    expect(text).toContain('    ✗ error  e/SKILL.md:7  name-missing\n');
    expect(text.indexOf('e/SKILL.md')).toBeLessThan(text.indexOf('w0/SKILL.md'));
    expect(text.match(/w\d+\/SKILL\.md/g)).toHaveLength(9);
    expect(text).toContain('  … and 3 more: `repertoire doctor`\n');
  });

  test('tells directories with the same label apart', () => {
    const problems = [
      exampleProblem({ rootPath: '/a/.agents/skills' }),
      exampleProblem({ rootPath: '/b/.agents/skills' }),
    ];
    const text = screenOf({ problems });
    expect(text).toContain('\n  /a/.agents/skills\n');
    expect(text).toContain('\n  /b/.agents/skills\n');
  });

  test('wraps to the width and never sends a control character of a skill', () => {
    const problem = exampleProblem({ path: 'a\u001b[2Jb/SKILL.md', message: `${'long '.repeat(40)}\u009b31m\nend` });
    const text = screenOf({ problems: [problem] });
    expect(text).not.toMatch(/[\u001b\u009b]/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('without skills says where it looked and how to make the first one (C, U11)', () => {
    const text = screenOf({ roots: report.roots.map((root) => ({ ...root, skills: 0 })), skill_count: 0 });
    expect(text).toContain('/project/.agents/skills  empty');
    expect(text).toContain('/project/.claude/skills  missing');
    expect(text).toContain('Create the first one\n  repertoire new my-first-skill\n');
    expect(text).toContain('Then give your skills to an agent');
  });

  test('with broken skills only points to them instead of a first one', () => {
    const text = screenOf({ skill_count: 0, problems: [exampleProblem({})] });
    expect(text).toContain('/project/.agents/skills  only problems');
    expect(text).not.toContain('my-first-skill');
  });

  test('names a missing folder that was asked for (D1)', () => {
    const text = screenOf({}, { givenRoots: ['~/.claude/skills'] });
    expect(text).toContain('  ~/.claude/skills  missing   /project/.claude/skills\n');
    expect(text).not.toContain('not there');
  });

  test('offers to connect the first host that is here, with the options that were given (C)', () => {
    const server_command = ['node', '/a b/cli.js', 'mcp', '--root', '/my skills'];
    const text = screenOf({ hosts: hostsWith(), server_command }, { program: "node '/a b/cli.js'" });
    expect(text).toContain('Codex  ~/.codex');
    expect(text).toContain("  node '/a b/cli.js' connect codex --root '/my skills'\n");
    expect(text).toContain('or add this to the MCP settings of any host:\n');
    expect(text).toContain('"args":["/a b/cli.js","mcp","--root","/my skills"]');
  });

  test('marks the hosts that are connected, and offers the next one that is not (C)', () => {
    const one = screenOf({ hosts: hostsWith('codex') });
    expect(one).toContain('  Codex  ~/.codex  connected\n  Zed    ~/.config/zed\n');
    expect(one).toContain('  repertoire connect zed\n');
    const all = screenOf({ hosts: hostsWith('codex', 'zed') });
    expect(all).toMatch(/\nNext: see what your agents read\n {2}repertoire log --loads\n.*connect HOST/);
  });
});
