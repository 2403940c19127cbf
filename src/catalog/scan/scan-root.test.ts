// What a scan finds: which folders are skills, what is left out and why, and that a partial scan equals a whole one.
import { renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { monotonicMs } from '../../async/monotonic-clock.ts';
import { asStrangerAsync } from '../fixtures/as-stranger.ts';
import { allFolders, scanWorld, skillLines, treeOf } from '../fixtures/scan-world.ts';
import { createSkillWorld, skillText } from '../fixtures/skill-world.ts';
import { ChangeSet } from './change-set.ts';
import { findStamp } from './safe-read.ts';

describe('scanRoot() finds', () => {
  test('skill folders in any letter case of SKILL.md, and in categories (D2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.skill('root/b', { file: 'SKILL.MD' });
    world.skill('root/group/c', { file: 'skill.md' });
    world.write('root/none/README.md', 'no skill');
    const { folder } = await scanWorld(world);
    expect(skillLines(folder)).toEqual(['a = a', 'b = b', 'group/c = c']);
  });

  test('SKILL.md where several spellings are present; the others are supporting files (D2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { name: 'right' });
    world.skill('root/a', { name: 'wrong', file: 'skill.md' });
    const { folder } = await scanWorld(world);
    expect(skillLines(folder)).toEqual(['a = right']);
    expect(folder.folders[0]?.files).toEqual(['SKILL.md', 'skill.md']);
  });

  test('skills down to depth 6 and no deeper (D2)', async () => {
    const world = createSkillWorld();
    world.skill('root/1/2/3/4/5/six');
    world.skill('root/1/2/3/4/5/6/seven');
    expect(skillLines((await scanWorld(world)).folder)).toEqual(['1/2/3/4/5/six = six']);
  });

  test('a skill one step too deep, and says so; nothing else there is worth a word (D2)', async () => {
    const world = createSkillWorld();
    world.skill('root/1/2/3/4/5/6/seven', { file: 'skill.md' });
    world.link('root/1/2/3/4/5/6/seven/link', '/nowhere');
    world.skill('root/1/2/3/4/5/6/node_modules');
    world.write('root/1/2/3/4/5/6/notes/x.md', 'x');
    world.skill('root/1/2/3/4/5/6/7/eight');
    const { folder } = await scanWorld(world);
    expect(skillLines(folder)).toEqual([]);
    const issues = allFolders(folder).flatMap((each) =>
      each.issues.map(({ name, issue }) => `${each.relative}: ${name} ${issue.rule}`),
    );
    expect(issues).toEqual(['1/2/3/4/5/6/seven: skill.md too-deep']);
  });

  test('inside a skill a SKILL.md that lies too deep is one of its files, and no issue (D2)', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    world.skill('root/outer/2/3/4/5/6/seven');
    const folders = allFolders((await scanWorld(world)).folder);
    expect(folders.flatMap(({ issues }) => issues)).toEqual([]);
    expect(folders.at(-1)?.files).toEqual(['SKILL.md']);
  });

  test('no skill in .git and node_modules, at any depth (D2)', async () => {
    const world = createSkillWorld();
    world.skill('root/.git/x');
    world.skill('root/group/node_modules/pkg/y');
    world.skill('root/node_modules');
    world.skill('root/.hidden');
    world.skill('root/node_modules_not');
    expect(skillLines((await scanWorld(world)).folder)).toEqual([
      '.hidden = .hidden',
      'node_modules_not = node_modules_not',
    ]);
  });

  test('no skill in the root itself', async () => {
    const world = createSkillWorld();
    world.write('root/SKILL.md', skillText('root'));
    world.skill('root/a');
    expect(skillLines((await scanWorld(world)).folder)).toEqual(['a = a']);
  });

  test('a skill inside another skill, which keeps its files, those of .git and beyond depth 6 included (D2)', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    world.skill('root/outer/inner');
    world.write('root/outer/.git/config', 'x');
    world.skill('root/outer/node_modules/pkg');
    world.write('root/outer/1/2/3/4/5/6/7/8/deep.md', 'x');
    world.skill('root/outer/1/2/3/4/5/6/7/no');
    const { folder } = await scanWorld(world);
    expect(skillLines(folder)).toEqual(['outer = outer', 'outer/inner = inner']);
    const withFiles = allFolders(folder).filter(({ files }) => files.length > 0);
    expect(withFiles.map(({ relative, files, inside }) => [relative, ...files, inside])).toEqual([
      ['outer', 'SKILL.md', undefined],
      ['outer/.git', 'config', world.at('root/outer')],
      ['outer/1/2/3/4/5/6/7/8', 'deep.md', world.at('root/outer')],
      ['outer/1/2/3/4/5/6/7/no', 'SKILL.md', world.at('root/outer')],
      ['outer/inner', 'SKILL.md', world.at('root/outer')],
      ['outer/node_modules/pkg', 'SKILL.md', world.at('root/outer')],
    ]);
  });

  test('only the one child that was asked for', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.skill('root/b');
    const root = { path: world.at('root'), real: world.at('root'), inode: 0, only: 'b' };
    expect(skillLines((await scanWorld(world, { root })).folder)).toEqual(['b = b']);
  });

  test('the same order of folders and files, whatever the disk says: by code points (D5, F15)', async () => {
    const world = createSkillWorld();
    for (const name of ['b', 'é', 'B', '🎉', 'a10', 'a2', '\uff21']) world.skill(`root/${name}`);
    const { folder } = await scanWorld(world);
    expect(folder.folders.map(({ name }) => name)).toEqual(['B', 'a10', 'a2', 'b', 'é', '\uff21', '🎉']);
  });

  test('__proto__ and constructor as folders and names', async () => {
    const world = createSkillWorld();
    world.skill('root/__proto__');
    world.skill('root/constructor');
    expect(skillLines((await scanWorld(world)).folder)).toEqual(['__proto__ = __proto__', 'constructor = constructor']);
  });
});

