// The answer of /metrics, read by a parser that is not ours (H2).
import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { testSkill } from '../../../skills/fixtures/test-skill.ts';
import { openApiWorld } from '../fixtures/api-world.ts';
import { gauge } from '../metrics/prometheus.ts';

test('tells what ran, what was read, what there is and how the process does', async () => {
  const world = createSkillWorld();
  world.skill('root/a', { name: 'odd "name" here' });
  world.write('root/bad/SKILL.md', '');
  const gauges = () => [gauge('repertoire_mcp_sessions', 'Open sessions.', 3)];
  const { fetch, catalog } = await openApiWorld(world, { skills: [testSkill()], parts: { gauges } });
  await fetch('/api/typed-skills/echo/invoke', { method: 'POST', body: '{"text":"hi"}' });
  await fetch('/api/typed-skills/echo/invoke', { method: 'POST', body: '{}' });
  await fetch(`/api/documents/${encodeURIComponent('odd "name" here')}`);
  const { text, headers } = await fetch('/metrics');
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const families = new Map(parsePrometheusTextFormat(text).map((family) => [family.name, family]));
  const metricsOf = (name: string) => families.get(name)?.metrics;
  expect(metricsOf('repertoire_invocations_total')).toEqual([
    { value: '1', labels: { skill: 'echo', outcome: 'success' } },
    { value: '1', labels: { skill: 'echo', outcome: 'VALIDATION_ERROR' } },
  ]);
  expect(metricsOf('repertoire_loads_total')).toEqual([
    { value: '1', labels: { skill: 'odd "name" here', surface: 'api' } },
  ]);
  expect(families.get('repertoire_invocation_duration_seconds')).toMatchObject({
    type: 'HISTOGRAM',
    metrics: [{ buckets: { '+Inf': '2', '300': '2' } }],
  });
  expect(metricsOf('repertoire_catalog_skills')).toEqual([
    { value: '1', labels: { kind: 'document' } },
    { value: '1', labels: { kind: 'typed' } },
  ]);
  expect(metricsOf('repertoire_problems')).toEqual([{ value: String(catalog.current.problems.length) }]);
  expect(metricsOf('repertoire_mcp_sessions')).toEqual([{ value: '3' }]);
  expect(metricsOf('repertoire_invocations_lost_total')).toEqual([{ value: '0' }]);
  for (const name of [
    ...['process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_uptime_seconds'],
    ...['nodejs_eventloop_delay_p50_seconds', 'nodejs_eventloop_delay_p99_seconds', 'repertoire_info'],
  ]) {
    expect(Number(metricsOf(name)?.[0]?.value)).toBeGreaterThanOrEqual(0);
  }
});
