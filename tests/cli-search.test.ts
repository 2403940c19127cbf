// `repertoire search` as a user meets it (C, T13).
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CliWorld, createCliWorld, programWords, skillText } from './cli-world.ts';
import { write } from './support/write-skill.ts';

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
  write(`${world.skills}/pdf-forms/SKILL.md`, skillText('pdf-forms', 'Fills in PDF forms.'));
  write(`${world.skills}/release-notes/SKILL.md`, skillText('release-notes', 'Writes notes about a release.'));
});
afterEach(() => world.remove());

test('finds by several words, best first, one line each in a pipe (C)', () => {
  const { code, stdout, stderr } = world.run(['search', 'fill', 'in', 'a', 'form']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^pdf-forms\t[\d.]+\tFills in PDF forms\.\tname: form; description: fill\n$/);
});

test('prints JSON with what T13 has and why (C)', () => {
  expect(world.json(['search', 'release notes', '--limit', '1'])).toEqual({
    query: 'release notes',
    skills: [
      {
        name: 'release-notes',
        description: 'Writes notes about a release.',
        uri: 'skill://release-notes/SKILL.md',
        kind: 'document',
        score: expect.any(Number),
        why: expect.stringContaining('name: '),
      },
    ],
    nearest: [],
  });
});

test('says that nothing fits, offers names only where one is near, exit 0 (C)', () => {
  const { code, stdout, stderr } = world.run(['search', 'zzqx']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toMatch(/^No skill matches "zzqx": `node .+ list` lists the 2 skills\n$/);
  expect(world.json(['search', 'zzqx'])).toMatchObject({ skills: [], nearest: [] });
  expect(world.run(['search', 'xdfxfoxms']).stderr).toContain(': did you mean "pdf-forms"? `node ');
});

test.each([
  [['search'], `Command "search" needs WORDS: for example ${programWords} search fill in a pdf form\n`],
  [['search', ' '], `Cannot search without words: for example, run \`${programWords} search pdf form\`\n`],
  [['search', 'x', '--limit', '99'], 'Option --limit cannot be "99": use a whole number from 1 to 50\n'],
])('refuses %j with one sentence, exit 2 (C)', (args, sentence) => {
  expect(world.run(args)).toEqual({ code: 2, stdout: '', stderr: sentence });
});
