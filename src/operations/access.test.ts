// Every operation and every route asked as every kind of caller, on each surface: who may is what the table says (H5).
import { expect, test } from 'vitest';
import fc from '../../tests/support/property.ts';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../catalog/fixtures/skill-world.ts';
import type { Snapshot } from '../catalog/view/snapshot.ts';
import { SCOPES } from '../identity/agents.ts';
import { agentCaller, type Caller, LOCAL_OPERATOR, type Scope, userCaller } from '../identity/caller.ts';
import { createRepertoire } from '../repertoire/repertoire.ts';
import type { Route } from '../surfaces/http/contract/route.ts';
import { ROUTES } from '../surfaces/http/contract/routes.ts';
import { openApiWorld } from '../surfaces/http/fixtures/api-world.ts';
import { calledTool, contextOf } from '../surfaces/mcp/fixtures/tool-world.ts';
import { hasTool, operationTool } from '../surfaces/mcp/methods/operation-tool.ts';
import { PreparedResults } from '../surfaces/mcp/methods/prepared-results.ts';
import { hasFunction, operationFunction } from '../surfaces/openai/operation-function.ts';
import { ok } from '../values/result.ts';
import {
  ANY_CALLER,
  ANY_INVOKER,
  ANYONE,
  hidePathsFor,
  LIBRARY_READERS,
  LOG_READERS,
  OPERATOR_ONLY,
  PROPOSERS,
  RUN_APPROVERS,
  TRAIL_READERS,
  viewKey,
} from './access.ts';
import { type DocumentPorts, documentOperations } from './documents.ts';
import { API_OPERATIONS, OPERATIONS } from './index.ts';
import { asFound, ask, type Operation, operation, TOOL_NAMES } from './operation.ts';
import { record, text } from './shape.ts';

const scopes: readonly Scope[] = SCOPES;

const someCaller: fc.Arbitrary<Caller> = fc.oneof(
  fc.constant(LOCAL_OPERATOR),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.array(fc.string({ minLength: 1 })), fc.subarray([...scopes]))
    .map(([name, roles, given]) => agentCaller(name, roles, given)),
  // A name is no right: an agent may be called as the operator is, or as a scope.
  fc.constantFrom('local', 'operator', 'log:read', '*').map((name) => agentCaller(name, [name])),
  // People have grants as agents have; what a skill opens to users is no right to a route (N6).
  fc
    .tuple(fc.string({ minLength: 1 }), fc.array(fc.string({ minLength: 1 })), fc.subarray([...scopes]))
    .map(([id, roles, given]) => userCaller(id, roles, given)),
  fc.constantFrom('local', 'operator', 'log:read', '*').map((name) => userCaller(name, [name])),
);

/** As H5 says it, written apart from the code. */
function may({ access }: Pick<Route, 'access'>, { kind, scopes: own }: Caller): boolean {
  if (access.who === 'operator')
    return (
      kind === 'operator' || [access.scope, access.orScope].some((scope) => scope !== undefined && own.includes(scope))
    );
  return true;
}

test('every route answers 403 to those whom the table does not let in, and to no others (H5, N6)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const { fetch } = await openApiWorld(world);
  // A stream does not end; its HEAD is asked for instead.
  const targets = [...ROUTES].map(([id, route]) => ({ id, route, path: route.path.replace(/\{\w+\}/g, 'nothing') }));
  await fc.assert(
    fc.asyncProperty(someCaller, fc.constantFrom(...targets), async (caller, { id, route, path }) => {
      const method = id === 'followEvents' ? 'HEAD' : route.method;
      const body = route.body === undefined ? {} : { body: '{}' };
      const { status } = await fetch(path, { caller, method, ...body });
      expect(status === 403, `${id} for ${caller.kind} ${caller.name}: ${status}`).toBe(!may(route, caller));
    }),
    {
      numRuns: 300,
      examples: targets.flatMap((target) => CALLERS.map((caller) => [caller, target] as const)) as never,
    },
  );
});

/** Each kind at each route at least once. */
const CALLERS: readonly Caller[] = [
  LOCAL_OPERATOR,
  agentCaller('reader', ['reader'], ['log:read']),
  agentCaller('board', ['board'], ['skills:approve']),
  agentCaller('agent'),
  userCaller('u-1'),
  userCaller('u-2', ['*'], ['skills:propose', 'skills:approve', 'runs:approve']),
  userCaller('u-3', [], ['log:read']),
];

/** On every surface, and only for some: no operation of ours is so yet. */
const madeUp = (access: Operation<DocumentPorts>['access']): Operation<DocumentPorts> =>
  operation({
    id: 'made_up',
    summary: 'Made up',
    access,
    input: {},
    output: record({ word: text() }),
    run: (_input, _asking, _ports: DocumentPorts) => ok({ word: 'found' }),
    project: asFound,
    mcp: { title: 'Made up', describe: () => 'Made up' },
    openai: { description: 'Made up' },
  });

