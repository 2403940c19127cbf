// A root full of bad things: every good skill is served, every bad one is a problem, nothing runs, hangs or blows up.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, listSkills, listTools, loadContent, namesOf, onlyText } from '../support/document-tools.ts';
import { codeInFrontmatter, type HostileSkill, prototypeNames, yamlBombs } from '../support/hostile-skills.ts';
import { makeFifo } from '../support/make-fifo.ts';
import { peakMegabytes } from '../support/process-statistics.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

let world: World;
const sockets: Server[] = [];
beforeEach(() => {
  world = new World({ apart: true });
  writeSkill(world.skills, 'good');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await world.close();
});

const place = (skills: readonly HostileSkill[]) => {
  for (const { folder, text } of skills) write(join(world.skills, folder, 'SKILL.md'), text);
};
const pathsOf = (listing: { readonly problems: readonly { readonly path: string }[] }) =>
  new Set(listing.problems.map(({ path }) => path.split('/')[0]));

test('code in frontmatter is never executed, whatever is done with the skill (D3)', async () => {
  const marker = join(world.path, 'executed');
  const skills = codeInFrontmatter(marker);
  place(skills);
  const client = await world.serve();
  const listing = await listSkills(client);
  expect(listing.skills.map((skill) => skill.name)).toEqual(['good']);
  expect(pathsOf(listing)).toEqual(new Set(skills.map(({ folder }) => folder)));
  for (const { folder } of skills) await callTool(client, 'get_skill', { skill_name: folder });
  world.run('check');
  world.run('doctor');
  expect(existsSync(marker)).toBe(false);
});

test('a folder full of YAML bombs is answered in 300 MB, each bomb a problem (D3)', async () => {
  const bombs = yamlBombs();
  // Several of each, so that a cost per file shows.
  for (let copy = 0; copy < 5; copy += 1)
    place(bombs.map(({ folder, text }) => ({ folder: `${folder}-${copy}`, text })));
  const client = await world.serve();
  const listing = await listSkills(client);
  expect(listing.skills.map((skill) => skill.name)).toEqual(['good']);
  const silent = bombs.filter(({ folder }) => !pathsOf(listing).has(`${folder}-0`)).map(({ folder }) => folder);
  expect(silent).toEqual([]);
  expect(peakMegabytes(client.pid)).toBeLessThan(300);
});

test('a FIFO, a device, a socket and a directory named SKILL.md hold up neither start, nor reads, nor exit (D2, T6)', async () => {
  const odd = ['fifo', 'zero-device', 'tty-device', 'socket', 'directory'];
  for (const name of odd) mkdirSync(join(world.skills, name));
  makeFifo(join(world.skills, 'fifo/SKILL.md'));
  symlinkSync('/dev/zero', join(world.skills, 'zero-device/SKILL.md'));
  symlinkSync('/dev/tty', join(world.skills, 'tty-device/SKILL.md'));
  sockets.push(createServer().listen(join(world.skills, 'socket/SKILL.md')));
  mkdirSync(join(world.skills, 'directory/SKILL.md'));
  makeFifo(join(world.skills, 'good/pipe'));

  // Nothing is ever written into the pipes: a server that waited for one would never answer.
  const client = await world.serve();
  const listing = await listSkills(client);
  expect(listing.skills.map((skill) => skill.name)).toEqual(['good']);
  expect(odd.filter((name) => !pathsOf(listing).has(name))).toEqual([]);
  for (const name of odd) expect((await callTool(client, 'get_skill', { skill_name: name })).isError).toBe(true);
  const pipe = await callTool(client, 'read_skill_file', { skill: 'good', path: 'pipe' });
  expect(pipe.isError).toBe(true);
  expect(await client.stop()).toEqual({ code: 0, signal: null });
});

test('a root or a folder that is no directory, and 300 folders inside each other, harm nobody (D1, D2)', async () => {
  const file = write(join(world.path, 'file-as-root'), 'x');
  mkdirSync(join(world.skills, Array.from({ length: 300 }, () => 'd').join('/')), { recursive: true });
  const client = await world.serve({ args: ['--root', file, '--default-roots'] });
  expect(await namesOf(client)).toEqual(['good']);
});

test('skills called __proto__ and constructor are served under these names, and found only when present (D5)', async () => {
  const without = await world.serve();
  for (const name of prototypeNames) {
    expect((await callTool(without, 'skill', { name })).isError).toBe(true);
    expect((await callTool(without, 'get_skill', { skill_name: name })).isError).toBe(true);
  }
  for (const name of prototypeNames)
    writeSkill(world.skills, name, { fields: ['__proto__: { polluted: yes }', 'x: { constructor: 1 }'] });
  const client = await world.serve();
  expect(await namesOf(client)).toEqual(['good', ...prototypeNames].sort());
  for (const name of prototypeNames) {
    expect(await loadContent(client, name)).toContain(`# ${name}`);
    const byFolder = await callTool(client, 'get_skill', { skill_name: name });
    expect(byFolder.structuredContent).toMatchObject({ skill_name: name });
  }
});

const markup =
  '<b onclick="x()">&amp;</b> ](javascript:x) `code` | \u001b[31mred\u001b[0m \u0007 \u009b2J \u202eesrever a\u200bb \r\n- fake (entry) skill://fake/SKILL.md';

test('markup, ANSI and line breaks in a description reach no description, listing, log or terminal raw (T1, T2)', async () => {
  writeSkill(world.skills, 'loud', { description: markup });
  const client = await world.serve();
  const listing = await callTool(client, 'list_skills', {});
  const unknown = await callTool(client, 'skill', { name: 'none' });
  const shown = [onlyText(listing), onlyText(unknown), String(client.hello.instructions), client.stderr];
  for (const tool of await listTools(client)) shown.push(tool.description);
  for (const command of [['list'], ['check'], ['doctor'], []]) {
    const { stdout, stderr } = world.run(...command);
    shown.push(stdout, stderr);
  }
  for (const text of shown) {
    expect(text.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e]/u)?.[0]).toBeUndefined();
    // One line per skill: the made-up entry starts no line of its own.
    expect(text).not.toMatch(/^\s*- fake/m);
  }
});

test('a file name with control characters reaches no listing or terminal raw (T2)', async () => {
  write(join(world.skills, 'evil\u001b[2J\nname/SKILL.md'), 'no frontmatter');
  writeSkill(world.skills, 'rtl\u202eflip', { name: 'flipped' });
  const client = await world.serve();
  const listing = await callTool(client, 'list_skills', {});
  const { stdout, stderr } = world.run('doctor');
  for (const text of [onlyText(listing), stdout, stderr, client.stderr]) {
    expect(text.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u)?.[0]).toBeUndefined();
  }
  expect((await listSkills(client)).problems.length).toBeGreaterThan(0);
  expect(await namesOf(client)).toEqual(expect.arrayContaining(['good']));
});
