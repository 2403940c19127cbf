// What a SKILL.md must say to be a named skill, and what a skill then holds (D3, D4).
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listSkills, loadContent, namesOf, onlyText } from '../support/document-tools.ts';
import { World } from '../support/world.ts';
import { skillText, write, writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const unnamed: readonly (readonly [string, string])[] = [
  ['is empty', ''],
  ['holds only white space', ' \n\n'],
  ['has no frontmatter', '# Just Markdown\n'],
  ['never closes its frontmatter', '---\nname: x\ndescription: y\n'],
  ['has no name', '---\ndescription: y\n---\nbody\n'],
  ['has an empty name', '---\nname:\ndescription: y\n---\nbody\n'],
  ['has a blank name', '---\nname: "  "\ndescription: y\n---\nbody\n'],
  ['has no description', '---\nname: bad\n---\nbody\n'],
  ['has an empty description', '---\nname: bad\ndescription: ""\n---\nbody\n'],
  ['has a blank description', '---\nname: bad\ndescription: "  "\n---\nbody\n'],
  ['has a list as frontmatter', '---\n- name\n- description\n---\nbody\n'],
  ['has frontmatter that is no YAML', '---\nname: "bad\ndescription: [\n---\nbody\n'],
  ['has a map as its name', '---\nname: { a: b }\ndescription: y\n---\nbody\n'],
];

test('each file that is not a named skill becomes a problem with path, rule, message and fix (D3)', async () => {
  writeSkill(world.skills, 'good');
  for (const [index, [, text]] of unnamed.entries()) write(join(world.skills, `bad-${index}`, 'SKILL.md'), text);
  const { skills, problems } = await listSkills(await world.serve());
  expect(skills.map((skill) => skill.name)).toEqual(['good']);
  const silent = unnamed.filter((_, index) => !problems.some((problem) => problem.path === `bad-${index}/SKILL.md`));
  expect(silent).toEqual([]);
  for (const problem of problems) {
    expect(Object.values(problem).every((part) => typeof part === 'string' && part !== '')).toBe(true);
  }
});

const free = [
  'My Skill',
  "What's new? (v2.0)",
  'ci/cd helper',
  '数据分析',
  'Überblick',
  'דוח',
  'naïve 🎉',
  '"quoted" & #1',
  '-x-',
];

test('any characters are allowed in a name: spaces, punctuation, any script (D3)', async () => {
  const texts = new Map(free.map((name, index) => [name, writeSkill(world.skills, `folder-${index}`, { name })]));
  const client = await world.serve();
  expect(await namesOf(client)).toEqual([...free].sort());
  for (const [name, text] of texts) expect(await loadContent(client, name)).toBe(text);
});

const refused: readonly (readonly [string, string])[] = [
  ['a NUL', 'a\u0000b'],
  ['a bell', 'a\u0007b'],
  ['an escape sequence', '\u001b[31mred'],
  ['a line break', 'a\nb'],
  ['a C1 control', 'a\u009bb'],
  ['a zero-width space', 'a\u200bb'],
  ['a right-to-left override', 'a\u202eb'],
  ['a soft hyphen', 'a\u00adb'],
  ['a byte order mark inside', 'a\ufeffb'],
  ['a tag character', 'a\u{e0041}b'],
  ['two dots', '..'],
  ['a climbing path', '../up'],
  ['a backslash', 'a\\b'],
  ['a leading slash', '/etc/passwd'],
];

test('control and invisible characters and names that read as a path are problems (D3)', async () => {
  writeSkill(world.skills, 'good');
  for (const [index, [, name]] of refused.entries()) writeSkill(world.skills, `bad-${index}`, { name });
  const { skills, problems } = await listSkills(await world.serve());
  expect(skills.map((skill) => skill.name)).toEqual(['good']);
  const silent = refused.filter((_, index) => !problems.some((problem) => problem.path === `bad-${index}/SKILL.md`));
  expect(silent).toEqual([]);
});

test('additional fields are preserved, in the text and in the frontmatter (D3)', async () => {
  const fields = ['license: MIT', 'metadata:', '  team: billing', '  tags: [a, b]', 'x-own: { deep: [1, true, null] }'];
  const text = writeSkill(world.skills, 'rich', { fields });
  expect(await loadContent(await world.serve(), 'rich')).toBe(text);
  const shown = JSON.parse(world.run('show', 'rich', '--json').stdout);
  expect(shown.frontmatter).toEqual({
    name: 'rich',
    description: 'Does rich things.',
    license: 'MIT',
    metadata: { team: 'billing', tags: ['a', 'b'] },
    'x-own': { deep: [1, true, null] },
  });
});

test('a description with an unquoted colon, and one that is too long, are served and named as problems (D3)', async () => {
  write(join(world.skills, 'colon/SKILL.md'), '---\nname: colon\ndescription: Use when: a colon is there\n---\nbody\n');
  writeSkill(world.skills, 'long', { description: 'x'.repeat(1068) });
  const { skills, problems } = await listSkills(await world.serve());
  expect(skills.map((skill) => skill.name).sort()).toEqual(['colon', 'long']);
  expect(skills.find((skill) => skill.name === 'colon')?.description).toBe('Use when: a colon is there');
  expect(new Set(problems.map((problem) => problem.path))).toEqual(new Set(['colon/SKILL.md', 'long/SKILL.md']));
});

test.each([
  ['Windows line ends', skillText({ name: 'odd' }).replaceAll('\n', '\r\n')],
  ['no line end after the last dashes', '---\nname: odd\ndescription: d\n---'],
  ['a line of dashes in the body', '---\nname: odd\ndescription: d\n---\na\n---\nname: other\n---\n'],
  ['a folded description', '---\nname: odd\ndescription: >\n  one\n  two\n---\nbody\n'],
])('frontmatter with %s is read and its text kept to the byte (D3, D4)', async (_what, text) => {
  write(join(world.skills, 'odd/SKILL.md'), text);
  const client = await world.serve();
  expect(await namesOf(client)).toEqual(['odd']);
  expect(await loadContent(client, 'odd')).toBe(text);
});

test('a skill holds its absolute base directory and its full text, frontmatter included (D4)', async () => {
  const text = writeSkill(world.skills, 'group/full', { body: 'Zwölf Boxkämpfer 🥊\n' });
  const client = await world.serve();
  const directory = join(world.skills, 'group/full');
  expect(onlyText(await callTool(client, 'skill', { name: 'full' }))).toBe(
    `Loading: full\nBase directory: ${directory}\n\n${text}`,
  );
});

test('its file path is absolute and ends with the name that the file really has (D4)', async () => {
  writeSkill(world.skills, 'upper', { file: 'SKILL.MD' });
  const shown = JSON.parse(world.run('show', 'upper', '--json').stdout);
  expect(shown.base_directory).toBe(join(world.skills, 'upper'));
  expect(shown.file_path).toBe(join(world.skills, 'upper/SKILL.MD'));
  expect(Date.parse(shown.last_loaded)).not.toBeNaN();
});

test('its source is the root as configured, or the path as given (D4)', async () => {
  const absolute = join(world.path, 'absolute');
  writeSkill(world.skills, 'in-project');
  writeSkill(join(world.home, '.claude/skills'), 'in-home');
  writeSkill(absolute, 'by-path');
  writeSkill(join(world.project, 'mine'), 'by-relative-path');
  const client = await world.serve({ args: ['--root', absolute, '--root', './mine', '--default-roots'] });
  const { skills } = await listSkills(client);
  expect(Object.fromEntries(skills.map(({ name, source }) => [name, source]))).toEqual({
    'by-path': absolute,
    'by-relative-path': './mine',
    'in-project': './.agents/skills',
    'in-home': '~/.claude/skills',
  });
});
