// Every kind of link a scan can meet (DESIGN 8).
import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asStranger } from '../fixtures/as-stranger.ts';
import { folderValue } from '../fixtures/folder-value.ts';
import { openWatchedCatalog } from '../fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld, skillText } from '../fixtures/skill-world.ts';
import { contentOf } from '../view/skill.ts';
import { decideLink, type LinkDecision, type LinkRules } from './links.ts';

const rulesOf = (world: SkillWorld, allowLinks: readonly string[] = []): LinkRules => ({
  fence: [world.folder('root'), world.folder('second'), ...allowLinks],
  allowLinks,
});
const ruleOf = (decision: LinkDecision) => (decision.take === 'nothing' ? decision.issue?.rule : decision.take);

describe('decideLink() outside any skill', () => {
  test('follows a link to a skill folder in the same or another root', () => {
    const world = createSkillWorld();
    const rules = rulesOf(world);
    const root = folderValue(world.at('root'), { depth: 0 });
    const here = world.skill('root/group/a');
    const there = world.skill('second/b');
    world.link('root/a', 'group/a');
    world.link('root/b', there);
    expect(decideLink(root, 'a', rules)).toMatchObject({ take: 'folder', target: { real: here } });
    expect(decideLink(root, 'b', rules)).toMatchObject({ take: 'folder', target: { real: there } });
  });

  test('reports a link that leads outside the roots, with the remedy, and follows it under --allow-links', () => {
    const world = createSkillWorld();
    const outside = world.skill('outside/c');
    const root = folderValue(world.folder('root'), { depth: 0 });
    world.link('root/c', outside);
    const decision = decideLink(root, 'c', rulesOf(world));
    expect(decision).toMatchObject({ take: 'nothing', issue: { rule: 'link-outside', severity: 'warning' } });
    expect(decision.take === 'nothing' && decision.issue?.fix).toContain('--allow-links');
    expect(decideLink(root, 'c', rulesOf(world, [world.at('outside')]))).toMatchObject({
      take: 'folder',
      target: { real: outside },
    });
  });

  test('is not taken in by a folder whose name only starts like a root', () => {
    const world = createSkillWorld();
    world.link('root/c', world.skill('root-evil/c'));
    expect(ruleOf(decideLink(folderValue(world.at('root')), 'c', rulesOf(world)))).toBe('link-outside');
  });

  test('never follows a link to a folder that contains it, to the root itself or to the whole disk', () => {
    const world = createSkillWorld();
    const folder = folderValue(world.folder('root/a'));
    world.link('root/a/up', '..');
    world.link('root/a/self', '.');
    world.link('root/a/disk', '/');
    expect(ruleOf(decideLink(folder, 'up', rulesOf(world)))).toBe('link-loop');
    expect(ruleOf(decideLink(folder, 'self', rulesOf(world)))).toBe('link-loop');
    expect(ruleOf(decideLink(folder, 'disk', rulesOf(world)))).toBe('link-outside');
  });

  test('comes to an end in a maze of links', () => {
    const world = createSkillWorld();
    world.link('root/x', world.folder('second/y'));
    const rules = rulesOf(world);
    expect(ruleOf(decideLink(folderValue(world.at('root'), { links: 2 }), 'x', rules))).toBe('folder');
    expect(ruleOf(decideLink(folderValue(world.at('root'), { links: 3 }), 'x', rules))).toBe('link-loop');
  });

  test('says that a link is broken, runs in a circle or leads behind a closed door', () => {
    const world = createSkillWorld();
    const root = folderValue(world.folder('root'));
    world.link('root/gone', 'nothing');
    world.link('root/circle', 'circle');
    world.folder('door/in');
    world.link('root/hidden', world.at('door/in'));
    const rules = rulesOf(world);
    expect(ruleOf(decideLink(root, 'gone', rules))).toBe('link-broken');
    expect(ruleOf(decideLink(root, 'circle', rules))).toBe('link-broken');
    const decision = asStranger(world, world.at('door'), () => decideLink(root, 'hidden', rules));
    expect(ruleOf(decision)).toBe('link-unreadable');
  });

  test('passes over links to files and to what is neither file nor folder, without a word', () => {
    const world = createSkillWorld();
    const root = folderValue(world.folder('root'));
    world.link('root/readme', world.write('outside/readme', ''));
    world.link('root/fifo', world.fifo('outside/fifo'));
    expect(decideLink(root, 'readme', rulesOf(world))).toEqual({ take: 'nothing', issue: undefined });
    expect(decideLink(root, 'fifo', rulesOf(world))).toEqual({ take: 'nothing', issue: undefined });
  });
});

