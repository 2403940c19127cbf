// Which skills the host of a client reads by itself: its folders, links of any kind, copies (D10).
import { describe, expect, test } from 'vitest';
import { openTestCatalog } from './fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld } from './fixtures/skill-world.ts';
import { createNativeSkills } from './native-skills.ts';
import { type RootRequest, resolveRoots } from './roots.ts';

/** A project that is a repository, beside a home. */
function createPlaces(): SkillWorld {
  const world = createSkillWorld();
  for (const folder of ['home', 'project/.git', 'project/deep/er']) world.folder(folder);
  return world;
}

const requestIn = (world: SkillWorld, fields: Partial<RootRequest> = {}): RootRequest => ({
  project: world.at('project'),
  home: world.at('home'),
  given: [],
  withDefaults: false,
  workingDirectory: world.at('project'),
  agents: [],
  variables: {},
  ...fields,
});

/** Folders below the world, of the skills that we serve and that are native to Claude Code. */
async function nativeIn(world: SkillWorld, fields: Partial<RootRequest> = {}, client = 'claude-code') {
  const request = requestIn(world, fields);
  const { current } = await openTestCatalog(resolveRoots(request));
  const native = createNativeSkills(request)(current, client);
  const served = current.skills.filter((skill) => native.has(skill));
  return served.map(({ baseDirectory }) => baseDirectory.slice(world.path.length + 1)).sort();
}

