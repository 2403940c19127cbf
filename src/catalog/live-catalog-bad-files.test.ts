// What a catalog serves while its files are bad, change or go: the last good text, and bytes of one state.
import { appendFileSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../document/manifest.ts';
import { asStrangerAsync } from './fixtures/as-stranger.ts';
import { getSkill, namesIn, openTestCatalog, rulesIn } from './fixtures/open-test-catalog.ts';
import { createSkillWorld } from './fixtures/skill-world.ts';
import { contentOf } from './view/skill.ts';

test('a root that may not be listed is called unreadable, not found, with and without skills from before (D1)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  const root = world.at('root');
  const opened = await openTestCatalog([root]);
  const closed = await asStrangerAsync(world, root, () => openTestCatalog([root]));
  expect(closed.roots).toMatchObject([{ state: 'unreadable', skills: 0 }]);
  await asStrangerAsync(world, root, () => opened.refresh());
  expect(opened.roots).toMatchObject([{ state: 'unreadable', skills: 1 }]);
  await opened.refresh();
  expect(opened.roots).toMatchObject([{ state: 'found', skills: 1 }]);
});

describe('a skill that turns bad after it was good (D8)', () => {
  test('keeps its last good text as a fallback with a problem, and recovers', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { body: 'good\n' });
    const catalog = await openTestCatalog([world.at('root')]);
    world.write('root/a/SKILL.md', '---\nname: a\n---\nno description\n');
    await catalog.refresh();
    expect(getSkill(catalog, 'a')).toMatchObject({ availability: 'fallback' });
    expect(contentOf(getSkill(catalog, 'a'))).toContain('good');
    expect(rulesIn(catalog)).toEqual(['description-missing a/SKILL.md', 'serving-last-good a/SKILL.md']);
    expect(catalog.current.findFolder('a')).toMatchObject({ text: getSkill(catalog, 'a').bytes });
    // Its manifest is of the text that is served (R2).
    expect(catalog.manifestOf(getSkill(catalog, 'a')).files[0]?.digest).toBe(digestOf(getSkill(catalog, 'a').bytes));
    world.skill('root/a', { body: 'better\n' });
    await catalog.refresh();
    expect(getSkill(catalog, 'a')).toMatchObject({ availability: 'available' });
    expect(contentOf(getSkill(catalog, 'a'))).toContain('better');
    expect(rulesIn(catalog)).toEqual([]);
  });

  test('keeps it while the file or its folder may not be read', async () => {
    const world = createSkillWorld();
    const folder = world.skill('root/a');
    const catalog = await openTestCatalog([world.at('root')]);
    appendFileSync(world.at('root/a/SKILL.md'), 'so that it is read again\n');
    for (const closed of [world.at('root/a/SKILL.md'), folder]) {
      await asStrangerAsync(world, closed, () => catalog.refresh());
      expect(getSkill(catalog, 'a').availability).toBe('fallback');
      expect(catalog.current.problems.length).toBeGreaterThan(0);
    }
    await catalog.refresh();
    expect(getSkill(catalog, 'a').availability).toBe('available');
    expect(rulesIn(catalog)).toEqual([]);
  });

  test('goes away when it is deleted, also from the fallback', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openTestCatalog([world.at('root')]);
    world.write('root/a/SKILL.md', '');
    await catalog.refresh();
    expect(namesIn(catalog)).toEqual(['a']);
    world.remove('root/a/SKILL.md');
    await catalog.refresh();
    expect(namesIn(catalog)).toEqual([]);
    expect(catalog.current.findFolder('a')).toEqual({ failure: 'no-skill-file' });
  });
});