const ACCESSES = [
  ANYONE,
  ANY_CALLER,
  ANY_INVOKER,
  LOG_READERS,
  TRAIL_READERS,
  RUN_APPROVERS,
  PROPOSERS,
  LIBRARY_READERS,
  OPERATOR_ONLY,
];

test('a tool and a function answer those whom the table lets in, and no others (H5, X9, T11)', async () => {
  const repertoire = createRepertoire(await openTestCatalog([createSkillWorld().folder('root')]));
  const ports = { repertoire };
  const tools = { ports, prepared: new PreparedResults(), names: TOOL_NAMES, caller: LOCAL_OPERATOR };
  const asked = [...documentOperations, ...ACCESSES.map(madeUp)];
  await fc.assert(
    fc.asyncProperty(someCaller, fc.constantFrom(...asked), async (caller, each) => {
      const input = each.id === 'search_skills' ? { query: 'words' } : {};
      if (hasTool(each)) {
        const { isError, text: said } = calledTool(
          await operationTool(each, tools).call(input, contextOf({ caller }), {}),
        );
        expect([isError, said.startsWith('Access denied: ')]).toEqual(Array(2).fill(!may(each, caller)));
      }
      if (hasFunction(each)) {
        const answer = await operationFunction(each, ports).call(input, { caller });
        expect(answer.ok ? '' : answer.failure).toMatch(may(each, caller) ? /^$/ : /^Access denied: /);
      }
      const answer = await ask(each, input, { caller, remote: false }, ports);
      expect(answer.ok).toBe(may(each, caller));
    }),
    { numRuns: 300 },
  );
});

test('an operation says who may ask it, each of a kind that is tested here', () => {
  for (const { id, access } of OPERATIONS) expect(ACCESSES, id).toContainEqual(access);
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
});

test('only those of documents.ts have a face for hosts, models and commands: no other is looked at for one', () => {
  for (const { id, mcp, openai, cli } of API_OPERATIONS)
    expect([mcp, openai, cli], id).toEqual(Array(3).fill(undefined));
});

test('an answer that is kept is for callers who may see the same, and for no others', () => {
  const callers = [
    LOCAL_OPERATOR,
    userCaller('u-1'),
    userCaller('u-1', ['a']),
    agentCaller('a'),
    agentCaller('b'),
    agentCaller('c', ['a', 'b']),
  ];
  const keys = (about: 'everyone' | 'permitted') =>
    callers.flatMap((caller) => [true, false].map((hides) => viewKey({ who: 'caller', about }, caller, hides)));
  expect(new Set(keys('everyone')).size).toBe(2);
  expect(new Set(keys('permitted')).size).toBe(keys('permitted').length);
});

const snapshotOf = (sources: readonly string[], rootPaths: readonly string[] = []) =>
  ({
    skills: sources.map((source) => ({ source })),
    problems: rootPaths.map((rootPath) => ({ source: './skills', rootPath })),
  }) as unknown as Snapshot; // Nothing else of it is looked at.

test.each([
  ['/data', 'in /data: /data/a/SKILL.md, "/data".', 'in data: data/a/SKILL.md, "data".'],
  ['/data', 'not /database, /data-2, /data_2, /data.bak, x/data or ./data', undefined],
  ['/data', 'https://example.com/data and file:///data/a', 'https://example.com/data and file://data/a'],
  ['/data/', 'in /data/, or in /data/a', 'in data/, or in data/a'],
  ['/my-data/x', 'in /my-data/x', 'in x'],
  ['/', 'in /a/b', undefined],
  ['/srv/a+b (1)', 'in /srv/a+b (1)/x', 'in a+b (1)/x'],
  ['../clients/acme', '../clients/acme/a and ../clients/acme-2', 'acme/a and ../clients/acme-2'],
  ['./../clients/acme', './../clients/acme', 'acme'],
  ['../../x', 'found in ../../x', 'found in x'],
  ['..', 'found in ..', undefined],
  ['./skills', './skills', undefined],
  ['~/skills', '~/skills', undefined],
])('a root given as %s: %j is shown to others as %j (THREATS: leaky errors)', (source, text, shown) => {
  expect(hidePathsFor(true, snapshotOf([source]))(text)).toBe(shown ?? text);
  expect(hidePathsFor(false, snapshotOf([source]))(text)).toBe(text);
});

test('a root inside another is shown by its own last folder (THREATS: leaky errors)', () => {
  const hide = hidePathsFor(true, snapshotOf(['/srv/a'], ['/srv/a/b', '/srv']));
  expect(hide('/srv/a/b/c /srv/a/c /srv/c')).toBe('b/c a/c srv/c');
});
