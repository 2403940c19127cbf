// What is kept between two refreshes, and what is not.
import { describe, expect, test } from 'vitest';
import { testRoot } from '../fixtures/open-test-catalog.ts';
import { scanWorld } from '../fixtures/scan-world.ts';
import { createSkillWorld, type SkillWorld } from '../fixtures/skill-world.ts';
import type { Folder } from '../scan/folder.ts';
import { FoundFolders } from './found-folders.ts';

const createFolders = () => new FoundFolders([], () => new Date());

async function firstFolder(world: SkillWorld, previous?: Folder): Promise<{ top: Folder; first: Folder }> {
  const { folder } = await scanWorld(world, { previous });
  const [first] = folder.folders;
  if (first === undefined) throw new Error('nothing was found');
  return { top: folder, first };
}

function skillOf(folders: FoundFolders, root: ReturnType<typeof testRoot>, folder: Folder) {
  const { skill } = folders.describe(root, folder);
  if (skill === undefined) throw new Error(`${folder.path} is no skill`);
  return skill;
}

describe('describe()', () => {
  test('gives the same skill while nothing about it changed, also after a new scan', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const root = testRoot(world.at('root'));
    const folders = createFolders();
    const { top, first } = await firstFolder(world);
    const skill = skillOf(folders, root, first);
    const again = await firstFolder(world, top);
    expect(again.first).not.toBe(first);
    expect(skillOf(folders, root, again.first)).toBe(skill);
  });

  test('gives another skill when its text changed', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const root = testRoot(world.at('root'));
    const folders = createFolders();
    const { top, first } = await firstFolder(world);
    const skill = skillOf(folders, root, first);
    world.skill('root/a', { body: 'changed\n' });
    const again = await firstFolder(world, top);
    expect(skillOf(folders, root, again.first)).not.toBe(skill);
  });

  test('gives another skill when a file of it changed, came or went, once its files were asked for', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/notes.md', 'one');
    const root = testRoot(world.at('root'));
    const folders = createFolders();
    let { top, first } = await firstFolder(world);
    let skill = skillOf(folders, root, first);
    folders.recordsOf(skill);
    const change = async () => {
      ({ top, first } = await firstFolder(world, top));
      const next = skillOf(folders, root, first);
      const changed = next !== skill;
      skill = next;
      return changed;
    };
    expect(await change()).toBe(false);
    world.write('root/a/notes.md', 'two');
    expect(await change()).toBe(true);
    world.write('root/a/deep/new.md', 'new');
    expect(await change()).toBe(true);
    world.remove('root/a/notes.md');
    expect(await change()).toBe(true);
    expect(folders.recordsOf(skill).files.map(({ path }) => path)).toEqual(['SKILL.md', 'deep/new.md']);
  });

  test('keeps what a folder means in two overlapping roots apart', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const folders = createFolders();
    const { first } = await firstFolder(world);
    const [one, two] = [testRoot('/one'), testRoot('/two')];
    const [first1, second1] = [skillOf(folders, one, first), skillOf(folders, two, first)];
    expect([first1.source, second1.source]).toEqual(['/one', '/two']);
    expect([skillOf(folders, one, first), skillOf(folders, two, first)]).toEqual([first1, second1]);
    expect(skillOf(folders, one, first)).toBe(first1);
  });
});

describe('recordsOf()', () => {
  test('makes too many files an issue of the skill', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    for (let index = 0; index < 512; index += 1) world.write(`root/a/f${index}`, '');
    const root = testRoot(world.at('root'));
    const folders = createFolders();
    const { first } = await firstFolder(world);
    const skill = skillOf(folders, root, first);
    expect(skill.listable).toBe(true);
    expect(folders.recordsOf(skill).files).toHaveLength(513);
    expect(folders.describe(root, first).skill).toMatchObject({
      listable: false,
      issues: [{ rule: 'too-many-files' }],
    });
    // The earlier value still has its files and folder.
    expect(folders.recordsOf(skill).files).toHaveLength(513);
    expect(folders.folderOf(skill)).toBe(first);
  });

  test('has nothing of a skill that went away, or was never here', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const root = testRoot(world.at('root'));
    const folders = createFolders();
    const { first } = await firstFolder(world);
    const skill = skillOf(folders, root, first);
    folders.keepOnly(new Set([first.path]), new Set([root]));
    expect(folders.folderOf(skill)).toBe(first);
    folders.keepOnly(new Set(), new Set([root]));
    expect(folders.folderOf(skill)).toBeUndefined();
    expect(folders.recordsOf(skill)).toEqual({ files: [], complete: false });
    expect(createFolders().recordsOf(skill)).toEqual({ files: [], complete: false });
  });

  test('keeps nothing of a root that another took the place of, although its folders are still there (D6, L4)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const [before, after] = [testRoot(world.at('root')), testRoot(world.at('root'))];
    const folders = createFolders();
    const { first } = await firstFolder(world);
    const [old, now] = [skillOf(folders, before, first), skillOf(folders, after, first)];
    folders.keepOnly(new Set([first.path]), new Set([after]));
    expect(skillOf(folders, after, first)).toBe(now);
    expect(skillOf(folders, before, first)).not.toBe(old);
    // One who still has it reads its files.
    expect(folders.folderOf(old)).toBe(first);
  });
});

describe('knownRecordsAt()', () => {
  test('knows nothing of a state whose files were not asked for: digests of the last one would go with the times of this', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const root = testRoot(world.at('root'));
    const folders = createFolders();
    const { top, first } = await firstFolder(world);
    const records = folders.recordsOf(skillOf(folders, root, first));
    expect(folders.knownRecordsAt(root, first)).toBe(records);
    world.skill('root/a', { body: 'changed\n' });
    const again = await firstFolder(world, top);
    expect(folders.knownRecordsAt(root, again.first)).toBeUndefined();
    folders.describe(root, again.first);
    expect(folders.knownRecordsAt(root, again.first)?.files[0]?.digest).not.toBe(records.files[0]?.digest);
  });
});