describe('decideLink() inside a skill', () => {
  const skillFolder = (path: string) => folderValue(path, { skillFileName: 'SKILL.md' });

  test('lists a link to a file of the same skill, also from a folder below', () => {
    const world = createSkillWorld();
    const skill = skillFolder(world.skill('root/a'));
    world.write('root/a/notes.md', '');
    world.link('root/a/alias.md', 'notes.md');
    world.link('root/a/deep/alias.md', '../notes.md');
    const deep = folderValue(world.at('root/a/deep'), { depth: 2, inside: skill.real });
    expect(decideLink(skill, 'alias.md', rulesOf(world))).toEqual({ take: 'file' });
    expect(decideLink(deep, 'alias.md', rulesOf(world))).toEqual({ take: 'file' });
  });

  test('a link that leaves the skill costs the link, even when it stays in the root, unless allowed', () => {
    const world = createSkillWorld();
    const skill = skillFolder(world.skill('root/a'));
    world.skill('root/b');
    world.write('outside/secret', '');
    world.link('root/a/other', '../b/SKILL.md');
    world.link('root/a/secret', world.at('outside/secret'));
    expect(ruleOf(decideLink(skill, 'other', rulesOf(world)))).toBe('link-leaves-skill');
    expect(ruleOf(decideLink(skill, 'secret', rulesOf(world)))).toBe('link-leaves-skill');
    expect(ruleOf(decideLink(skill, 'secret', rulesOf(world, [world.at('outside')])))).toBe('file');
  });

  test('a link to a folder is not followed, and the reason depends on where it leads', () => {
    const world = createSkillWorld();
    const skill = skillFolder(world.skill('root/a'));
    world.link('root/a/inner', world.folder('root/a/real'));
    world.link('root/a/outer', world.folder('outside'));
    expect(ruleOf(decideLink(skill, 'inner', rulesOf(world)))).toBe('link-not-followed');
    expect(ruleOf(decideLink(skill, 'outer', rulesOf(world)))).toBe('link-leaves-skill');
  });
});

// Changes beyond the end of a link, which no watcher sees (F7).

test('a SKILL.md that is a link is read again when what it leads to changes', async () => {
  const world = createSkillWorld();
  world.write('outside/k2/SKILL.md', skillText('s1', 'one\n'));
  world.folder('root/s1');
  world.link('root/s1/SKILL.md', '../../outside/k2/SKILL.md');
  const catalog = await openWatchedCatalog([world.at('root')], { allowLinks: [world.at('outside')] });
  world.write('outside/k2/SKILL.md', skillText('s1', 'two, and a little longer\n'));
  await expect.poll(() => contentOf(catalog.current.skills[0] as never)).toContain('two');
});

test('a linked folder whose parent moves away is gone, and back with its new text', async () => {
  const world = createSkillWorld();
  world.skill('outside/cat/k1');
  world.folder('root');
  world.link('root/k1', '../outside/cat/k1');
  const catalog = await openWatchedCatalog([world.at('root')], { allowLinks: [world.at('outside')] });
  expect(catalog.current.skills).toHaveLength(1);
  renameSync(world.at('outside/cat'), world.at('outside/cat2'));
  await expect.poll(() => catalog.current.skills).toHaveLength(0);
  world.skill('outside/cat/k1', { body: 'again\n' });
  await expect.poll(() => contentOf(catalog.current.skills[0] as never)).toContain('again');
});

test('a link that was not followed is called broken when what it led to is gone', async () => {
  const world = createSkillWorld();
  world.skill('root/pdf');
  world.skill('root/other');
  world.link('root/pdf/more', '../other');
  const catalog = await openWatchedCatalog([world.at('root')]);
  const rules = () => catalog.current.problems.map(({ rule }) => rule);
  expect(rules()).toEqual(['link-not-followed']);
  world.remove('root/other');
  await expect.poll(() => rules()).toEqual(['link-broken']);
});
