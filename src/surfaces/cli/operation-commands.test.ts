// An operation as a command: fields as operands and options, a text or --json, and one sentence about what is wrong (C).
import { expect, test } from 'vitest';
import { createSkillWorld } from '../../catalog/fixtures/skill-world.ts';
import { ANY_CALLER } from '../../operations/access.ts';
import type { DocumentPorts } from '../../operations/documents.ts';
import { asFound, nothingFound, operation } from '../../operations/operation.ts';
import { list, record, text, whole } from '../../operations/shape.ts';
import { ok } from '../../values/result.ts';
import { createCommandWorld } from './fixtures/command-world.ts';
import { commandOf } from './operation-commands.ts';
import type { OptionName } from './options.ts';

const madeUp = operation({
  id: 'made_up',
  summary: 'The first names that begin so',
  access: ANY_CALLER,
  input: { start: text({ least: 1 }), limit: whole({ least: 1, most: 9 }).usual(2) },
  output: record({ names: list(text()) }),
  run: ({ start, limit }, _asking, { repertoire }: DocumentPorts) => {
    const names = repertoire.snapshot.skills.map(({ name }) => name).filter((name) => name.startsWith(start));
    return names.length === 0 ? nothingFound(`skill ${JSON.stringify(start)}`) : ok({ names: names.slice(0, limit) });
  },
  project: asFound,
});

const command = commandOf({
  ...madeUp,
  cli: { command: 'names', operands: ['start'], example: 'names a', text: () => 'for people' },
});

async function run(words: readonly string[], flags: readonly OptionName[] = [], limit?: string) {
  const skills = createSkillWorld();
  for (const name of ['aa', 'ab', 'ac']) skills.skill(`root/${name}`);
  const world = createCommandWorld({ given: { roots: [skills.at('root')] }, operands: words, flags });
  const values = new Map(limit === undefined ? [] : [['limit', [limit]] as const]);
  const code = await (await command.load()).run({ ...world.context, values });
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test('its help comes from the operation', () => {
  expect(command).toMatchObject({ summary: 'The first names that begin so.', operands: ['START'], example: 'names a' });
  expect(command.options).toEqual(expect.arrayContaining(['root', 'limit', 'json']));
  expect(command.options).not.toContain('start');
});

test('prints a text for people, and the answer as JSON', async () => {
  expect(await run(['a'])).toEqual({ code: 0, stdout: 'for people\n', stderr: '' });
  expect(JSON.parse((await run(['a'], ['json'])).stdout)).toEqual({ names: ['aa', 'ab'] });
  expect(JSON.parse((await run(['a'], ['json'], '3')).stdout)).toEqual({ names: ['aa', 'ab', 'ac'] });
});

test.each([
  [['a'], 'x', 2, 'Invalid input: limit: must be a whole number from 1 to 9\n'],
  [[], undefined, 2, 'Invalid input: start: is required: send a text that is not empty\n'],
  [['zz'], undefined, 1, 'Not found: skill "zz"\n'],
])('%j with limit %s ends with %i and one sentence', async (words, limit, code, stderr) => {
  expect(await run(words, [], limit)).toEqual({ code, stdout: '', stderr });
});
