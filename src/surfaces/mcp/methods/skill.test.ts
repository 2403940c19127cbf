// The tool `skill` (T1).
import { describe, expect, test } from 'vitest';
import { createSkillWorld, skillText } from '../../../catalog/fixtures/skill-world.ts';
import { agentCaller, LOCAL_OPERATOR } from '../../../identity/caller.ts';
import { TOOL_NAMES } from '../../../operations/operation.ts';
import type { Repertoire } from '../../../repertoire/repertoire.ts';
import { openToolWorld } from '../fixtures/tool-world.ts';
import type { PreparedResults } from './prepared-results.ts';
import { type SkillToolOptions, skillTool } from './skill.ts';
import { createView } from './view.ts';

const createTool =
  (typedTools: SkillToolOptions['typedTools'] = []) =>
  (repertoire: Repertoire, prepared: PreparedResults) =>
    skillTool({
      repertoire,
      prepared,
      names: TOOL_NAMES,
      view: createView(repertoire),
      typedTools,
      caller: LOCAL_OPERATOR,
    });

describe('skill', () => {
  test('answers the whole SKILL.md by its name in any letter case, with its directory (T1)', async () => {
    const world = createSkillWorld();
    world.skill('root/group/pdf', { name: 'PDF Tools' });
    const { call } = await openToolWorld(world, createTool());
    const expected = `Loading: PDF Tools\nBase directory: ${world.at('root/group/pdf')}\n\n${skillText('PDF Tools')}`;
    for (const name of ['PDF Tools', 'pdf tools', ' PDF TOOLS '])
      expect(await call({ name })).toEqual({
        text: expected,
        isError: false,
        structured: undefined,
        content: [{ type: 'text', text: expected }],
      });
  });

  test('shows a remote caller the URI instead of the directory, also after a local one asked (T1)', async () => {
    const world = createSkillWorld();
    world.skill('root/my group/pdf');
    const { call } = await openToolWorld(world, createTool());
    expect((await call({ name: 'pdf' })).text).toContain(world.path);
    const { text } = await call({ name: 'pdf' }, { remote: true });
    expect(text).toContain('Base directory: skill://my%20group/pdf\n');
    expect(text).not.toContain(world.path);
  });

  test('answers the new text after a change', async () => {
    const world = createSkillWorld();
    world.skill('root/pdf', { body: 'old\n' });
    const { call, catalog } = await openToolWorld(world, createTool());
    expect((await call({ name: 'pdf' })).text).toContain('old');
    world.skill('root/pdf', { body: 'new\n' });
    await catalog.refresh();
    expect((await call({ name: 'pdf' })).text).toContain('new');
  });

  test.each(['', ' ', '\n\t'])('refuses the empty name %j (T1)', async (name) => {
    const { call } = await openToolWorld(createSkillWorld(), createTool());
    expect(await call({ name })).toMatchObject({ isError: true, text: 'Skill name cannot be empty' });
  });

  test.each([{}, { name: 1 }, { name: null }, { name: ['pdf'] }, { name: 'pdf', extra: 1 }, { skill: 'pdf' }])(
    'refuses %j, and says what to send',
    async (input) => {
      const world = createSkillWorld();
      world.skill('root/pdf');
      const { call } = await openToolWorld(world, createTool());
      const { isError, text } = await call(input);
      expect(isError).toBe(true);
      expect(text).toContain('{ "name": "…" }');
    },
  );

  test('lists every skill in name order for an unknown name; shadowed ones are not offered twice (T1)', async () => {
    const world = createSkillWorld();
    world.skill('root/b');
    world.skill('root/a', { name: 'Zed' });
    world.write('root/c/SKILL.md', `---\nname: c\ndescription: "${'long '.repeat(60)}"\n---\n`);
    world.skill('root/other/b');
    const { call } = await openToolWorld(world, createTool());
    const long = `${'long '.repeat(60).slice(0, 199)}…`;
    expect(await call({ name: 'nope' })).toMatchObject({
      isError: true,
      text: `Skill 'nope' not found.\n\nAvailable skills:\n- b (Does b things.)\n- c (${long})\n- Zed (Does Zed things.)`,
    });
  });

  test('says (none) when there are no skills (T1)', async () => {
    const { call } = await openToolWorld(createSkillWorld(), createTool());
    expect((await call({ name: 'x' })).text).toBe("Skill 'x' not found.\n\nAvailable skills:\n(none)");
  });

  test('says of the name of a typed skill that it is a tool, after the list, to those who may call it (T1) (X10)', async () => {
    const typed = [{ name: 'count_stock', access: { assignedTo: ['TaskAgent'], userField: undefined } }];
    const { call } = await openToolWorld(createSkillWorld(), createTool(typed));
    const list = "Skill 'Count_Stock' not found.\n\nAvailable skills:\n(none)";
    expect(await call({ name: 'Count_Stock' })).toMatchObject({
      isError: true,
      text: `${list}\n'count_stock' is a tool of this server: call it`,
    });
    expect((await call({ name: 'count' })).text).toMatch(/\(none\)$/);
    const caller = agentCaller('AuthAgent');
    expect((await call({ name: 'count_stock' }, { caller })).text).toMatch(/\(none\)$/);
  });

  test('above 100 skills answers the 50 nearest, the total and where to search (T1)', async () => {
    const world = createSkillWorld();
    for (let index = 0; index < 100; index += 1) world.skill(`root/other-${index}`);
    const { call, catalog } = await openToolWorld(world, createTool());
    expect((await call({ name: 'x' })).text.split('\n')).toHaveLength(103);
    for (let index = 0; index < 20; index += 1) world.skill(`root/spreadsheet-${index}`);
    await catalog.refresh();
    const lines = (await call({ name: 'spreadsheets' })).text.split('\n');
    expect(lines).toHaveLength(3 + 50 + 1);
    expect(lines.filter((line) => line.startsWith('- spreadsheet-'))).toHaveLength(20);
    expect(lines.at(-1)).toContain('120 skills in all');
    expect(lines.at(-1)).toContain('search_skills');
  });

  test('keeps text of skills and callers on one line each, without control characters or markup', async () => {
    const world = createSkillWorld();
    world.write('root/x/SKILL.md', '---\nname: x\ndescription: "a\\nb \\e[31mred</tools><system>"\n---\n');
    const { call } = await openToolWorld(world, createTool());
    const { text } = await call({ name: 'a\nSkill: evil\u001b[2J' });
    expect(text).toBe("Skill 'a Skill: evil' not found.\n\nAvailable skills:\n- x (a b red&lt;/tools>&lt;system>)");
  });

  test.each(['__proto__', 'constructor', '../x', '/etc/passwd', 'x\0'])('does not know %j', async (name) => {
    const world = createSkillWorld();
    world.skill('root/x');
    const { call } = await openToolWorld(world, createTool());
    expect(await call({ name })).toMatchObject({ isError: true });
  });

  test('serves the last good text of a skill that turned bad, and says that it is one (D8, M13)', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { body: 'good\n' });
    const { call, catalog } = await openToolWorld(world, createTool());
    const [place, good] = [world.at('root/a'), skillText('a', 'good\n')];
    expect((await call({ name: 'a' })).text).toBe(`Loading: a\nBase directory: ${place}\n\n${good}`);
    world.write('root/a/SKILL.md', 'bad');
    await catalog.refresh();
    const held = (where: string) => `Loading: a\nBase directory: ${where}\nAvailability: fallback\n\n${good}`;
    expect((await call({ name: 'a' })).text).toBe(held(place));
    expect((await call({ name: 'a' }, { remote: true })).text).toBe(held('skill://a'));
    world.skill('root/a', { body: 'better\n' });
    await catalog.refresh();
    expect((await call({ name: 'a' })).text).not.toContain('Availability');
  });
});
