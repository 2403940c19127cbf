// `stats` over logs in memory (C, X8).
import { beforeEach, expect, test } from 'vitest';
import type { InvocationLog } from '../execution/invocation-log.ts';
import type { LoadLog } from '../load-log.ts';
import { createMemoryInvocationLog, createMemoryLoadLog } from '../store/memory.ts';
import { type Asked, createCommandWorld, ELSEWHERE } from './fixtures/command-world.ts';
import { exampleInvocation, exampleLoad } from './fixtures/example-log.ts';
import { show } from './stats.ts';

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
  for (const skillName of ['notes', 'pdf-forms', 'pdf-forms'])
    loads.record(exampleLoad({ skillName, loadedAt: ago(1) }));
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

test('says that nothing was recorded, exit 0 (C)', async () => {
  const sentence = 'Nothing was recorded in the last 1m: look further back with --window 7d, or invoke a skill\n';
  const asked: Asked = { values: { window: '1m', skill: 'nobody' } };
  expect(await stats(asked)).toEqual({ code: 0, stdout: '', stderr: sentence });
});

test('answers X8 without entries where no store is (X8, C)', async () => {
  const { stdout } = await stats({ given: { data: '/dev/null/none' }, flags: ['json'] });
  expect(JSON.parse(stdout)).toEqual({ window: '1h', skills: [], series: [], documents: [] });
});
