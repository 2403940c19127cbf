// How entries of the log look to people and to programs (C).
import { describe, expect, test } from 'vitest';
import type { LoggedInvocation } from '../../skills/record/invocation-log.ts';
import { exampleInvocation, exampleLoad, idOf } from './fixtures/example-log.ts';
import { invocationLines, loadLines, renderInvocations, renderLoads } from './log-view.ts';
import { createPaint } from './terminal/colours.ts';

const at = (columns: number) => ({ paint: createPaint(false), columns });
const wide = at(120);
const bare = { head: false };
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
const HOSTILE = 'a\u001b[31mb\tc\u009b2J\nd';

function cancelled(): LoggedInvocation {
  const { invocation, result } = exampleInvocation({ ending: 'INTERNAL_ERROR' });
  if (result?.success !== false) throw new Error('the example should have failed');
  return { invocation, result: { ...result, failure: { ...result.failure, details: { cancelled: true } } } };
}

describe('renderInvocations', () => {
  test('shows time, status, skill, agent, duration, id and failure code (C)', () => {
    const entries = [
      exampleInvocation(),
      exampleInvocation({ ending: 'NOT_FOUND', durationMs: 1_250, invokingAgent: 'TaskAgent' }),
      exampleInvocation({ ending: 'TIMEOUT', durationMs: 65_000 }),
      exampleInvocation({ ending: 'running' }),
    ];
    expect(renderInvocations(entries, wide, bare)).toBe(
      [
        '01-31 14:03:05  completed  greet         local         12 ms  00000000',
        '01-31 14:03:05  failed     greet         TaskAgent     1.2 s  00000000  NOT_FOUND',
        '01-31 14:03:05  timeout    greet         local       1 m 5 s  00000000  TIMEOUT',
        '01-31 14:03:05  running    greet         local             …  00000000',
        '',
      ].join('\n'),
    );
  });

  test('has the titles of its columns above them (U11)', () => {
    const titles = (entries: readonly LoggedInvocation[], columns: number) =>
      renderInvocations(entries, at(columns), { head: true }).split('\n');
    expect(titles([exampleInvocation()], 80)).toEqual([
      'time            status     skill         agent         took  id',
      '01-31 14:03:05  completed  greet         local        12 ms  00000000',
      '',
    ]);
    const failed = exampleInvocation({ ending: 'VALIDATION_ERROR' });
    expect(titles([failed], 80)[0]).toMatch(/ id$/);
    // Both break at the same place.
    expect(titles([failed], 60)).toEqual([
      'time            status     skill         agent         took',
      '                id',
      '01-31 14:03:05  failed     greet         local        12 ms',
      '                00000000  VALIDATION_ERROR',
      '',
    ]);
    expect(renderLoads([exampleLoad()], wide, { head: true }).split('\n')[0]).toBe(
      'time            skill         client       via               digest',
    );
  });

  test('calls a run that its caller ended cancelled, not an error (X2)', () => {
    expect(renderInvocations([cancelled()], wide, bare)).toMatch(/ {2}failed .* {2}cancelled\n$/);
    expect(invocationLines([cancelled()]).split('\t')[5]).toBe('cancelled');
  });

  test.each([60, 70, 80, 100])('fits %i columns, and shows all of it (C)', (columns) => {
    const long = { skillName: 's'.repeat(64), invokingAgent: 'a'.repeat(64), durationMs: 299_000 };
    const text = renderInvocations(
      [exampleInvocation({ ...long, ending: 'EXTERNAL_SERVICE_ERROR' })],
      at(columns),
      bare,
    );
    expect(widest(text)).toBeLessThanOrEqual(columns);
    for (const shown of ['01-31 14:03:05', 'failed', 'sss…', 'aaa…', '4 m 59 s', '00000000', 'EXTERNAL_SERVICE_ERROR'])
      expect(text).toContain(shown);
    const loads = renderLoads([exampleLoad({ skillName: 's'.repeat(64), client: 'a'.repeat(64) })], at(columns), bare);
    expect(widest(loads)).toBeLessThanOrEqual(columns);
  });

  test('puts what does not fit below, under the status (C)', () => {
    expect(renderInvocations([exampleInvocation({ ending: 'VALIDATION_ERROR' })], at(80), bare)).toBe(
      [
        '01-31 14:03:05  failed     greet         local        12 ms  00000000',
        '                VALIDATION_ERROR',
        '',
      ].join('\n'),
    );
    const long = { skillName: 's'.repeat(64), invokingAgent: 'a'.repeat(64) };
    expect(renderInvocations([exampleInvocation(long)], at(80), bare).split('\n')).toHaveLength(2);
  });

  test('gives each status its colour', () => {
    const text = renderInvocations(
      [exampleInvocation(), exampleInvocation({ ending: 'TIMEOUT' })],
      {
        paint: createPaint(true),
        columns: 80,
      },
      bare,
    );
    expect(text).toContain('\u001b[32mcompleted\u001b[39m');
    expect(text).toContain('\u001b[33mtimeout  \u001b[39m');
  });

  test('keeps hostile names on their line and in their column', () => {
    const entry = exampleInvocation({ skillName: HOSTILE, invokingAgent: `${HOSTILE}${'x'.repeat(64)}` });
    const text = renderInvocations([entry], wide, bare);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).not.toMatch(/[\u001b\u009b\t]/);
    expect(text.length).toBeLessThan(100);
  });
});

describe('invocationLines', () => {
  test('separates eight fields by tabs, empty ones too (C)', () => {
    const entries = [exampleInvocation({ ending: 'running' }), exampleInvocation({ ending: 'NOT_FOUND' })];
    const [running = '', failed = ''] = invocationLines(entries).split('\n');
    const time = expect.stringMatching(/^2026-0[12]-\d\dT[\d:.]+Z$/);
    const ids = ['c0ffee00-0000-4000-8000-000000000001', idOf(1)];
    expect(running.split('\t')).toEqual([time, 'running', 'greet', 'local', '', '', ...ids]);
    expect(failed.split('\t')).toEqual([time, 'failed', 'greet', 'local', '12', 'NOT_FOUND', ...ids]);
  });

  test('keeps a hostile name in its field', () => {
    expect(invocationLines([exampleInvocation({ skillName: HOSTILE })]).split(/[\t\n]/)).toHaveLength(9);
  });
});

describe('loads', () => {
  test('are shown with time, skill, client, surface and digest (D9)', () => {
    expect(renderLoads([exampleLoad()], wide, bare)).toBe(
      '01-31 14:03:05  pdf-forms     claude-code  skill             01234567\n',
    );
    expect(loadLines([exampleLoad()]).split('\t').slice(1)).toEqual([
      'pdf-forms',
      'claude-code',
      'skill',
      'sha256:0123456789abcdef\n',
    ]);
  });

  test('of a client with a hostile name stay on their line (D9)', () => {
    const load = exampleLoad({ client: HOSTILE, skillName: HOSTILE, surface: HOSTILE, digest: HOSTILE });
    expect(renderLoads([load], wide, bare)).not.toMatch(/[\u001b\u009b\t]|\n./);
    expect(loadLines([load]).split(/[\t\n]/)).toHaveLength(6);
  });
});
