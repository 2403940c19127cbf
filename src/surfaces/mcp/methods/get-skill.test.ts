// The tool `get_skill`, by URI (T4) and by folder name (T6).
import { describe, expect, test } from 'vitest';
import { asStrangerAsync } from '../../../catalog/fixtures/as-stranger.ts';
import { createSkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { openToolWorld } from '../fixtures/tool-world.ts';
import { getSkillTool } from './get-skill.ts';

const LIMIT = 1_048_576;

describe('get_skill by uri (T4)', () => {
  test('answers the URI and the Markdown as text, and the bare text in structured content', async () => {
    const world = createSkillWorld();
    world.skill('root/my group/pdf');
    const { call } = await openToolWorld(world, getSkillTool);
    const uri = 'skill://my%20group/pdf/SKILL.md';
    for (const asked of [uri, 'skill://my%20group/%70df/SKILL.md'])
      expect(await call({ uri: asked })).toMatchObject({
        isError: false,
        text: `${uri}\n\n${skillText('pdf')}`,
        structured: { uri, mimeType: 'text/markdown', text: skillText('pdf') },
      });
  });

  test.each(['', '  ', 'pdf', 'http://x/SKILL.md', 'file:///etc/passwd', 'skill:/pdf/SKILL.md'])(
    'refuses %j with the expected format and the way to the list',
    async (uri) => {
      const { call } = await openToolWorld(createSkillWorld(), getSkillTool);
      const { isError, text, structured } = await call({ uri });
      expect([isError, structured]).toEqual([true, undefined]);
      expect(text).toContain('skill://<folder>/SKILL.md');
      expect(text).toContain('list_skills');
    },
  );

  test.each([
    'skill://nope/SKILL.md',
    'skill://pdf',
    'skill://pdf/../pdf/SKILL.md',
    'skill://pdf/%2e%2e/SKILL.md',
    'skill://../../etc/passwd',
    'skill://pdf%2FSKILL.md',
    'skill://pdf/SKILL.md#x',
    'skill://pdf/SKILL.md%00',
    'skill://%ff/SKILL.md',
    'skill://',
  ])('does not know %s, and names the tool that lists (T4)', async (uri) => {
    const world = createSkillWorld();
    world.skill('root/pdf');
    const { call } = await openToolWorld(world, getSkillTool);
    const { isError, text } = await call({ uri });
    expect(isError).toBe(true);
    expect(text).toContain('list_skills');
    expect(text).not.toContain(world.path);
  });

  test('names read_skill_file for the URI of a supporting file', async () => {
    const world = createSkillWorld();
    world.skill('root/pdf');
    world.write('root/pdf/notes.md', 'x');
    const { call } = await openToolWorld(world, getSkillTool);
    expect(await call({ uri: 'skill://pdf/notes.md' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('read_skill_file'),
    });
  });

  // How fast is measured in bench/measures/big.ts.
  test('answers a 1 MB text, the first time and again (T7)', async () => {
    const world = createSkillWorld();
    const head = skillText('big', '');
    world.write('root/big/SKILL.md', head + 'x'.repeat(LIMIT - head.length));
    const { call } = await openToolWorld(world, getSkillTool);
    for (const input of [{ uri: 'skill://big/SKILL.md' }, { skill_name: 'big' }, { uri: 'skill://big/SKILL.md' }]) {
      expect((await call(input)).isError).toBe(false);
    }
  });
});

describe('get_skill takes exactly one of uri and skill_name (T3)', () => {
  test.each([
    {},
    { uri: 'skill://a/SKILL.md', skill_name: 'a' },
    { uri: 1 },
    { skill_name: null },
    { uri: ['a'] },
    { skill_name: 'a', extra: true },
    { name: 'a' },
  ])('refuses %j, and says what to send', async (input) => {
    const world = createSkillWorld();
    world.skill('root/a');
    const { call } = await openToolWorld(world, getSkillTool);
    const { isError, text } = await call(input);
    expect(isError).toBe(true);
    expect(text).toContain('{ "uri": "skill://…/SKILL.md" } or { "skill_name": "…" }');
  });
});

describe('get_skill by skill_name (T6)', () => {
  test('answers the name as asked and the text, in structured content and as JSON text', async () => {
    const world = createSkillWorld();
    world.write('root/Plain/SKILL.MD', '# No frontmatter: "quotes" and 🎉\n');
    const { call } = await openToolWorld(world, getSkillTool);
    const answer = { skill_name: 'plain', documentation: '# No frontmatter: "quotes" and 🎉\n' };
    const { isError, structured, text } = await call({ skill_name: 'plain' });
    expect({ isError, structured, parsed: JSON.parse(text) }).toEqual({
      isError: false,
      structured: answer,
      parsed: answer,
    });
  });

  test('serves the last good text of a skill that turned bad, and says that it is one (D8, M13)', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { body: 'good\n' });
    const { call, catalog } = await openToolWorld(world, getSkillTool);
    const asked = [{ skill_name: 'a' }, { uri: 'skill://a/SKILL.md' }];
    const before = await Promise.all(asked.map((input) => call(input)));
    expect(before.map(({ meta }) => meta)).toEqual([undefined, undefined]);
    for (const bad of [Uint8Array.of(0xff), 'no frontmatter']) {
      world.write('root/a/SKILL.md', bad);
      await catalog.refresh();
      const held = await Promise.all(asked.map((input) => call(input)));
      // Nothing else about the answer changes.
      expect(held).toEqual(before.map((answer) => ({ ...answer, meta: { 'repertoire/availability': 'fallback' } })));
    }
  });

  test.each(['', '.', '..', '../a', 'a/b', '/a', 'a\\b', 'a..b', '..\0'])(
    'refuses %j before anything else, or does not find it',
    async (name) => {
      const world = createSkillWorld();
      world.skill('root/a');
      const { call } = await openToolWorld(world, getSkillTool);
      const { isError, text, structured } = await call({ skill_name: name });
      const expected =
        name === '.'
          ? `Skill '.' not found in skills folder`
          : `Invalid skill name: '${name}'. Skill names must not contain '/', '\\', or '..'`;
      expect([isError, structured, JSON.parse(text)]).toEqual([true, undefined, { error: expected }]);
    },
  );

  const errorOf = async (build: (world: ReturnType<typeof createSkillWorld>) => void) => {
    const world = createSkillWorld();
    world.folder('root');
    build(world);
    const { call } = await openToolWorld(world, getSkillTool);
    const { isError, text } = await call({ skill_name: 'x' });
    return isError ? JSON.parse(text).error : undefined;
  };

  test('has one exact sentence per failure', async () => {
    expect(await errorOf(() => undefined)).toBe("Skill 'x' not found in skills folder");
    expect(await errorOf((world) => world.folder('root/x'))).toBe("SKILL.MD not found for skill 'x'");
    expect(await errorOf((world) => world.fifo('root/x/SKILL.md'))).toBe("SKILL.MD not found for skill 'x'");
    expect(await errorOf((world) => world.write('root/x/SKILL.md', ''))).toBe("SKILL.MD is empty for skill 'x'");
    expect(await errorOf((world) => world.write('root/x/SKILL.md', ' \n'))).toBe("SKILL.MD is empty for skill 'x'");
    expect(await errorOf((world) => world.write('root/x/SKILL.md', Buffer.alloc(LIMIT + 1, 'a')))).toBe(
      "SKILL.MD too large (>1MB) for skill 'x'",
    );
    expect(await errorOf((world) => world.write('root/x/SKILL.md', Buffer.alloc(3 * LIMIT, 'a')))).toBe(
      "SKILL.MD too large (>1MB) for skill 'x'",
    );
    expect(await errorOf((world) => world.write('root/x/SKILL.md', Buffer.alloc(LIMIT, 'a')))).toBeUndefined();
    expect(await errorOf((world) => world.write('root/x/SKILL.md', Uint8Array.of(0x61, 0xff)))).toBe(
      "SKILL.MD contains invalid UTF-8 for skill 'x'",
    );
  });

  test('says that reading is not permitted', async () => {
    const world = createSkillWorld();
    world.skill('root/x');
    const { call } = await asStrangerAsync(world, world.at('root/x/SKILL.md'), () =>
      openToolWorld(world, getSkillTool),
    );
    const { text } = await call({ skill_name: 'x' });
    expect(JSON.parse(text)).toEqual({ error: "Permission denied reading SKILL.MD for skill 'x'" });
  });
});
