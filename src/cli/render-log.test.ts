// How entries of the log look to people and to programs (C).
import { describe, expect, test } from 'vitest';
import { createPaint } from './colours.ts';
import { exampleInvocation, exampleLoad } from './fixtures/example-log.ts';
import { invocationLines, loadLines, renderInvocations, renderLoads } from './render-log.ts';

const plain = createPaint(false);
const HOSTILE = 'a\u001b[31mb\tc\u009b2J\nd';

describe('renderInvocations', () => {
  test('shows time, status, skill, agent, duration, id and failure code (C)', () => {
    const entries = [
      exampleInvocation(),
      exampleInvocation({ ending: 'NOT_FOUND', durationMs: 1_250, invokingAgent: 'TaskAgent' }),
      exampleInvocation({ ending: 'TIMEOUT', durationMs: 65_000 }),
      exampleInvocation({ ending: 'running' }),
    ];
    expect(renderInvocations(entries, plain)).toBe(
      [
        '01-31 14:03:05  completed  greet         local         12 ms  c0ffee00',
        '01-31 14:03:05  failed     greet         TaskAgent     1.2 s  c0ffee00  NOT_FOUND',
        '01-31 14:03:05  timeout    greet         local       1 m 5 s  c0ffee00  TIMEOUT',
        '01-31 14:03:05  running    greet         local             …  c0ffee00',
        '',
      ].join('\n'),
    );
  });

  test('gives each status its colour', () => {
    const text = renderInvocations([exampleInvocation(), exampleInvocation({ ending: 'TIMEOUT' })], createPaint(true));
    expect(text).toContain('\u001b[32mcompleted\u001b[39m');
    expect(text).toContain('\u001b[33mtimeout  \u001b[39m');
  });

  test('keeps hostile names on their line and in their column', () => {
    const entry = exampleInvocation({ skillName: HOSTILE, invokingAgent: `${HOSTILE}${'x'.repeat(64)}` });
    const text = renderInvocations([entry], plain);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).not.toMatch(/[\u001b\u009b\t]/);
    expect(text.length).toBeLessThan(90);
  });
});

describe('invocationLines', () => {
  test('separates seven fields by tabs, empty ones too (C)', () => {
    const entries = [exampleInvocation({ ending: 'running' }), exampleInvocation({ ending: 'NOT_FOUND' })];
    const [running = '', failed = ''] = invocationLines(entries).split('\n');
    const time = expect.stringMatching(/^2026-0[12]-\d\dT[\d:.]+Z$/);
    const id = 'c0ffee00-0000-4000-8000-000000000001';
    expect(running.split('\t')).toEqual([time, 'running', 'greet', 'local', '', '', id]);
    expect(failed.split('\t')).toEqual([time, 'failed', 'greet', 'local', '12', 'NOT_FOUND', id]);
  });

  test('keeps a hostile name in its field', () => {
    expect(invocationLines([exampleInvocation({ skillName: HOSTILE })]).split(/[\t\n]/)).toHaveLength(8);
  });
});

describe('loads', () => {
  test('are shown with time, skill, client, surface and digest (D9)', () => {
    expect(renderLoads([exampleLoad()], plain)).toBe(
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
    expect(renderLoads([load], plain)).not.toMatch(/[\u001b\u009b\t]|\n./);
    expect(loadLines([load]).split(/[\t\n]/)).toHaveLength(6);
  });
});
