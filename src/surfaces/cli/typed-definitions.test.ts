// What a configuration file gives to commands that only show skills: those that are served, refused, and to be looked at (X1).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ALL_BUILTIN_NAMES } from '../../builtin/builtin-names.ts';
import { NOTHING_GIVEN, resolveSettings } from '../../settings/config.ts';
import { openTypedDefinitions } from './typed-definitions.ts';

let folder = '';
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repertoire-definitions-'));
});
afterEach(stopGuarding);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FAULTS = ['unhandledRejection', 'uncaughtException'];
const before = FAULTS.map((event) => process.listeners(event as never));

/** A command guards its process until it ends; this one runs other tests afterwards, whose faults have to be seen. */
function stopGuarding(): void {
  for (const [index, event] of FAULTS.entries()) {
    for (const each of process.listeners(event as never)) if (!before[index]?.includes(each)) process.off(event, each);
  }
}

async function open(skills: string, builtin?: string) {
  const config = join(folder, `repertoire-${++files}.config.mjs`); // Node executes a file once
  writeFileSync(
    config,
    `const input = { type: 'object', properties: {} };
     const skill = (name, more = {}) =>
       ({ name, description: 'Does it.', category: 'execution', input, output: input, run: () => ({}), ...more });
     export default { skills: [${skills}] };`,
  );
  const environment = { home: folder, workingDirectory: folder, variables: {} };
  const settings = resolveSettings({ ...NOTHING_GIVEN, config, builtin }, environment);
  const typed = await openTypedDefinitions({ settings });
  await typed.close();
  return {
    ...typed,
    names: typed.skills.map(({ name }) => name),
    sentences: typed.refused.map((each) => each.message),
  };
}

test('of two skills with one name both are refused, and the rest is served (X1)', async () => {
  const { names, sentences } = await open("skill('twice'), skill('once'), skill('twice')");
  expect(names).toEqual(['once']);
  expect(sentences).toEqual([
    'Cannot register skill "twice": name is given to 2 definitions, and none of them is served',
  ]);
});

test.each(['none', 'all', undefined])(
  'the name of a built-in skill is refused, with --builtin %s (X1)',
  async (builtin) => {
    const { names, sentences } = await open("skill('task_creation'), skill('once')", builtin);
    expect(names).toEqual(builtin === 'all' ? ['once', ...ALL_BUILTIN_NAMES] : ['once']);
    expect(sentences).toEqual(['Cannot register skill "task_creation": name is that of a built-in skill']);
  },
);

test.each(['none', 'all'])(
  'a skill that says so replaces the built-in one, with --builtin %s (X1)',
  async (builtin) => {
    const { skills, sentences } = await open("skill('task_creation', { replaces: true })", builtin);
    expect(skills.filter(({ name }) => name === 'task_creation').map((each) => each.description)).toEqual(['Does it.']);
    expect(sentences).toEqual([]);
  },
);

test.each(['run_result', 'propose_skill', 'get_skill'])(
  '%s is the name of a tool, and no skill may have it (X1)',
  async (name) => {
    const { names, sentences } = await open(`skill('${name}'), skill('${name}_2')`);
    expect(names).toEqual([`${name}_2`]);
    expect(sentences).toEqual([`Cannot register skill "${name}": name is the name of another tool`]);
  },
);

test('an input field that is called like a secret and not marked is remarked on (X1)', async () => {
  const properties = "{ api_key: { type: 'string' }, password: { type: 'string', secret: true } }";
  const { remarks, refused } = await open(`skill('sign_in', { input: { type: 'object', properties: ${properties} } })`);
  expect(refused).toEqual([]);
  expect(remarks).toMatchObject([{ rule: 'unmarked-secret', severity: 'warning' }]);
  expect(remarks[0]?.message).toContain('"api_key" in the input of skill "sign_in"');
});

test.each(['', ' \\n'])(
  'a skill with the empty description "%s" is served, and remarked on (X1)',
  async (description) => {
    const { remarks, refused, names } = await open(`skill('mute', { description: '${description}' }), skill('greet')`);
    expect([names, refused]).toEqual([['mute', 'greet'], []]);
    expect(remarks).toMatchObject([{ rule: 'empty-description', severity: 'warning' }]);
    expect(remarks[0]?.message).toBe('Cannot tell agents what skill "mute" does: its description is empty');
  },
);

test('no built-in skill has such a field (X1)', async () => {
  expect((await open('', 'all')).remarks).toEqual([]);
});