test('a link to a skill beside it is no second skill and no problem; it is found by its own name, too (T6)', async () => {
  const world = createSkillWorld();
  world.skill('root/real', { body: 'the text\n' });
  world.link('root/alias', 'real');
  world.write('root/no-frontmatter/SKILL.md', 'plain\n');
  world.link('root/group/plain', '../no-frontmatter');
  const catalog = await openTestCatalog([world.at('root')]);
  expect(namesIn(catalog)).toEqual(['real']);
  expect(rulesIn(catalog)).not.toContainEqual(expect.stringContaining('alias'));
  expect(catalog.current.findFolder('alias')).toEqual(catalog.current.findFolder('real'));
  expect(catalog.current.findFolder('plain')).toMatchObject({ text: Buffer.from('plain\n') });
  world.remove('root/alias');
  await catalog.refresh();
  expect(catalog.current.findFolder('alias')).toBeUndefined();
});

describe('readFile()', () => {
  test('reads SKILL.md as it is served, and a supporting file as it is on disk', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { file: 'skill.md' });
    world.write('root/a/data.bin', Uint8Array.of(1, 0, 255));
    const catalog = await openTestCatalog([world.at('root')]);
    const skill = getSkill(catalog, 'a');
    expect(await catalog.readFile(skill, 'skill.md')).toEqual({ ok: true, value: skill.bytes });
    expect(await catalog.readFile(skill, 'data.bin')).toEqual({ ok: true, value: Buffer.from([1, 0, 255]) });
  });

  test.each(['nothing', '../b/SKILL.md', '/etc/passwd', '', '.', 'deep', 'deep/../x.md', 'x.md\0'])(
    'answers that %j is no file of the skill',
    async (path) => {
      const world = createSkillWorld();
      world.skill('root/a');
      world.skill('root/b');
      world.write('root/a/deep/x.md', '');
      world.write('root/a/x.md', '');
      const catalog = await openTestCatalog([world.at('root')]);
      expect(await catalog.readFile(getSkill(catalog, 'a'), path)).toMatchObject({ ok: false });
    },
  );

  test('looks again when the file changed since its digest was taken: bytes and digest are of one state (R2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/notes.md', 'one');
    const catalog = await openTestCatalog([world.at('root')]);
    const skill = getSkill(catalog, 'a');
    catalog.manifestOf(skill);
    // An old time, as archives keep it: only the digest tells that it is another state.
    utimesSync(world.write('root/a/notes.md', 'two, longer'), new Date(1e9), new Date(1e9));
    expect(await catalog.readFile(skill, 'notes.md')).toEqual({ ok: true, value: Buffer.from('two, longer') });
    const now = catalog.manifestOf(getSkill(catalog, 'a')).files.find(({ path }) => path === 'notes.md');
    expect(now?.digest).toBe(digestOf(Buffer.from('two, longer')));
  });

  test('tells that a file is gone, or became a link that leads out', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/notes.md', 'one');
    world.write('root/a/other.md', 'one');
    const catalog = await openTestCatalog([world.at('root')]);
    catalog.manifestOf(getSkill(catalog, 'a'));
    world.remove('root/a/notes.md');
    expect(await catalog.readFile(getSkill(catalog, 'a'), 'notes.md')).toMatchObject({ ok: false });
    world.remove('root/a/other.md');
    world.link('root/a/other.md', world.write('outside/secret', 'SECRET'));
    expect(await catalog.readFile(getSkill(catalog, 'a'), 'other.md')).toMatchObject({ ok: false });
  });
});

test('loadManifests() tells about skills with too many files (PROTOCOL)', async () => {
  const world = createSkillWorld();
  world.skill('root/a');
  for (let index = 0; index < 512; index += 1) world.write(`root/a/f${index}`, '');
  const catalog = await openTestCatalog([world.at('root')]);
  expect(getSkill(catalog, 'a').listable).toBe(true);
  await catalog.loadManifests();
  expect(getSkill(catalog, 'a').listable).toBe(false);
  expect(rulesIn(catalog)).toEqual(['too-many-files a/SKILL.md']);
  expect(catalog.logged).toEqual(['Refreshed: 0 added, 1 changed, 0 removed; 1 skill, 1 problem']);
});
