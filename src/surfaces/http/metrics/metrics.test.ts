// What is counted, and that names of skills cannot grow the answer without end (H2).
import { expect, test } from 'vitest';
import type { InvocationEvent } from '../../../skills/record/invocation-events.ts';
import { createMetrics, type Metrics } from './metrics.ts';

const ended = (skillName: string, durationMs: number, code?: 'TIMEOUT'): InvocationEvent => {
  const timestamp = new Date();
  const ending = { invocationId: 'i', durationMs, timestamp };
  const invocation = {
    id: 'i',
    skillName,
    inputPayload: {},
    invokingAgent: 'a',
    correlationId: 'c',
    timestamp,
    status: 'completed',
  } as const;
  return code === undefined
    ? { type: 'end', invocation, result: { ...ending, success: true, outputPayload: {} } }
    : {
        type: 'end',
        invocation,
        result: { ...ending, success: false, failure: { code, message: '', details: undefined } },
      };
};

const samplesOf = (metrics: Metrics, name: string) =>
  metrics.families().find((family) => family.name === name)?.samples ?? [];

test('invocations by skill and outcome, durations by bucket', () => {
  const metrics = createMetrics();
  for (const ms of [0, 3, 3, 700]) metrics.countInvocation(ended('echo', ms));
  metrics.countInvocation(ended('echo', 400_000, 'TIMEOUT'));
  expect(samplesOf(metrics, 'repertoire_invocations_total')).toEqual([
    { labels: { skill: 'echo', outcome: 'success' }, value: 4 },
    { labels: { skill: 'echo', outcome: 'TIMEOUT' }, value: 1 },
  ]);
  const durations = samplesOf(metrics, 'repertoire_invocation_duration_seconds');
  const upTo = (le: string) => durations.find(({ labels }) => labels?.le === le)?.value;
  expect([upTo('0.001'), upTo('0.005'), upTo('0.5'), upTo('1'), upTo('300'), upTo('+Inf')]).toEqual([1, 3, 3, 4, 4, 5]);
  expect(durations.at(-1)).toEqual({ suffix: '_count', labels: { skill: 'echo' }, value: 5 });
  expect(durations.at(-2)).toMatchObject({ suffix: '_sum', value: expect.closeTo(400.706) });
});

test('a begin and a progress count nothing', () => {
  const metrics = createMetrics();
  const { invocation } = ended('echo', 1) as Extract<InvocationEvent, { type: 'end' }>;
  metrics.countInvocation({ type: 'begin', invocation });
  expect(samplesOf(metrics, 'repertoire_invocations_total')).toEqual([]);
});

test('of more than 1,000 names the rest is counted together', () => {
  const metrics = createMetrics();
  for (let index = 0; index < 1_500; index += 1) metrics.countLoad({ skillName: `s${index}`, surface: 'api' });
  metrics.countLoad({ skillName: 's7', surface: 'api' });
  const samples = samplesOf(metrics, 'repertoire_loads_total');
  expect(samples).toHaveLength(1_001);
  expect(samples.find(({ labels }) => labels?.skill === 'other')?.value).toBe(500);
  expect(samples.find(({ labels }) => labels?.skill === 's7')?.value).toBe(2);
});

test('requests by class of status', () => {
  const metrics = createMetrics();
  for (const status of [200, 204, 304, 404, 503, 799]) metrics.countRequest(status);
  expect(
    samplesOf(metrics, 'repertoire_http_requests_total').map(({ labels, value }) => [labels?.status, value]),
  ).toEqual([
    ['2xx', 2],
    ['3xx', 1],
    ['4xx', 1],
    ['5xx', 1],
    ['other', 1],
  ]);
});
