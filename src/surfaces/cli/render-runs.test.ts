// Runs and schedules as tables for people: they fit the terminal, and titles break where the cells below them do.
import { describe, expect, test } from 'vitest';
import type { Run } from '../../skills/durable/runs.ts';
import type { ScheduleState } from '../../skills/durable/schedule.ts';
import { idOf } from './fixtures/example-log.ts';
import { renderRuns, renderSchedules } from './render-runs.ts';
import { createPaint } from './terminal/colours.ts';
import { displayWidth } from './terminal/text-layout.ts';

const paint = createPaint(false);
const at = new Date('2026-11-19T03:00:00Z');

const run: Run = {
  invocation: {
    id: idOf(1),
    skillName: 'monthly_report',
    inputPayload: {},
    invokingAgent: 'worker',
    correlationId: idOf(2),
    timestamp: at,
    status: 'running',
  },
  result: undefined,
  owner: { kind: 'agent', name: 'worker' },
  attempts: [{ attempt: 1, startedAt: at, failureCode: undefined }],
  progress: { done: 3, total: 10, message: 'mailed' },
  approval: undefined,
  isCancelled: false,
  updatedAt: at,
};

const schedule: ScheduleState = {
  name: 'nightly',
  skill: 'monthly_report',
  cron: '0 3 * * *',
  timezone: 'Europe/Berlin',
  nextAt: at,
  lastAt: at,
  lastInvocationId: undefined,
  lastStatus: undefined,
  lastFailureCode: undefined,
  problem: undefined,
};

describe.each([
  ['runs', (columns: number) => renderRuns([run], { paint, columns }), 'run'],
  ['schedules', (columns: number) => renderSchedules([schedule], { paint, columns }), 'schedule'],
])('%s', (_what, render, title) => {
  const lines = (columns: number) => render(columns).trimEnd().split('\n');

  test('are a line each on a wide terminal, below their titles', () => {
    expect(lines(140)).toEqual([expect.stringMatching(new RegExp(`^${title} `)), expect.stringMatching(/2026|03:00/)]);
  });

  test('fit 60 columns, titles included', () => {
    expect(lines(60).filter((line) => displayWidth(line) > 60)).toEqual([]);
    expect(lines(60)[0]).toMatch(new RegExp(`^${title} `));
  });
});
