// The log over the API: filters, pages, statistics, and what happens without a store (H2, H6, X8, D9).
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createSkillWorld } from '../../../catalog/fixtures/skill-world.ts';
import { agentCaller } from '../../../identity/caller.ts';
import { testSkill } from '../../../skills/fixtures/test-skill.ts';
import { StoreUnavailable } from '../../../skills/record/invocation-log.ts';
import { type ApiWorld, memoryStore, openApiWorld } from '../fixtures/api-world.ts';

const ID = '0198f0aa-1111-4222-8333-444455556666';

async function openLog(): Promise<ApiWorld> {
  const world = createSkillWorld();
  world.skill('root/a');
  world.skill('root/b');
  const api = await openApiWorld(world, { skills: [testSkill(), testSkill({ name: 'other' })] });
  const invoke = (name: string, input: object, agent: string, headers: Record<string, string> = {}) =>
    api.fetch(`/api/typed-skills/${name}/invoke`, {
      method: 'POST',
      body: JSON.stringify(input),
      caller: agentCaller(agent),
      headers,
    });
  await invoke('echo', { text: 'one' }, 'A', { 'X-Correlation-Id': ID });
  await invoke('echo', { text: 7 }, 'B');
  await invoke('other', { text: 'three' }, 'A');
  await api.fetch('/api/documents/a', { caller: agentCaller('Reader') });
  await api.fetch('/api/documents/a');
  await api.fetch('/api/documents/b');
  return api;
}

describe('invocations', () => {
  test('have the fields of X2 and their result, newest first (H2)', async () => {
    const { fetch } = await openLog();
    const { json } = await fetch('/api/invocations');
    expect(json.next_cursor).toBeNull();
    expect(json.invocations).toHaveLength(3);
    const first = json.invocations.find((each: { correlation_id: string }) => each.correlation_id === ID);
    expect(first).toEqual({
      id: expect.any(String),
      skill_name: 'echo',
      input_payload: { text: 'one' },
      invoking_agent: 'A',
      correlation_id: ID,
      timestamp: expect.any(String),
      status: 'completed',
      result: expect.objectContaining({ success: true, output_payload: { text: 'one' }, failure_code: null }),
    });
    const one = await fetch(`/api/invocations/${first.id}`);
    const { result, ...invocation } = first;
    expect(one.json).toEqual({ invocation, result });
  });

  test('have long payloads cut in a list, and whole one by one (A5, H2)', async () => {
    const anyText = z.object({ text: z.string() });
    const { fetch } = await openApiWorld(createSkillWorld(), {
      skills: [testSkill({ input: anyText, output: anyText })],
    });
    const text = 'x'.repeat(100_000);
    await fetch('/api/typed-skills/echo/invoke', { method: 'POST', body: JSON.stringify({ text }) });
    const [first] = (await fetch('/api/invocations')).json.invocations;
    const cut = { cut: true, bytes: 100_011, begins: `{"text":"${'x'.repeat(191)}` };
    expect(first).toMatchObject({ status: 'completed', input_payload: cut, result: { output_payload: cut } });
    const { json } = await fetch(`/api/invocations/${first.id}`);
    expect(json).toMatchObject({ invocation: { input_payload: { text } }, result: { output_payload: { text } } });
  });

  test.each([
    ['skill=echo', 2],
    ['skill=nope', 0],
    ['status=failed', 1],
    ['status=running', 0],
    ['failure_code=VALIDATION_ERROR', 1],
    ['failure_code=TIMEOUT', 0],
    ['agent=A', 2],
    [`correlation_id=${ID.toUpperCase()}`, 1],
    ['since=1h', 3],
    ['since=2020-01-01T00:00:00%2B01:00&until=2020-01-02T00:00:00Z', 0],
    ['until=1h', 0],
    ['skill=echo&agent=A&status=completed', 1],
  ])('%s finds %i (H2)', async (query, count) => {
    const { fetch } = await openLog();
    expect((await fetch(`/api/invocations?${query}`)).json.invocations).toHaveLength(count);
  });

  test('pages meet every one once', async () => {
    const { fetch } = await openLog();
    const ids = new Set<string>();
    let query = '?limit=1';
    for (let page = 0; page < 3; page += 1) {
      const { json } = await fetch(`/api/invocations${query}`);
      for (const { id } of json.invocations) ids.add(id);
      query = `?limit=1&cursor=${json.next_cursor}`;
      expect(json.next_cursor === null).toBe(page === 2);
    }
    expect(ids.size).toBe(3);
  });

  test.each(['/api/invocations', '/api/loads'])('%s refuses a cursor that is none of ours (H3)', async (route) => {
    const { fetch } = await openLog();
    const { status, json } = await fetch(`${route}?cursor=xyz`);
    expect(status).toBe(400);
    expect(json.failure_message).toContain('cursor: is none of ours');
  });

  test.each(['nope', '0198f0aa-1111-4222-8333-000000000000', "'%20OR%201=1"])('%s is 404 (H3)', async (id) => {
    const { fetch } = await openLog();
    expect((await fetch(`/api/invocations/${id}`)).status).toBe(404);
  });

  test('an id that no database takes is refused before one is asked (H3)', async () => {
    const { fetch } = await openLog();
    expect((await fetch('/api/invocations/%00')).status).toBe(400);
  });
});

