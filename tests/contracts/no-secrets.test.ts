// No answer tells what it should not: no stack, errno, path of this machine or foreign byte, for any input (T9).
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostileStrings, hostileUris } from '../support/hostile-input.ts';
import type { RawClient } from '../support/raw-client.ts';
import { World } from '../support/world.ts';
import { write, writeSkill } from '../support/write-skill.ts';

let world: World;
let client: RawClient;
let target: string;
beforeEach(async () => {
  world = new World();
  writeSkill(world.skills, 'kit');
  write(join(world.skills, 'kit/a.txt'), 'a');
  write(join(world.skills, 'broken/SKILL.md'), 'no frontmatter');
  writeSkill(`${world.skills}-evil`, 'kit', { body: 'FOREIGN BYTES' });
  target = write(join(world.path, 'outside.txt'), 'FOREIGN BYTES');
  write(join(world.home, '.ssh/id_rsa'), 'FOREIGN BYTES');
  client = await world.serve();
});
afterEach(() => world.close());

const leaks: readonly (readonly [string, RegExp])[] = [
  ['a stack trace', /\n\s+at .+:\d+:\d+|node:internal|\.js:\d+:\d+/],
  ['an errno', /\b(ENOENT|EACCES|EPERM|ENOTDIR|EISDIR|ELOOP|ENAMETOOLONG|EINVAL|ERR_[A-Z_]+|errno|syscall)\b/],
  ['an error class', /\b(TypeError|RangeError|SyntaxError|URIError|ReferenceError)\b/],
  ['a foreign byte', /FOREIGN BYTES|root:x:0|BEGIN OPENSSH/],
];

/** What a text gives away. `asked` may be echoed: it is the caller's own. */
function leaksIn(answer: string, asked = ''): readonly string[] {
  // Only where it matters: "/" or "x", taken out of an answer, would hide every path in it.
  if (tellingIn(asked).length === 0) return tellingIn(answer);
  const echoed = JSON.stringify(asked).slice(1, -1);
  return tellingIn(answer.replaceAll(JSON.stringify(echoed).slice(1, -1), '').replaceAll(echoed, ''));
}

function tellingIn(text: string): readonly string[] {
  const found = leaks.filter(([, shape]) => shape.test(text)).map(([what]) => what);
  return [...found, ...[world.path, process.cwd()].filter((path) => text.includes(path))];
}

/** Calls the tool with each string, all at once, and gathers what must not be there. */
async function bombard(tool: string, strings: readonly string[], toArguments: (text: string) => object): Promise<void> {
  const bad: unknown[] = [];
  const ask = async (asked: string) => {
    const answer = await client.request('tools/call', { name: tool, arguments: toArguments(asked) });
    const refused = answer.error !== undefined || answer.result?.isError === true;
    const leaked = leaksIn(JSON.stringify(answer), asked);
    if (!refused || leaked.length > 0) bad.push({ asked: asked.slice(0, 80), refused, leaked });
  };
  await Promise.all(strings.map(ask));
  expect(bad).toEqual([]);
}

test('the check itself notices a path, a stack, an errno and a foreign byte (T9, U17)', async () => {
  const loaded = await client.request('tools/call', { name: 'skill', arguments: { name: 'kit' } });
  // Also where what was asked for is part of the path.
  for (const asked of ['kit', '/', 'x']) expect(leaksIn(JSON.stringify(loaded), asked)).toContain(world.path);
  expect(leaksIn(JSON.stringify({ no: target }), target)).toEqual([]);
  const stack = `TypeError: no\n    at run (${process.cwd()}/src/run.js:1:2)`;
  expect(leaksIn(stack)).toEqual(['a stack trace', 'an error class', process.cwd()]);
  expect(leaksIn("ENOENT: no such file, open 'FOREIGN BYTES'")).toEqual(['an errno', 'a foreign byte']);
});

test('hundreds of hostile names are refused by skill without a leak (T9)', async () => {
  const strings = hostileStrings(world.skills, target);
  expect(strings.length).toBeGreaterThan(180);
  await bombard('skill', strings, (name) => ({ name }));
});

test('hundreds of hostile folder names are refused by get_skill without a leak (T9)', async () => {
  await bombard('get_skill', hostileStrings(world.skills, target), (skill_name) => ({ skill_name }));
});

test('hundreds of hostile addresses are refused by get_skill without a leak (T9)', async () => {
  const uris = hostileUris(world.skills, target);
  expect(uris.length).toBeGreaterThan(500);
  await bombard('get_skill', uris, (uri) => ({ uri }));
});

test('hundreds of hostile paths, skills and addresses are refused by read_skill_file without a leak (T9)', async () => {
  const strings = hostileStrings(world.skills, target).filter((text) => text !== 'kit/SKILL.md');
  await bombard('read_skill_file', strings, (path) => ({ skill: 'kit', path }));
  await bombard('read_skill_file', strings, (skill) => ({ skill, path: 'a.txt' }));
  await bombard('read_skill_file', hostileUris(world.skills, target), (uri) => ({ uri }));
});

test('hostile cursors are refused by list_skills, and hostile tool and method names by the server (T9)', async () => {
  const strings = hostileStrings(world.skills, target);
  await bombard('list_skills', strings, (cursor) => ({ cursor }));
  for (const asked of strings) {
    const answers = [await client.request('tools/call', { name: asked, arguments: {} }), await client.request(asked)];
    for (const answer of answers) expect([asked, leaksIn(JSON.stringify(answer), asked)]).toEqual([asked, []]);
  }
});

test('arguments of every wrong kind are refused without a leak (T9)', async () => {
  const values: unknown[] = [
    null,
    true,
    0,
    -1,
    1.5,
    [],
    [[]],
    {},
    { a: { b: {} } },
    'text',
    { toString: 1 },
    { length: 1 },
  ];
  const fields = ['name', 'uri', 'skill_name', 'skill', 'path', 'cursor', 'limit', '__proto__', 'constructor'];
  for (const tool of ['skill', 'get_skill', 'read_skill_file', 'list_skills']) {
    const shapes = [...values, ...fields.flatMap((field) => values.map((value) => ({ [field]: value })))];
    const answers = await Promise.all(
      shapes.map((args) => client.request('tools/call', { name: tool, arguments: args })),
    );
    for (const answer of answers) expect(leaksIn(JSON.stringify(answer))).toEqual([]);
  }
});

test('problems carry no absolute path, and stderr no stack (T9)', async () => {
  const listing = await client.request('tools/call', { name: 'list_skills', arguments: {} });
  expect(JSON.stringify(listing)).toContain('broken/SKILL.md');
  expect(leaksIn(JSON.stringify(listing))).toEqual([]);
  expect(client.stderr).not.toMatch(/\n\s+at |FOREIGN BYTES/);
});