describe('scanRoot() leaves out', () => {
  test('FIFOs and folders named SKILL.md without waiting, and links that lead out, with a reason', async () => {
    const world = createSkillWorld();
    world.fifo('root/fifo/SKILL.md');
    world.folder('root/folder/SKILL.md');
    world.skill('outside/x');
    world.link('root/out', world.at('outside/x'));
    world.link('root/disk', '/');
    world.skill('root/good');
    const { folder } = await scanWorld(world);
    expect(skillLines(folder)).toEqual(['good = good']);
    expect(folder.issues.map(({ name, issue }) => `${name}: ${issue.rule}`)).toEqual([
      'disk: link-outside',
      'out: link-outside',
    ]);
    const failures = folder.folders.map(({ name, skill }) => [name, skill?.failure]);
    expect(failures).toEqual([
      ['fifo', 'not-a-file'],
      ['folder', 'not-a-file'],
      ['good', undefined],
    ]);
  });

  test('a link inside a skill that leaves it, but not the skill (DESIGN 8)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.link('root/a/secret', world.write('outside/secret', 'x'));
    const { folder } = await scanWorld(world);
    expect(skillLines(folder)).toEqual(['a = a']);
    expect(folder.folders[0]?.files).toEqual(['SKILL.md']);
    expect(folder.folders[0]?.issues.map(({ issue }) => issue.rule)).toEqual(['link-leaves-skill']);
  });

  test('what is behind a closed door, keeping what it held before (D8)', async () => {
    const world = createSkillWorld();
    const closed = world.skill('root/a');
    const { folder: previous } = await scanWorld(world);
    const job = { previous };
    const { folder } = await asStrangerAsync(world, closed, () => scanWorld(world, job));
    expect(folder.folders[0]).toMatchObject({ unreadable: true, issues: [{ issue: { rule: 'folder-unreadable' } }] });
    expect(skillLines(folder)).toEqual(['a = a']);
    const first = await asStrangerAsync(world, closed, () => scanWorld(world));
    expect(skillLines(first.folder)).toEqual([]);
  });
});

