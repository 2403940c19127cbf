// Where a root really is, and which ones are refused.
import { describe, expect, test } from 'vitest';
import { asStranger } from '../fixtures/as-stranger.ts';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import { createSkillWorld } from '../fixtures/skill-world.ts';
import { locateRoot, realOf } from './root.ts';

describe('locateRoot()', () => {
  test('finds a folder, also behind links, as its real path', () => {
    const world = createSkillWorld();
    const real = world.folder('real');
    expect(locateRoot(testRoot(real), [])).toMatchObject({ state: 'found', real });
    expect(locateRoot(testRoot(world.link('link', 'real')), [])).toMatchObject({ state: 'found', real });
  });

  test('a missing root, or a link to nothing, is no error (D1)', () => {
    const world = createSkillWorld();
    expect(locateRoot(testRoot(world.at('nothing')), [])).toEqual({ state: 'missing' });
    expect(locateRoot(testRoot(world.link('link', 'nothing')), [])).toEqual({ state: 'missing' });
    expect(locateRoot(testRoot(`${world.write('file', '')}/skills`), [])).toEqual({ state: 'missing' });
  });

  test('a file, and a folder behind a closed door, cannot be searched', () => {
    const world = createSkillWorld();
    const unreadable = { state: 'unreadable', issue: { rule: 'root-unreadable' } };
    expect(locateRoot(testRoot(world.write('file', '')), [])).toMatchObject(unreadable);
    world.folder('door/root');
    const place = asStranger(world, world.at('door'), () => locateRoot(testRoot(world.at('door/root')), []));
    expect(place).toMatchObject(unreadable);
  });

  test("a project's root may not be a link that leaves the project, unless it is allowed", () => {
    const world = createSkillWorld();
    const other = world.folder('other');
    const evil = world.folder('project-evil');
    const project = world.folder('project');
    const root = testRoot(world.link('project/.claude/skills', other), project);
    expect(locateRoot(root, [])).toMatchObject({ state: 'refused', issue: { rule: 'link-outside' } });
    expect(locateRoot(root, [other])).toMatchObject({ state: 'found', real: other });
    // The same link given by a person is followed: it is theirs.
    expect(locateRoot(testRoot(root.path), [])).toMatchObject({ state: 'found', real: other });
    const alike = testRoot(world.link('project/.agent/skills', evil), project);
    expect(locateRoot(alike, [])).toMatchObject({ state: 'refused' });
  });

  test("a project's root may be a link inside the project, also when the project itself is reached by a link", () => {
    const world = createSkillWorld();
    const real = world.folder('project/.agents/skills');
    world.link('project/.claude/skills', '../.agents/skills');
    world.link('work', 'project');
    const root = testRoot(world.at('work/.claude/skills'), world.at('work'));
    expect(locateRoot(root, [])).toMatchObject({ state: 'found', real });
  });

  test('a link to the whole disk is refused, the disk itself when named is not', () => {
    const world = createSkillWorld();
    expect(locateRoot(testRoot(world.link('disk', '/')), [])).toMatchObject({ state: 'refused' });
    expect(locateRoot(testRoot('/'), [])).toMatchObject({ state: 'found', real: '/' });
  });
});

test('realOf() is the path itself while nothing is there', () => {
  const world = createSkillWorld();
  expect(realOf(world.at('nothing'))).toBe(world.at('nothing'));
  expect(realOf(world.link('link', world.folder('real')))).toBe(world.at('real'));
});
