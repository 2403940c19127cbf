// The tool `read_skill_file`: the files of a skill and no other byte (T12).
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, onlyText, refusalOf } from '../support/document-tools.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const file = (path: string) => join(world.skills, 'kit', path);

test('a text file is answered as text, by URI and by skill and path (T12)', async () => {
  writeSkill(world.skills, 'kit', { name: 'The Kit' });
  const text = '# Guide\r\nZwölf 🥊\n';
  write(file('references/guide.md'), text);
  const client = await world.serve();
  const byPath = await callTool(client, 'read_skill_file', { skill: 'the kit', path: 'references/guide.md' });
  const byUri = await callTool(client, 'read_skill_file', { uri: 'skill://kit/references/guide.md' });
  for (const result of [byPath, byUri]) {
    expect(result.isError ?? false).toBe(false);
    expect(onlyText(result)).toBe(text);
  }
});

test('other bytes are answered as an embedded base64 resource (T12)', async () => {
  writeSkill(world.skills, 'kit');
  const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
  write(file('assets/logo.png'), bytes);
  const result = await callTool(await world.serve(), 'read_skill_file', { skill: 'kit', path: 'assets/logo.png' });
  expect(result.isError ?? false).toBe(false);
  expect(result.content).toEqual([
    {
      type: 'resource',
      resource: { uri: 'skill://kit/assets/logo.png', mimeType: 'image/png', blob: bytes.toString('base64') },
    },
  ]);
});

test('every regular file is readable: SKILL.md, dotfiles, empty ones, odd names (T12, R2)', async () => {
  const skill = writeSkill(world.skills, 'kit');
  const files = new Map([
    ['.env.example', 'KEY='],
    ['a b.txt', 'space'],
    ['per%cent.txt', 'percent'],
    ['%2e%2e.txt', 'encoded dots'],
    ['hash#q?.txt', 'marks'],
    ['ключ/файл.txt', 'script'],
    ['node_modules/dep/index.js', 'dependency'],
    ['__proto__', 'no prototype'],
  ]);
  for (const [path, text] of files) write(file(path), text);
  write(file('empty.txt'), '');
  const client = await world.serve();
  for (const [path, text] of [...files, ['SKILL.md', skill]] as const) {
    const uri = `skill://kit/${path.split('/').map(encodeURIComponent).join('/')}`;
    expect([path, onlyText(await callTool(client, 'read_skill_file', { skill: 'kit', path }))]).toEqual([path, text]);
    expect([uri, onlyText(await callTool(client, 'read_skill_file', { uri }))]).toEqual([uri, text]);
  }
  expect((await callTool(client, 'read_skill_file', { skill: 'kit', path: 'empty.txt' })).isError ?? false).toBe(false);
});

test.each([
  ['nothing', {}],
  ['skill without path', { skill: 'kit' }],
  ['path without skill', { path: 'a.txt' }],
  ['uri and skill and path', { uri: 'skill://kit/a.txt', skill: 'kit', path: 'a.txt' }],
  ['uri and path', { uri: 'skill://kit/a.txt', path: 'a.txt' }],
  ['a number as path', { skill: 'kit', path: 1 }],
  ['an unknown field', { uri: 'skill://kit/a.txt', encoding: 'utf8' }],
])('%s is refused with a sentence that says what to send (T12)', async (_what, args) => {
  writeSkill(world.skills, 'kit');
  write(file('a.txt'), 'a');
  const said = await refusalOf(await world.serve(), 'read_skill_file', args);
  for (const field of ['uri', 'skill', 'path']) expect(said).toContain(field);
});

test('what is not a file of the skill is an error, whatever lies beside it on the disk (T12)', async () => {
  writeSkill(world.skills, 'kit');
  writeSkill(world.skills, 'kit-evil');
  write(file('sub/inner.txt'), 'inner');
  write(join(world.skills, 'beside.txt'), 'SECRET');
  write(join(world.skills, 'kit-evil/x.txt'), 'SECRET');
  const client = await world.serve();
  const paths = [
    '',
    '.',
    '..',
    'sub',
    'sub/',
    '../beside.txt',
    'sub/../../beside.txt',
    '../kit-evil/x.txt',
    '-evil/x.txt',
  ];
  paths.push(join(world.skills, 'beside.txt'), './sub/inner.txt', 'sub//inner.txt', 'sub\\inner.txt', 'SUB/inner.txt');
  for (const path of paths) {
    const result = await callTool(client, 'read_skill_file', { skill: 'kit', path });
    expect([path, result.isError]).toEqual([path, true]);
    expect(JSON.stringify(result)).not.toContain('SECRET');
  }
});

test('a link that leaves the skill costs the link, not the skill (T12)', async () => {
  writeSkill(world.skills, 'kit');
  write(join(world.path, 'outside.txt'), 'SECRET');
  write(file('inside.txt'), 'inside');
  symlinkSync(join(world.path, 'outside.txt'), file('leak.txt'));
  const client = await world.serve();
  const leak = await callTool(client, 'read_skill_file', { skill: 'kit', path: 'leak.txt' });
  expect(leak.isError).toBe(true);
  expect(JSON.stringify(leak)).not.toContain('SECRET');
  expect(onlyText(await callTool(client, 'read_skill_file', { skill: 'kit', path: 'inside.txt' }))).toBe('inside');
});

test('an unknown skill is an error that helps to find one (T12)', async () => {
  const result = await callTool(await world.serve(), 'read_skill_file', { skill: 'absent', path: 'a.txt' });
  expect(result.isError).toBe(true);
  expect(onlyText(result)).toContain('absent');
});
