// What the API does around its routes: unknown ones, wrong methods, faults of ours, who may read the log (H3, H5).
import { expect, test } from 'vitest';
import { createSkillWorld } from '../../catalog/fixtures/skill-world.ts';
import { openCatalogEarly } from '../../catalog/live-catalog.ts';
import { agentCaller, userCaller } from '../../identity/caller.ts';
import { createRepertoire } from '../../repertoire/repertoire.ts';
import { testSkill } from '../../skills/fixtures/test-skill.ts';
import { openApiWorld } from './fixtures/api-world.ts';

const KEYS = ['success', 'failure_code', 'failure_message', 'severity', 'suggested_action', 'correlation_id'];

test('an unknown route has the body of every failure (H3)', async () => {
  const { fetch } = await openApiWorld(createSkillWorld());
  const id = '0198f0aa-1111-4222-8333-444455556666';
  const answer = await fetch('/api/nothing', { headers: { 'X-Correlation-Id': id } });
  expect(answer.status).toBe(404);
  expect(Object.keys(answer.json)).toEqual(KEYS);
  expect(answer.json).toEqual({
    success: false,
    failure_code: 'NOT_FOUND',
    failure_message: 'Resource not found: route /api/nothing',
    severity: 'recoverable',
    suggested_action: 'Verify resource exists before operation',
    correlation_id: id,
  });
});

test('a wrong method is 405 and says which are right (H3)', async () => {
  const { fetch } = await openApiWorld(createSkillWorld());
  const answer = await fetch('/api/documents', { method: 'DELETE' });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe('GET, HEAD');
  expect(answer.json).toMatchObject({
    failure_code: 'VALIDATION_ERROR',
    failure_message: 'Input validation failed: this route takes GET, HEAD',
  });
});

test('what is wrong with a query is 400, all of it (H3)', async () => {
  const { fetch } = await openApiWorld(createSkillWorld());
  const { status, json } = await fetch('/api/documents?limit=0&page=2');
  expect(status).toBe(400);
  expect(json.failure_message).toBe(
    'Input validation failed: page: is not known here: known are q, cursor, limit, findings; limit: must be a whole number from 1 to 1000',
  );
});

test('a path that is not percent-encoded UTF-8 is 400 (H3)', async () => {
  const { fetch } = await openApiWorld(createSkillWorld());
  expect(await fetch('/api/documents/%ff')).toMatchObject({
    status: 400,
    json: { failure_message: 'Input validation failed: path: is not percent-encoded UTF-8' },
  });
});

test.each(['listed at once', 'listed later'])(
  'a throw is 500 without its text, which is in the log: %s (H3, T9)',
  async (when) => {
    const error = new Error('secret at /home/me');
    const whole = { isWhole: true, whole: async () => undefined };
    const fault = () => {
      throw error;
    };
    const repertoire: object = {
      ...whole,
      page: fault,
      search: () => Promise.reject(error),
      snapshot: { skills: [], unnamed: [] },
      for: () => repertoire,
    };
    const { fetch, lines } = await openApiWorld(createSkillWorld(), { parts: { repertoire: repertoire as never } });
    const answer = await fetch(when === 'listed at once' ? '/api/documents' : '/api/search?q=a');
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({
      failure_code: 'INTERNAL_ERROR',
      failure_message: 'An unexpected error occurred',
      severity: 'fatal',
    });
    expect(answer.text).not.toContain('secret');
    expect(lines).toMatchObject([
      {
        level: 'error',
        correlation_id: answer.json.correlation_id,
        error: expect.stringContaining('secret at /home/me'),
      },
    ]);
  },
);

const LOG_ROUTES = [
  ...['/api/invocations', '/api/loads', '/api/schedules', '/api/stats', '/metrics'],
  ...['/api/activity', '/api/activity/choices', '/api/uses', '/api/uses/pdf'],
];

test.each(LOG_ROUTES)('%s is for the operator and for log:read alone (H5)', async (route) => {
  const { fetch } = await openApiWorld(createSkillWorld());
  for (const caller of [agentCaller('a'), userCaller('u')]) {
    const refused = await fetch(route, { caller });
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ failure_code: 'UNAUTHORIZED', severity: 'fatal' });
  }
  const reader = agentCaller('a', ['a'], ['log:read']);
  // Where nothing survives there are no schedules.
  const expected = route.endsWith('/schedules') ? 404 : 200;
  expect((await fetch(route, { caller: reader })).status).toBe(expected);
  expect((await fetch(route)).status).toBe(expected);
});

test.each([
  '/api/documents',
  '/api/documents/a',
  '/api/problems',
  '/api/search?q=a',
  '/api/typed-skills',
  '/api/openapi.json',
])('%s is open to agents and users (H5)', async (route) => {
  const world = createSkillWorld();
  world.skill('root/a');
  const { fetch } = await openApiWorld(world, { skills: [testSkill()] });
  for (const caller of [agentCaller('x'), userCaller('u')]) expect((await fetch(route, { caller })).status).toBe(200);
});

test('whoever asks right after the start sees every skill; readiness says that it is not whole (H6)', async () => {
  const world = createSkillWorld();
  world.skill('root/outer');
  world.skill('root/outer/deep/inner');
  const catalog = await openCatalogEarly({
    roots: [{ label: 'root', path: world.at('root'), boundary: undefined }],
    allowLinks: [],
    without: [],
    watch: false,
    rescanMs: 30_000,
    now: () => new Date(),
    log: () => undefined,
  });
  let isWhole = false;
  const early = Object.defineProperty(createRepertoire(catalog), 'isWhole', { get: () => isWhole && catalog.isWhole });
  const { fetch } = await openApiWorld(world, { parts: { repertoire: early } });
  try {
    expect(await fetch('/ready')).toMatchObject({ status: 503, json: { status: 'degraded' } });
    expect((await fetch('/api/documents')).json.documents).toHaveLength(2);
    isWhole = true;
    expect((await fetch('/ready')).status).toBe(200);
  } finally {
    catalog.close();
  }
});

test.each(['/api/documents', '/api/documents/a', '/api/documents/a/files/SKILL.md', '/ready', '/metrics'])(
  'HEAD %s has the headers of GET and no body (H2)',
  async (route) => {
    const world = createSkillWorld();
    world.skill('root/a');
    const { fetch, loads } = await openApiWorld(world);
    const [head, got] = [await fetch(route, { method: 'HEAD' }), await fetch(route)];
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect(head.headers['content-type']).toBe(got.headers['content-type']);
    expect(head.headers.etag).toBe(got.headers.etag);
    // Nobody has read anything by HEAD (D9).
    expect(loads.length).toBeLessThanOrEqual(1);
  },
);