describe('scanRoot() again', () => {
  test('gives the same values for folders in which nothing happened, and lists only those that were named', async () => {
    const world = createSkillWorld();
    world.skill('root/group/a');
    world.skill('root/group/b');
    world.skill('root/other/c');
    const { folder: previous } = await scanWorld(world);
    world.skill('root/group/a', { body: 'changed\n' });
    const set = new ChangeSet();
    set.add(world.at('root/group/a'), 'SKILL.md');
    const listed: string[] = [];
    const { folder } = await scanWorld(world, {
      previous,
      changes: set.take(),
      beforeListing: ({ relative }) => {
        listed.push(relative);
        return undefined;
      },
    });
    expect(listed).toEqual(['group/a']);
    expect(folder.folders[1]).toBe(previous.folders[1]);
    expect(folder.folders[0]?.folders[1]).toBe(previous.folders[0]?.folders[1]);
    expect(treeOf(folder)).toEqual(treeOf((await scanWorld(world)).folder));
  });

  test('lists everything below a root that was put in the place of another, whatever it is told of (D6)', async () => {
    const world = createSkillWorld();
    for (const place of ['root', 'aside']) for (const skill of ['a', 'group/b']) world.skill(`${place}/${skill}`);
    world.skill('aside/group/c');
    const { folder: previous } = await scanWorld(world);
    renameSync(world.at('root'), world.at('before'));
    renameSync(world.at('aside'), world.at('root'));
    const set = new ChangeSet();
    set.addFolder(world.at('root/a'));
    const { folder } = await scanWorld(world, { previous, changes: set.take() });
    expect(skillLines(folder)).toEqual(['a = a', 'group/b = b', 'group/c = c']);
  });

  test('lists everything below a folder that was put in the place of another', async () => {
    const world = createSkillWorld();
    world.skill('root/a/deep/x');
    world.skill('aside/deep/y');
    const { folder: previous } = await scanWorld(world);
    renameSync(world.at('root/a'), world.at('gone'));
    renameSync(world.at('aside'), world.at('root/a'));
    const set = new ChangeSet();
    set.add(world.at('root'), 'a');
    const { folder } = await scanWorld(world, { previous, changes: set.take() });
    expect(skillLines(folder)).toEqual(['a/deep/y = y']);
  });

  test('sees that a category became a skill and its folders supporting files', async () => {
    const world = createSkillWorld();
    world.skill('root/a/b');
    world.write('root/a/node_modules/x.js', '');
    const { folder: previous } = await scanWorld(world);
    expect(allFolders(previous).map(({ relative }) => relative)).toEqual(['', 'a', 'a/b']);
    world.skill('root/a');
    const set = new ChangeSet();
    set.add(world.at('root/a'), 'SKILL.md');
    const { folder } = await scanWorld(world, { previous, changes: set.take() });
    expect(treeOf(folder)).toEqual(treeOf((await scanWorld(world)).folder));
    expect(allFolders(folder).map(({ relative }) => relative)).toEqual(['', 'a', 'a/b', 'a/node_modules']);
  });

  test('believes stamps when no event said that files changed, and finds new ones all the same', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const { folder: previous } = await scanWorld(world);
    world.skill('root/a', { name: 'renamed' });
    world.skill('root/new');
    const { folder } = await scanWorld(world, { previous });
    expect(skillLines(folder)).toEqual(['a = renamed', 'new = new']);
  });

  test('holds a text back that looks unfinished, and says when to look again (F8)', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { body: 'a long body\n'.repeat(20) });
    const { folder: previous } = await scanWorld(world);
    world.write('root/a/SKILL.md', '---\nname: a\n');
    const writtenAt = findStamp(world.at('root/a/SKILL.md'))?.mtimeMs ?? 0;
    const asItWasWritten = () => new Date(writtenAt);
    const { folder, again } = await scanWorld(world, { previous, heldBackSince: new Map(), now: asItWasWritten });
    expect(folder.folders[0]?.skill).toBe(previous.folders[0]?.skill);
    expect([...again.keys()]).toEqual([world.at('root/a')]);
    expect(again.get(world.at('root/a'))).toBeGreaterThan(100);
    // After long enough it is believed: an editor left it like this.
    const now = () => new Date(Date.now() + 1_000);
    const later = await scanWorld(world, {
      previous,
      heldBackSince: new Map([[world.at('root/a'), monotonicMs() - 1_000]]),
      now,
    });
    expect(later.folder.folders[0]?.skill?.text?.document).toBeUndefined();
    expect(later.again.size).toBe(0);
  });
});

test('scanRoot() opens the YAML reader only when a text needs it', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  let opened = 0;
  const openYaml = async () => {
    opened += 1;
    return () => ({ fields: { name: 'from yaml', description: 'd' } });
  };
  await scanWorld(world, { openYaml });
  expect(opened).toBe(0);
  world.write('root/b/SKILL.md', '---\nname: b\ndescription: >\n  folded\n---\n');
  world.write('root/c/SKILL.md', '---\nname: c\ndescription: |\n  kept\n---\n');
  const { folder } = await scanWorld(world, { openYaml });
  expect(opened).toBe(1);
  expect(skillLines(folder)).toEqual(['a = a', 'b = from yaml', 'c = from yaml']);
});
