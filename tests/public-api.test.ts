// The public names and the JSON schemas that agents see: a change here is a change of what others build on.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as builtin from '../src/builtin.ts';
import * as library from '../src/index.ts';
import * as server from '../src/server.ts';
import * as typed from '../src/skills.ts';
import * as store from '../src/store.ts';
import * as mcp from '../src/surfaces/mcp/sdk.ts';
import * as mcpV1 from '../src/surfaces/mcp/sdk-v1.ts';
import * as openai from '../src/surfaces/openai/function-tools.ts';
import { listTools } from './support/document-tools.ts';
import { World } from './support/world.ts';
import { writeSkill } from './support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

test('the library exports these values and no others', () => {
  expect(Object.keys(library).sort()).toEqual([
    'contentOf',
    'createRepertoire',
    'defineConfig',
    'defineSkill',
    'failure',
    'openCatalog',
    'secret',
  ]);
});

test('the entry for running typed skills exports these values (X1)', () => {
  expect(Object.keys(typed).sort()).toEqual([
    'BadCursor',
    'FAILURE_MODES',
    'LOCAL_OPERATOR',
    'StoreUnavailable',
    'agentCaller',
    'chain',
    'createRuntime',
    'defineSkill',
    'definitionJson',
    'failure',
    'invokerOf',
    'parallel',
    'resultJson',
    'secret',
    'userCaller',
  ]);
});

test('the entry for starting the server exports this value (C)', () => {
  expect(Object.keys(server)).toEqual(['startServer']);
});

test('the entries for a log and for the built-in skills export these values (C)', () => {
  expect([Object.keys(store), Object.keys(builtin)]).toEqual([['openStore'], ['createBuiltinSkills']]);
});

test('the entry for OpenAI-style tools exports this value, and models see these parameters (T11)', () => {
  expect(Object.keys(openai)).toEqual(['createFunctionTools']);
});

test.each([
  ['repertoire/mcp', mcp],
  ['repertoire/mcp/v1', mcpV1],
])('the entry %s for servers of the MCP SDK exports this value (T10)', (_entry, values) => {
  expect(Object.keys(values)).toEqual(['registerSkills']);
});

test('the package offers these entries', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(Object.keys(exports).sort()).toEqual([
    '.',
    './builtin',
    './mcp',
    './mcp/v1',
    './openai',
    './package.json',
    './server',
    './skills',
    './store',
  ]);
});

test('openCatalog() reads skills from the roots given and from no other (D1)', async () => {
  writeSkill(world.skills, 'one');
  const catalog = await library.openCatalog({ roots: [world.skills], watch: false });
  try {
    expect(catalog.current.skills.map((skill) => skill.name)).toEqual(['one']);
    expect(library.createRepertoire(catalog).loadByName('ONE')?.uri).toBe('skill://one/SKILL.md');
  } finally {
    catalog.close();
  }
});

test('agents see these input schemas (T3)', async () => {
  const client = await world.serve();
  const tools = await listTools(client);
  expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toMatchSnapshot();
});
