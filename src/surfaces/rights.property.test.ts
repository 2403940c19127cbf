// What a caller is shown of the typed skills is what they may invoke, whatever their roles, on every surface (X10).
import { expect, test } from 'vitest';
import { z } from 'zod';
import fc from '../../tests/support/property.ts';
import { requestRouting } from '../builtin/workflow/request-routing.ts';
import { createSkillWorld } from '../catalog/fixtures/skill-world.ts';
import { agentCaller, type Caller, LOCAL_OPERATOR, userCaller } from '../identity/caller.ts';
import type { Repertoire } from '../repertoire/repertoire.ts';
import { type AnySkill, defineSkill } from '../skills/define/define-skill.ts';
import { openApiWorld } from './http/fixtures/api-world.ts';
import { contextOf } from './mcp/fixtures/tool-world.ts';
import { typedSkillTools } from './mcp/methods/typed-skills.ts';
import { createMethodTable } from './mcp/table.ts';
import { createFunctionTools } from './openai/function-tools.ts';

const ROLES = ['TaskAgent', 'AuthAgent', 'PlannerAgent'];
const ME = '550e8400-e29b-41d4-a716-446655440000';

/** One for each way of assigning a skill. */
const ASSIGNED: readonly AnySkill[] = Array.from({ length: 16 }, (_, bits) =>
  defineSkill({
    name: `widget_${bits}`,
    description: 'Turns a widget.',
    category: bits % 2 === 0 ? 'planning' : 'execution',
    assignedTo: ROLES.filter((_role, at) => (bits & (1 << at)) !== 0),
    input: z.object({ user_id: z.string() }),
    output: z.object({}),
    ...((bits & 8) !== 0 && { userField: 'user_id' }),
    run: () => ({}),
  }),
);

const roles = fc.subarray([...ROLES, 'NopeRole', '*']);
const callers: fc.Arbitrary<Caller> = fc.oneof(
  fc.tuple(roles, fc.string({ minLength: 1, maxLength: 20 })).map(([some, name]) => agentCaller(name, some)),
  fc.constantFrom(LOCAL_OPERATOR, userCaller(ME)),
);

async function openSurfaces() {
  const routing = { ...requestRouting((...asked) => found.repertoire.search(...asked)), assignedTo: [] };
  const world = createSkillWorld();
  world.skill('root/widget-guide');
  const found: { repertoire: Repertoire } = await openApiWorld(world, { skills: [...ASSIGNED, routing] });
  return found as Awaited<ReturnType<typeof openApiWorld>>;
}

const widgetsIn = (names: readonly unknown[]): readonly string[] =>
  names.filter((name): name is string => typeof name === 'string' && name.startsWith('widget_')).sort();

type Named = readonly { readonly name: string }[];
const namesIn = (list: Named) => widgetsIn(list.map(({ name }) => name));

/** By surface: the typed skills that it shows this caller. */
async function shownTo(caller: Caller, { fetch, repertoire, runtime }: Awaited<ReturnType<typeof openSurfaces>>) {
  const ask = async (target: string) => (await fetch(target, { caller })).json;
  const table = (usual: Caller) =>
    createMethodTable({
      repertoire,
      version: '0',
      caller: usual,
      typedTools: typedSkillTools({ runtime, agent: undefined }),
    });
  const tools = async (methods: ReturnType<typeof table>['methods'], context = contextOf()) =>
    namesIn(Object(await methods.get('tools/list')?.({}, context)).value.tools);
  const search = { name: 'search_skills', arguments: { query: 'widget', limit: 50 } };
  const overMcp = Object(await table(LOCAL_OPERATOR).methods.get('tools/call')?.(search, contextOf({ caller })));
  const each = await Promise.all(ASSIGNED.map(async ({ name }) => [name, await ask(`/api/typed-skills/${name}`)]));
  const hinted = await Promise.all(
    ASSIGNED.map(async ({ name }) => {
      const call = { name: 'skill', arguments: { name } };
      const answer = await table(LOCAL_OPERATOR).methods.get('tools/call')?.(call, contextOf({ caller }));
      return JSON.stringify(answer).includes('is a tool of this server') ? name : '';
    }),
  );
  return {
    api: namesIn((await ask('/api/typed-skills')).skills),
    oneByOne: widgetsIn(each.filter(([, { success }]) => success !== false).map(([name]) => name)),
    search: namesIn((await ask('/api/search?q=widget&limit=50')).results),
    functions: namesIn((await ask('/api/openai/tools')).tools.map((tool: { function: unknown }) => tool.function)),
    library: namesIn(
      createFunctionTools(repertoire)
        .definitionsFor(caller)
        .map((tool) => tool.function),
    ),
    http: await tools(table(LOCAL_OPERATOR).methods, contextOf({ caller })),
    stdio: await tools(table(caller).methods),
    searchTool: namesIn(overMcp.value.structuredContent.skills),
    hints: widgetsIn(hinted),
    me: widgetsIn((await ask('/api/me')).may_invoke),
  };
}

test('for any roles every surface shows the skills that may be invoked, and no others (X10) (M8)', async () => {
  const world = await openSurfaces();
  await fc.assert(
    fc.asyncProperty(callers, async (caller) => {
      const allowed: string[] = [];
      for (const { name } of ASSIGNED) {
        const { success } = await world.runtime.invoke({ name, input: { user_id: caller.name }, caller });
        if (success) allowed.push(name);
      }
      const expected = widgetsIn(allowed);
      const shown = await shownTo(caller, world);
      expect(shown).toEqual(Object.fromEntries(Object.keys(shown).map((surface) => [surface, expected])));
      const input = { request: 'turn a widget', limit: 10 };
      const routed = await world.runtime.invoke({ name: 'request_routing', input, caller });
      const named = routed.success ? namesIn(Object(routed.outputPayload).matches) : [];
      expect(expected).toEqual(expect.arrayContaining([...named]));
      // The guide is one of the ten, and users may not invoke it.
      const least = caller.kind === 'user' ? 0 : Math.min(9, expected.length);
      expect(named.length).toBeGreaterThanOrEqual(least);
    }),
    { numRuns: 20 },
  );
});
