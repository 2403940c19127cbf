// The tool `read_skill_file` (T12).
import { describe, expect, test, vi } from 'vitest';
import { createSkillWorld, type SkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { openToolWorld } from '../fixtures/tool-world.ts';
import { readSkillFileTool } from './read-skill-file.ts';

function pdfWorld(): SkillWorld {
  const world = createSkillWorld();
  world.skill('root/pdf', { name: 'PDF' });
  world.write('root/pdf/references/über guide.md', '# Guide 🎉\n');
  world.write('root/pdf/logo.png', Uint8Array.of(0x89, 0x50, 0, 255));
  return world;
}

describe('read_skill_file', () => {
  test.each([
    { uri: 'skill://pdf/references/%C3%BCber%20guide.md' },
    { uri: 'skill://pdf/references/über guide.md' },
    { skill: 'pdf', path: 'references/über guide.md' },
    { skill: ' PDF ', path: 'references/über guide.md' },
  ])('answers text as text, by %j (T12)', async (input) => {
    const { call } = await openToolWorld(pdfWorld(), (repertoire) => readSkillFileTool(repertoire));
    expect(await call(input)).toMatchObject({ isError: false, content: [{ type: 'text', text: '# Guide 🎉\n' }] });
  });

  test('answers other bytes as an embedded base64 resource (T12)', async () => {
    const { call } = await openToolWorld(pdfWorld(), (repertoire) => readSkillFileTool(repertoire));
    const { content } = await call({ skill: 'pdf', path: 'logo.png' });
    const blob = Buffer.from([0x89, 0x50, 0, 255]).toString('base64');
    const resource = { uri: 'skill://pdf/logo.png', mimeType: 'image/png', blob };
    expect(content).toEqual([{ type: 'resource', resource }]);
  });

  test('answers SKILL.md, too, whatever its letter case on disk', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { file: 'skill.md' });
    const { call } = await openToolWorld(world, (repertoire) => readSkillFileTool(repertoire));
    for (const input of [{ uri: 'skill://a/SKILL.md' }, { skill: 'a', path: 'skill.md' }])
      expect((await call(input)).text).toBe(skillText('a'));
  });

  test.each([{ uri: 'skill://pdf/logo.png' }, { skill: 'pdf', path: 'logo.png' }, { skill: 'pdf', path: 'SKILL.md' }])(
    'looks the one file up, and goes through no list of all: %j',
    async (input) => {
      const { call, repertoire } = await openToolWorld(pdfWorld(), (each) => readSkillFileTool(each));
      const listed = vi.spyOn(repertoire, 'manifestOf');
      expect((await call(input)).isError).toBe(false);
      expect(listed).not.toHaveBeenCalled();
    },
  );

  test.each([
    '../pdf/SKILL.md',
    '/etc/passwd',
    './logo.png',
    'references',
    'references/../logo.png',
    'references\\guide.md',
    'logo.png/',
    'LOGO.PNG',
    'logo.png\0',
    '__proto__',
    '',
  ])('reads only files of the manifest: %j is none, and the answer names those there are (T12)', async (path) => {
    const { call } = await openToolWorld(pdfWorld(), (repertoire) => readSkillFileTool(repertoire));
    const { isError, text } = await call({ skill: 'pdf', path });
    expect(isError).toBe(true);
    expect(text).toContain('Its files: SKILL.md, logo.png, references/über guide.md');
  });

  test.each([
    'skill://pdf',
    'skill://pdf/nope.md',
    'skill://pdf/../x/notes.md',
    'skill://nope/a.md',
    'skill://pdf/references%2F%C3%BCber%20guide.md',
    'file:///etc/passwd',
    '',
  ])('does not know the URI %j', async (uri) => {
    const { call } = await openToolWorld(pdfWorld(), (repertoire) => readSkillFileTool(repertoire));
    expect(await call({ uri })).toMatchObject({ isError: true, text: expect.stringContaining('list_skills') });
  });

  test.each([
    {},
    { skill: 'pdf' },
    { path: 'logo.png' },
    { uri: 'skill://pdf/logo.png', skill: 'pdf' },
    { uri: 'skill://pdf/logo.png', path: 'logo.png' },
    { uri: 1 },
    { skill: 'pdf', path: ['logo.png'] },
    { skill: 'pdf', path: 'logo.png', more: 1 },
  ])('refuses %j, and says what to send', async (input) => {
    const { call } = await openToolWorld(pdfWorld(), (repertoire) => readSkillFileTool(repertoire));
    const { isError, text } = await call(input);
    expect(isError).toBe(true);
    expect(text).toContain('{ "skill": "…", "path": "references/guide.md" }');
  });

  test('does not know a skill that is not there', async () => {
    const { call } = await openToolWorld(pdfWorld(), (repertoire) => readSkillFileTool(repertoire));
    expect(await call({ skill: 'nope', path: 'x' })).toMatchObject({
      isError: true,
      text: "Skill 'nope' not found: call list_skills to see every name",
    });
  });

  test('says why a file that is gone since cannot be read, without a path of this machine', async () => {
    const world = pdfWorld();
    const { call, catalog } = await openToolWorld(world, (repertoire) => readSkillFileTool(repertoire));
    await catalog.loadManifests();
    world.remove('root/pdf/logo.png');
    const { isError, text } = await call({ uri: 'skill://pdf/logo.png' });
    expect([isError, text]).toEqual([true, "Cannot read 'logo.png': it is not one of the files of the skill"]);
  });

  test('names at most 50 files', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    for (let index = 0; index < 60; index += 1) world.write(`root/a/f${index}`, '');
    const { call } = await openToolWorld(world, (repertoire) => readSkillFileTool(repertoire));
    expect((await call({ skill: 'a', path: 'x' })).text).toContain(', … 61 in all');
  });
});
