// `stats` over logs in memory (C, X8).
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { LoadLog } from '../../repertoire/load-log.ts';
import { testSkill } from '../../skills/fixtures/test-skill.ts';
import type { InvocationLog } from '../../skills/record/invocation-log.ts';
import { createRuntime } from '../../skills/run/runtime.ts';
import { createMemoryInvocationLog, createMemoryLoadLog } from '../../store/fixtures/memory.ts';
import { type Asked, createCommandWorld, ELSEWHERE } from './fixtures/command-world.ts';
import { exampleInvocation, exampleLoad } from './fixtures/example-log.ts';
import { renderStats, run, show, showBy, statsLines, type UsedSkill } from './stats.ts';
import { createPaint } from './terminal/colours.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

let invocations: InvocationLog;
let loads: LoadLog;
beforeEach(async () => {
  invocations = createMemoryInvocationLog();
  loads = createMemoryLoadLog();
  const entries = [
    exampleInvocation({ number: 1, timestamp: ago(50) }),
    exampleInvocation({ number: 2, timestamp: ago(10) }),
    exampleInvocation({ number: 3, timestamp: ago(10), ending: 'NOT_FOUND' }),
    exampleInvocation({ number: 4, timestamp: ago(5), skillName: 'sum' }),
    exampleInvocation({ number: 5, timestamp: ago(90), skillName: 'old' }),
  ];
  for (const { invocation, result } of entries) if (result) await invocations.end(invocation, result);
  const names = ['notes', 'pdf-forms', 'pdf-forms'];
  await loads.record(names.map((skillName) => exampleLoad({ skillName, loadedAt: ago(1) })));
});

