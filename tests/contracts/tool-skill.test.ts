// The tool `skill`: load by name, and what it says when there is none (T1).
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listTools, onlyText, refusalOf } from '../support/document-tools.ts';
import { World } from '../support/world.ts';
import { writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

test('skill answers one text item: Loading, Base directory, an empty line, the content (T1)', async () => {
  const text = writeSkill(world.skills, 'group/pdf', { name: 'PDF Forms' });
  const result = await callTool(await world.serve(), 'skill', { name: 'pdf forms' });
  expect(result.isError ?? false).toBe(false);
  const directory = join(world.skills, 'group/pdf');
  expect(result.content).toEqual([
    { type: 'text', text: `Loading: PDF Forms\nBase directory: ${directory}\n\n${text}` },
  ]);
});

test('an empty name is refused with "Skill name cannot be empty" (T1)', async () => {
  const client = await world.serve();
  expect(await refusalOf(client, 'skill', { name: '' })).toBe('Skill name cannot be empty');
});

test.each([
  ['no arguments', {}],
  ['an unknown field', { name: 'there', extra: 1 }],
  ['a number', { name: 1 }],
  ['null', { name: null }],
  ['a list', { name: ['there'] }],
  ['arguments that are a list', ['there']],
  ['arguments that are a string', 'there'],
])('input is strict: %s is refused (T1)', async (_what, args) => {
  writeSkill(world.skills, 'there');
  expect(await refusalOf(await world.serve(), 'skill', args)).toMatch(/\S/);
});

test('the published schema is strict and says that the name is case-insensitive (T1)', async () => {
  const tool = (await listTools(await world.serve())).find(({ name }) => name === 'skill');
  expect(tool?.inputSchema).toMatchObject({ type: 'object', required: ['name'], additionalProperties: false });
  expect(JSON.stringify(tool)).toContain('case-insensitive');
});

test('an unknown name is answered with every skill, in code point order of the normalised names (T1)', async () => {
  const names = ['beta', 'Alpha', 'gamma', 'Zeta', 'über', 'alpha 2', '10x', '\u{1f600} face', '\uff5e tilde'];
  for (const [index, name] of names.entries())
    writeSkill(world.skills, `s${index}`, { name, description: `About ${index}` });
  const result = await callTool(await world.serve(), 'skill', { name: 'Nope' });
  expect(result.isError).toBe(true);
  const ordered = ['10x', 'Alpha', 'alpha 2', 'beta', 'gamma', 'Zeta', 'über', '\uff5e tilde', '\u{1f600} face'];
  const lines = ordered.map((name) => `- ${name} (About ${names.indexOf(name)})`);
  expect(onlyText(result)).toBe(`Skill 'Nope' not found.\n\nAvailable skills:\n${lines.join('\n')}`);
});

test('without any skill the list is (none) (T1)', async () => {
  const result = await callTool(await world.serve(), 'skill', { name: 'x' });
  expect(result).toMatchObject({ isError: true });
  expect(onlyText(result)).toBe("Skill 'x' not found.\n\nAvailable skills:\n(none)");
});

test('descriptions in the list stand on one line and are cut at 200 characters with an ellipsis (T1)', async () => {
  writeSkill(world.skills, 'lines', { description: 'one\ntwo\r\n\tthree' });
  writeSkill(world.skills, 'exact', { description: 'e'.repeat(200) });
  writeSkill(world.skills, 'long', { description: 'l'.repeat(201) });
  writeSkill(world.skills, 'pairs', { description: '\u{1f600}'.repeat(300) });
  const said = onlyText(await callTool(await world.serve(), 'skill', { name: 'x' }))
    .split('\n')
    .slice(3);
  expect(said).toHaveLength(4);
  expect(said[0]).toBe(`- exact (${'e'.repeat(200)})`);
  expect(said[1]).toBe('- lines (one two three)');
  // Whether the ellipsis counts among the 200 is left open.
  expect(said[2]).toMatch(/^- long \(l{199,200}…\)$/);
  // No character is cut in half.
  expect(said[3]).toMatch(/^- pairs \((?:\u{1f600})+…\)$/u);
});

test('with 100 skills all are named; above that the 50 nearest, the total and the tool that searches (T1)', async () => {
  const name = (index: number) => `skill-${String(index).padStart(3, '0')}`;
  for (let index = 0; index < 100; index += 1) writeSkill(world.skills, name(index));
  const client = await world.serve();
  const ask = async () =>
    onlyText(await callTool(client, 'skill', { name: 'skill-07' }))
      .split('\n')
      .slice(3);
  expect((await ask()).filter((line) => line.startsWith('- '))).toHaveLength(100);

  writeSkill(world.skills, 'zzz-unlike');
  await expect.poll(async () => (await ask()).filter((line) => line.startsWith('- ')).length).toBe(50);
  const lines = await ask();
  const last = lines.at(-1) ?? '';
  expect(last.startsWith('- ')).toBe(false);
  expect(last).toContain('101');
  expect(last).toMatch(/search_skills|list_skills/);
  for (let near = 70; near < 80; near += 1) expect(lines.join('\n')).toContain(`- ${name(near)} (`);
  expect(lines.join('\n')).not.toContain('zzz-unlike');
});