describe('createNativeSkills()', () => {
  test("finds the skills of the host's folders in the project, above it up to the repository's top, and at home", async () => {
    const world = createPlaces();
    const own = ['home/.claude/skills/a', 'project/.claude/skills/b', 'project/deep/.claude/skills/c'];
    for (const folder of [...own, 'home/.agents/skills/d', 'project/.agents/skills/e']) world.skill(folder);
    expect(await nativeIn(world, { project: world.at('project/deep/er') })).toEqual(own);
  });

  test('finds nothing for a client that is none of the hosts, and any letter case of one that is', async () => {
    const world = createPlaces();
    world.skill('home/.claude/skills/a');
    expect(await nativeIn(world, {}, 'unknown')).toEqual([]);
    expect(await nativeIn(world, {}, '__proto__')).toEqual([]);
    expect(await nativeIn(world, {}, 'Claude-Code')).toEqual(['home/.claude/skills/a']);
  });

  test("finds them where the host's folder is a link to ours", async () => {
    const world = createPlaces();
    world.skill('project/.agents/skills/a');
    world.link('project/.claude/skills', '../.agents/skills');
    expect(await nativeIn(world)).toEqual(['project/.agents/skills/a']);
  });

  test("finds them where ours is a link to the host's", async () => {
    const world = createPlaces();
    world.skill('project/.claude/skills/a');
    world.link('project/.agents/skills', '../.claude/skills');
    expect(await nativeIn(world)).toEqual(['project/.agents/skills/a']);
  });

  test('finds a single skill that is linked into its folder, or out of it', async () => {
    const world = createPlaces();
    for (const name of ['in', 'other']) world.skill(`project/.agents/skills/${name}`);
    world.link('project/.claude/skills/in', '../../.agents/skills/in');
    world.skill('home/.claude/skills/out');
    world.link('home/.agents/skills/out', '../../.claude/skills/out');
    expect(await nativeIn(world)).toEqual(['home/.agents/skills/out', 'project/.agents/skills/in']);
  });

  test('finds a linked skill also where the folder of the host is none of the roots', async () => {
    const world = createPlaces();
    for (const name of ['in', 'other']) world.skill(`team/${name}`);
    world.link('project/.claude/skills/in', world.at('team/in'));
    world.link('project/.claude/skills/broken', 'nowhere');
    expect(await nativeIn(world, { given: [world.at('team')] })).toEqual(['team/in']);
  });

  test('finds them where a root and a folder of the host that is none are linked, either way', async () => {
    const world = createPlaces();
    world.skill('team/a');
    world.link('project/.claude/skills', world.at('team'));
    world.skill('home/.claude/skills/b');
    world.link('mine', world.at('home/.claude/skills'));
    expect(await nativeIn(world, { given: [world.at('team'), world.at('mine')] })).toEqual(['mine/b', 'team/a']);
  });

  test("finds a copy of the host's own skill, not another skill of the same name", async () => {
    const world = createPlaces();
    for (const root of ['project/.agents/skills', 'home/.claude/skills']) {
      world.skill(`${root}/copy`);
      world.skill(`${root}/differs`, { body: root });
    }
    const native = await nativeIn(world);
    expect(native).toContain('project/.agents/skills/copy');
    expect(native).not.toContain('project/.agents/skills/differs');
  });

  test('finds a copy also where the folder of the host is none of the roots (D10)', async () => {
    const world = createPlaces();
    for (const name of ['copy', 'differs', 'deeper', 'linked', 'other']) world.skill(`team/${name}`);
    world.skill('project/.claude/skills/copy');
    world.skill('project/.claude/skills/differs', { body: 'Another text.' });
    world.skill('project/.claude/skills/group/deeper');
    // Not a file of the host's folder: a link out of it proves nothing.
    world.folder('project/.claude/skills/linked');
    world.link('project/.claude/skills/linked/SKILL.md', world.at('team/linked/SKILL.md'));
    expect(await nativeIn(world, { given: [world.at('team')] })).toEqual(['team/copy']);
    expect(await nativeIn(world, { given: [world.at('team')] }, 'copilot-cli')).toEqual(['team/copy']);
    expect(await nativeIn(world, { given: [world.at('team')] }, 'codex')).toEqual([]);
  });

  test('leaves out what lies deeper in the folder: the host does not look there', async () => {
    const world = createPlaces();
    for (const folder of ['a', 'a/inner', 'group/b']) world.skill(`home/.claude/skills/${folder}`);
    expect(await nativeIn(world)).toEqual(['home/.claude/skills/a']);
  });

  test('follows the variable that moves the folder', async () => {
    const world = createPlaces();
    world.skill('home/.claude/skills/a');
    world.skill('moved/skills/b');
    const fields = { given: [world.at('moved/skills'), world.at('home/.claude/skills')] };
    const variables = { CLAUDE_CONFIG_DIR: world.at('moved') };
    expect(await nativeIn(world, { ...fields, variables })).toEqual(['moved/skills/b']);
  });

  test('answers the same set until the skills change, then a new one', async () => {
    const world = createPlaces();
    world.skill('home/.claude/skills/a');
    const request = requestIn(world);
    const catalog = await openTestCatalog(resolveRoots(request));
    const findNative = createNativeSkills(request);
    const first = findNative(catalog.current, 'claude-code');
    expect(findNative(catalog.current, 'claude-code')).toBe(first);
    world.skill('home/.claude/skills/b');
    await catalog.refresh();
    expect(findNative(catalog.current, 'claude-code').size).toBe(2);
  });

  test('sees a link that was made later in a folder that is none of the roots, once the skills have changed', async () => {
    const world = createPlaces();
    for (const name of ['a', 'b']) world.skill(`team/${name}`);
    world.link('project/.claude/skills/a', world.at('team/a'));
    const request = requestIn(world, { given: [world.at('team')] });
    const catalog = await openTestCatalog(resolveRoots(request));
    const findNative = createNativeSkills(request);
    const names = () => [...findNative(catalog.current, 'claude-code')].map(({ name }) => name);
    expect(names()).toEqual(['a']);
    world.skill('team/c');
    await catalog.refresh();
    expect(names()).toEqual(['a']);
    world.link('project/.claude/skills/b', world.at('team/b'));
    await catalog.refresh();
    expect(names()).toEqual(['a', 'b']);
  });
});