async function stats(asked: Asked) {
  const world = createCommandWorld({ given: ELSEWHERE, ...asked });
  const code = await show({ invocations, loads }, world.context, NOW);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test('prints exactly X8 and the documents with --json (X8, C)', async () => {
  const { window, skills, series, documents } = JSON.parse((await stats({ flags: ['json'] })).stdout);
  expect({ window, skills, documents }).toEqual({
    window: '1h',
    skills: [
      {
        skill_name: 'greet',
        count: 3,
        success_count: 2,
        failure_count: 1,
        success_rate: 2 / 3,
        caller_failure_count: 0,
        failures: { NOT_FOUND: 1 },
        duration_ms: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
      },
      expect.objectContaining({ skill_name: 'sum', success_rate: 1, failures: {} }),
    ],
    documents: [
      { skill_name: 'pdf-forms', load_count: 2 },
      { skill_name: 'notes', load_count: 1 },
    ],
  });
  expect(series).toContainEqual({ start: ago(10).toISOString(), count: 2, failure_count: 1 });
});

test('looks at the window and the skill that were asked for (X8)', async () => {
  const names = async (asked: Asked) => {
    const { skills, documents } = JSON.parse((await stats({ flags: ['json'], ...asked })).stdout);
    return [...skills, ...documents].map(({ skill_name }) => skill_name);
  };
  expect(await names({ values: { window: '2h' } })).toEqual(['greet', 'old', 'sum', 'pdf-forms', 'notes']);
  expect(await names({ values: { skill: 'greet' } })).toEqual(['greet']);
  expect(await names({ values: { skill: 'notes' } })).toEqual(['notes']);
});

test('draws for each skill a line of its own runs (C)', async () => {
  const { stdout } = await stats({ isTerminal: true });
  const lineOf = (name: string) => stdout.split('\n').find((line) => line.startsWith(name)) ?? '';
  expect(lineOf('greet').match(/[▁-█]/g)).toEqual(['▄', '█']);
  expect(lineOf('sum').match(/[▁-█]/g)).toEqual(['█']);
  expect(stdout).toContain('  NOT_FOUND 1\n');
  expect(stdout).toMatch(/^pdf-forms +2$/m);
});

test('prints lines with tabs into a pipe (C)', async () => {
  const { stdout } = await stats({ values: { skill: 'greet' } });
  expect(stdout).toMatch(/^typed\tgreet\t3\t0\.66\d+(?:\t[\d.]+){3}\tNOT_FOUND=1\n$/);
});

describe('--by', () => {
  beforeEach(async () => {
    const entries = [
      exampleInvocation({ number: 6, timestamp: ago(4), skillName: 'sum', ending: 'UNAUTHORIZED' }),
      exampleInvocation({ number: 7, timestamp: ago(3), skillName: 'sum', ending: 'TIMEOUT' }),
    ];
    for (const { invocation, result } of entries)
      if (result) await invocations.end({ ...invocation, invokingAgent: 'AuthAgent' }, result);
  });

  const { find } = createRuntime({ skills: [testSkill({ name: 'greet', category: 'planning' })] });

  async function statsBy(by: 'agent' | 'category', asked: Asked = {}) {
    const world = createCommandWorld({ given: ELSEWHERE, ...asked });
    const code = await showBy({ invocations, loads }, world.context, NOW, { by, find });
    return { code, stdout: world.stdout(), stderr: world.stderr() };
  }

  test('prints rows of each agent as X8 has them with --json (X8) (M9)', async () => {
    const { stdout } = await statsBy('agent', { flags: ['json'] });
    const { window, by, rows } = JSON.parse(stdout);
    expect({ window, by, keys: rows.map(({ key }: { key: string }) => key) }).toEqual({
      window: '1h',
      by: 'agent',
      keys: ['AuthAgent', 'local'],
    });
    expect(rows[0]).toEqual({
      key: 'AuthAgent',
      count: 2,
      success_count: 0,
      failure_count: 2,
      success_rate: 0,
      caller_failure_count: 1,
      failures: { UNAUTHORIZED: 1, TIMEOUT: 1 },
      duration_ms: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
    });
  });

  test('prints rows of each category, and says where those of own skills come from (X8) (M9)', async () => {
    const { stdout, stderr } = await statsBy('category');
    expect(stdout).toMatch(/^category\tplanning\t3\t0\.66/);
    expect(stdout).toMatch(/^category\tunknown\t3\t/m);
    expect(stderr).toContain('add --config FILE to see their categories');
  });

  test('draws a row of each agent, and which failures are by callers (X8)', async () => {
    const { stdout } = await statsBy('agent', { isTerminal: true });
    expect(stdout).toMatch(/^AuthAgent +2 +0% /m);
    expect(stdout).toContain('  UNAUTHORIZED 1, TIMEOUT 1 (1 of 2 by callers)\n');
  });

  test('says that nothing was recorded (X8)', async () => {
    expect(await statsBy('agent', { values: { window: '1m' } })).toMatchObject({ code: 0, stdout: '' });
  });
});

test('says that nothing was recorded, exit 0 (C)', async () => {
  loads = createMemoryLoadLog();
  const back = 'look further back with --window 7d';
  const sentence = `Nothing was recorded in the last minute: ${back}, or invoke a skill\n`;
  expect(await stats({ values: { window: '1m' } })).toEqual({ code: 0, stdout: '', stderr: sentence });
  const ofOne = `Nothing was recorded for "nobody" in the last minute: ${back}, or invoke it\n`;
  expect(await stats({ values: { window: '1m', skill: 'nobody' } })).toMatchObject({ code: 0, stderr: ofOne });
});

test.each([
  ['gret', 'did you mean "greet"?'],
  ['pdf-from', 'did you mean "pdf-forms"?'],
  ['x\u001b[31m', 'look further back with --window 7d, or name one of greet, sum, pdf-forms, notes'],
])('answers a name that nothing was recorded of, %j, with those of others (C)', async (skill, advice) => {
  const name = skill.replace('\u001b[31m', '');
  const stderr = `Nothing was recorded for "${name}" in the last hour: ${advice}\n`;
  expect(await stats({ values: { skill } })).toEqual({ code: 0, stdout: '', stderr });
});

test('says of a --data that is not there, or holds no log, what is the case, and makes nothing (C)', async () => {
  const data = mkdtempSync(join(tmpdir(), 'repertoire-stats-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const ended = async (asked: Asked) => {
    const world = createCommandWorld(asked);
    return { code: await run(world.context), stderr: world.stderr() };
  };
  const typo = join(data, 'typo');
  expect(await ended({ given: { data: typo }, values: { data: typo } })).toEqual({
    code: 1,
    stderr: `Cannot read the log: the folder "${typo}" does not exist; check the value of --data\n`,
  });
  expect(await ended({ given: { data }, values: { data } })).toEqual({
    code: 0,
    stderr: `Nothing was recorded yet: the folder "${data}" has no log; give the --data folder that mcp, serve or invoke uses\n`,
  });
  expect(readdirSync(data)).toEqual([]);
});

test('answers X8 without entries where no store is (X8, C)', async () => {
  const { stdout } = await stats({ given: { data: '/dev/null/none' }, flags: ['json'] });
  expect(JSON.parse(stdout)).toEqual({ window: '1h', skills: [], series: [], documents: [] });
});

const used = (changes: Partial<UsedSkill> = {}): UsedSkill => ({
  skillName: 'greet',
  count: 1_204,
  successCount: 1_203,
  failureCount: 1,
  failures: { TIMEOUT: 1 },
  durationMs: { p50: 2, p95: 40, p99: 1_500 },
  series: [
    { count: 4, failureCount: 0 },
    { count: 8, failureCount: 1 },
  ],
  ...changes,
});
const layout = { paint: createPaint(false), columns: 80 };

describe('renderStats', () => {
  test('shows a row per skill with rate, percentiles, bars and failures, then the documents (X8, C)', () => {
    const skills = [used(), used({ skillName: 'sum', count: 1, successCount: 1, failureCount: 0, failures: {} })];
    const documents = [{ skillName: 'pdf-forms', loadCount: 12 }];
    expect(renderStats({ window: '1h', skills, documents }, layout)).toBe(
      [
        'last 1h       runs       ok      p50      p95      p99',
        'greet        1,204    99.9%     2 ms    40 ms    1.5 s  ▄█',
        '  TIMEOUT 1',
        'sum              1     100%     2 ms    40 ms    1.5 s  ▄█',
        '',
        'documents    reads',
        'pdf-forms       12',
        '',
      ].join('\n'),
    );
  });

  test.each([
    [999_999, 1_000_000, '99.9%'],
    [57, 100, '57.0%'],
    [2, 3, '66.7%'],
    [1, 1_000_000, '0.1%'],
    [0, 4, '0%'],
    [4, 4, '100%'],
  ])('rounds %i of %i to %s: 100%% only when nothing failed (X8)', (successCount, count, rate) => {
    const text = renderStats({ window: '1h', skills: [used({ count, successCount })], documents: [] }, layout);
    expect(text.split('\n')[1]?.split(/ {2,}/)[2]).toBe(rate);
  });

  test.each([60, 70, 80, 120])(
    'fits %i columns with a long name and a long series, and lets nothing through that steers',
    (columns) => {
      const series = Array.from({ length: 180 }, () => ({ count: 1, failureCount: 0 }));
      const skills = [used({ skillName: 'x'.repeat(64), series }), used({ skillName: 'a\u001b[31m\nb' })];
      const text = renderStats({ window: '3h', skills, documents: [] }, { ...layout, columns });
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(text).not.toContain('\u001b');
      expect(text.trimEnd().split('\n')).toHaveLength(5);
    },
  );
});

test('failures of many codes go on below (C)', () => {
  const failures = { EXTERNAL_SERVICE_ERROR: 1, VALIDATION_ERROR: 1, PERSISTENCE_ERROR: 1 };
  const view = { window: '1h', skills: [used({ failures, failureCount: 3 })], documents: [] };
  const text = renderStats(view, { ...layout, columns: 60 });
  expect(text.split('\n').slice(2)).toEqual([
    '  EXTERNAL_SERVICE_ERROR 1, VALIDATION_ERROR 1,',
    '  PERSISTENCE_ERROR 1 (1 of 3 by callers)',
    '',
  ]);
});

test('statsLines() separates by tabs and says which kind each line is (C)', () => {
  const skill = used({ failures: { TIMEOUT: 1, NOT_FOUND: 3 }, count: 8, successCount: 4 });
  expect(statsLines([skill], [{ skillName: 'a\tb', loadCount: 2 }])).toBe(
    'typed\tgreet\t8\t0.5\t2\t40\t1500\tNOT_FOUND=3,TIMEOUT=1\ndocument\ta b\t2\n',
  );
});