describe('loads', () => {
  test('have the fields of D9 and their filters (H2, D9)', async () => {
    const { fetch } = await openLog();
    const { json } = await fetch('/api/loads?skill=a&client=Reader');
    expect(json).toEqual({
      loads: [
        {
          skill_name: 'a',
          digest: expect.any(String),
          client: 'Reader',
          surface: 'api',
          loaded_at: expect.any(String),
        },
      ],
      next_cursor: null,
    });
    expect((await fetch('/api/loads?since=1h')).json.loads).toHaveLength(3);
    expect((await fetch('/api/loads?limit=2')).json.next_cursor).toEqual(expect.any(String));
  });
});

describe('statistics', () => {
  test('are those of X8, with how often documents were read (H2, X8)', async () => {
    const { fetch } = await openLog();
    const { json } = await fetch('/api/stats');
    expect(json.window).toBe('1h');
    const echo = json.skills.find((each: { skill_name: string }) => each.skill_name === 'echo');
    expect(echo).toEqual({
      skill_name: 'echo',
      count: 2,
      success_count: 1,
      failure_count: 1,
      success_rate: 0.5,
      caller_failure_count: 1,
      failures: { VALIDATION_ERROR: 1 },
      duration_ms: { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) },
    });
    expect(json.documents).toEqual([
      { skill_name: 'a', load_count: 2 },
      { skill_name: 'b', load_count: 1 },
    ]);
    const total = json.series.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(total).toBe(3);
  });

  test('are of each agent or of each category when asked so, and nothing else (X8) (M9)', async () => {
    const { fetch } = await openLog();
    const { json } = await fetch('/api/stats?by=agent&window=2h');
    expect(Object.keys(json)).toEqual(['window', 'by', 'rows']);
    expect(json).toMatchObject({ window: '2h', by: 'agent' });
    const row = json.rows.find(({ key }: { key: string }) => key === 'A');
    expect(Object.keys(row)).toEqual([
      ...['key', 'count', 'success_count', 'failure_count', 'success_rate', 'caller_failure_count', 'failures'],
      'duration_ms',
    ]);
    expect(row).toMatchObject({ count: 2 });
    const byCategory = (await fetch('/api/stats?by=category&skill=echo')).json;
    expect(byCategory).toMatchObject({
      window: '1h',
      by: 'category',
      rows: [{ key: 'execution', count: 2, caller_failure_count: 1, failures: { VALIDATION_ERROR: 1 } }],
    });
    for (const by of ['skill', 'agents', '']) expect((await fetch(`/api/stats?by=${by}`)).status).toBe(400);
    expect((await fetch('/api/invocations?failure_code=nope')).status).toBe(400);
  });

  test('of one skill and another window', async () => {
    const { fetch } = await openLog();
    const { json } = await fetch('/api/stats?skill=b&window=7d');
    expect(json).toMatchObject({ window: '7d', skills: [], documents: [{ skill_name: 'b', load_count: 1 }] });
  });
});

const ROUTES = [
  ...['/api/invocations', `/api/invocations/${ID}`, '/api/loads', '/api/stats', '/api/stats?by=agent'],
  ...['/api/activity', '/api/activity/choices', '/api/uses', '/api/uses/greet'],
];

test.each(ROUTES)('%s is 404 with a sentence without a log (H6)', async (route) => {
  const { fetch } = await openApiWorld(createSkillWorld(), { store: undefined });
  const { status, json, headers } = await fetch(route);
  expect(status).toBe(404);
  expect(json.failure_message).toBe(
    'Resource not found: nothing is recorded, because the server was started with --no-log',
  );
  expect(headers).toMatchObject({ 'failure-reason': 'nothing_recorded' });
});

test.each(ROUTES)('%s is 503 while the database is away; documents are served (H6, F1)', async (route) => {
  const away = () => Promise.reject(new StoreUnavailable('Cannot use the database: it is at postgres://secret'));
  const { invocations, loads } = memoryStore();
  const store = {
    invocations: { ...invocations, list: away, find: away, stats: away, statsBy: away },
    loads: { ...loads, list: away, counts: away },
    activity: { list: away, choices: away, uses: away, usesOf: away },
    health: async () => ({ isReady: false, reason: 'Cannot use the database: it is away' }) as const,
  };
  const { fetch } = await openApiWorld(createSkillWorld(), { store });
  const { status, json } = await fetch(route);
  expect(status).toBe(503);
  expect(json).toMatchObject({ failure_code: 'PERSISTENCE_ERROR', failure_message: 'Database operation failed' });
  expect((await fetch('/api/documents')).status).toBe(200);
  expect(await fetch('/ready')).toMatchObject({
    status: 503,
    json: { status: 'degraded', reasons: ['Cannot use the database: it is away'] },
  });
});

test('without a log a store that skills need is still looked at (H6)', async () => {
  const health = async () => ({ isReady: false, reason: 'Cannot use the database: it is away' }) as const;
  const { fetch } = await openApiWorld(createSkillWorld(), { store: undefined, parts: { health } });
  expect((await fetch('/ready')).status).toBe(503);
});
