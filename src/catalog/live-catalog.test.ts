// The live holder: fresh, whole at every moment, and never worse off than its last good state.
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stopTime, until } from '../../tests/support/stopped-time.ts';
import { digestOf } from '../document/manifest.ts';
import type { Catalog } from './catalog.ts';
import {
  coldView,
  fullViewOf,
  getSkill,
  namesIn,
  openTestCatalog,
  openUnaskedCatalog,
  openWatchedCatalog,
  rulesIn,
  testRoot,
} from './fixtures/open-test-catalog.ts';
import { createSkillWorld, skillText } from './fixtures/skill-world.ts';
import { openCatalogEarly } from './live-catalog.ts';
import { changedMs } from './scan/safe-read.ts';
import { contentOf } from './view/skill.ts';

describe('openLiveCatalog()', () => {
  test('serves every root, one bad skill beside all good ones', async () => {
    const world = createSkillWorld();
    world.skill('one/a');
    world.write('one/bad/SKILL.md', '---\nname: [\n---\n');
    world.fifo('one/fifo/SKILL.md');
    world.skill('two/b');
    const catalog = await openTestCatalog([world.at('one'), world.at('missing'), world.at('two')]);
    expect(namesIn(catalog)).toEqual(['a', 'b']);
    expect(rulesIn(catalog)).toEqual(['frontmatter-invalid bad/SKILL.md', 'not-a-file fifo/SKILL.md']);
    expect(catalog.roots.map(({ state, skills, watching }) => [state, skills, watching])).toEqual([
      ['found', 1, 'off'],
      ['missing', 0, 'off'],
      ['found', 1, 'off'],
    ]);
  });

  test('reports a root that may not be searched', async () => {
    const world = createSkillWorld();
    world.link('project/.claude/skills', world.folder('other'));
    const catalog = await openTestCatalog([testRoot(world.at('project/.claude/skills'), world.at('project'))]);
    expect(catalog.current.problems).toMatchObject([{ rule: 'link-outside', path: '.' }]);
    expect(catalog.roots).toMatchObject([{ state: 'refused', skills: 0 }]);
  });

  test('follows links into --allow-links directories, also when those are given by a link', async () => {
    const world = createSkillWorld();
    world.link('root/c', world.skill('outside/c'));
    world.link('allowed', 'outside');
    const catalog = await openTestCatalog([world.at('root')], { allowLinks: [world.at('allowed')] });
    expect(namesIn(catalog)).toEqual(['c']);
  });

  test('opened early it knows every skill but nested ones, and those when it is whole', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    world.skill('root/outer/inner');
    const options = {
      roots: [testRoot(world.at('root'))],
      allowLinks: [],
      without: [],
      watch: false,
      rescanMs: 30_000,
    };
    const catalog = await openCatalogEarly({ ...options, now: () => new Date(), log: () => undefined });
    expect([catalog.isWhole, catalog.current.skills.length]).toEqual([false, 1]);
    await catalog.whole();
    expect([catalog.isWhole, catalog.current.skills.map(({ uri }) => uri)]).toEqual([
      true,
      ['skill://outer/inner/SKILL.md', 'skill://outer/SKILL.md'],
    ]);
    catalog.close();
  });
});

describe('a watched catalog', () => {
  test('sees an edit, a new skill and a deleted one, and says so in one line each (D6)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.skill('root/b');
    const catalog = await openWatchedCatalog([world.at('root')]);
    const changes: string[] = [];
    catalog.subscribe(({ added, changed, removed, snapshot }) => {
      // The new state is in place when listeners hear of it.
      expect(snapshot).toBe(catalog.current);
      changes.push(`+${added} ~${changed} -${removed}`);
    });
    world.skill('root/a', { body: 'edited\n' });
    await expect.poll(() => contentOf(getSkill(catalog, 'a'))).toContain('edited');
    world.skill('root/group/c');
    await expect.poll(() => namesIn(catalog)).toEqual(['a', 'b', 'c']);
    world.remove('root/b');
    await expect.poll(() => namesIn(catalog)).toEqual(['a', 'c']);
    expect(changes).toEqual(['+ ~skill://a/SKILL.md -', '+skill://group/c/SKILL.md ~ -', '+ ~ -skill://b/SKILL.md']);
    expect(catalog.logged).toEqual([
      'Refreshed: 0 added, 1 changed, 0 removed; 2 skills, 0 problems',
      'Refreshed: 1 added, 0 changed, 0 removed; 3 skills, 0 problems',
      'Refreshed: 0 added, 0 changed, 1 removed; 2 skills, 0 problems',
    ]);
    expect(catalog.roots).toMatchObject([{ state: 'found', watching: 'watched' }]);
  });

  test('says nothing when nothing that is served changed', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openWatchedCatalog([world.at('root'), world.at('root/.')]);
    world.skill('root/a');
    world.write('root/readme.txt', 'beside the skills');
    await catalog.refresh();
    expect(catalog.logged).toEqual([]);
    // When this is seen, what happened before it was.
    world.skill('root/b');
    await expect.poll(() => namesIn(catalog)).toEqual(['a', 'b']);
    expect(catalog.logged).toEqual(['Refreshed: 1 added, 0 changed, 0 removed; 2 skills, 0 problems']);
  });

  test('says nothing of a skill inside another one that is found last when it starts (D2, D6)', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    world.skill('root/outer/inner');
    const catalog = await openWatchedCatalog([world.at('root')]);
    expect(namesIn(catalog)).toEqual(['inner', 'outer']);
    expect(catalog.logged).toEqual([]);
  });

  test('says what changed between its first look and the one inside skills (D6)', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    world.skill('root/outer/inner');
    world.skill('root/gone');
    const logged: string[] = [];
    const catalog = await openUnaskedCatalog([world.at('root')], { log: (line) => logged.push(line) });
    world.remove('root/gone');
    await catalog.whole();
    expect(namesIn(catalog)).toEqual(['inner', 'outer']);
    expect(logged).toEqual(['Refreshed: 1 added, 0 changed, 1 removed; 2 skills, 0 problems']);
  });

  test('of two overlapping roots no refresh that finds nothing new is a change', async () => {
    const world = createSkillWorld();
    world.skill('root/b/x');
    const catalog = await openTestCatalog([world.at('root'), world.at('root/b')]);
    await catalog.refresh();
    await catalog.refresh();
    expect(catalog.logged).toEqual([]);
    expect(namesIn(catalog)).toEqual(['x']);
  });

  test('sees what changed between its first scan and its first watcher', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openTestCatalog([world.at('root')], { watch: true });
    world.skill('root/a', { body: 'edited\n' });
    world.skill('root/new');
    await expect.poll(() => namesIn(catalog)).toEqual(['a', 'new']);
    await expect.poll(() => contentOf(getSkill(catalog, 'a'))).toContain('edited');
  });

  test('sees a change of a supporting file, deep in the skill, as a change of the skill (R2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/deep/er/notes.md', 'one');
    const catalog = await openWatchedCatalog([world.at('root')]);
    const digest = () =>
      catalog.manifestOf(getSkill(catalog, 'a')).files.find(({ path }) => path.endsWith('notes.md'))?.digest;
    expect(digest()).toBe(digestOf(Buffer.from('one')));
    const before = getSkill(catalog, 'a');
    writeFileSync(world.at('root/a/deep/er/notes.md'), 'two');
    await expect.poll(() => getSkill(catalog, 'a')).not.toBe(before);
    expect(digest()).toBe(digestOf(Buffer.from('two')));
  });

  test('follows a folder that was removed and made anew at once, for later changes, too (F7)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openWatchedCatalog([world.at('root')]);
    world.remove('root/a');
    world.skill('root/a', { body: 'second life\n' });
    await expect.poll(() => contentOf(getSkill(catalog, 'a'))).toContain('second life');
    writeFileSync(world.at('root/a/SKILL.md'), skillText('a', 'edited in it\n'));
    await expect.poll(() => contentOf(getSkill(catalog, 'a'))).toContain('edited in it');
  });

  test('finds a root that appears, goes and comes back, and one that is put in its place (F7)', async () => {
    const world = createSkillWorld();
    const catalog = await openWatchedCatalog([world.at('root')]);
    world.skill('root/a');
    await expect.poll(() => namesIn(catalog)).toEqual(['a']);
    world.remove('root');
    await expect.poll(() => namesIn(catalog)).toEqual([]);
    world.skill('other/b');
    renameSync(world.at('other'), world.at('root'));
    await expect.poll(() => namesIn(catalog)).toEqual(['b']);
    world.skill('root/c');
    await expect.poll(() => namesIn(catalog)).toEqual(['b', 'c']);
  });

  test('sees what a link leads to go and come back, though nothing happens beside the link (F7)', async () => {
    const world = createSkillWorld();
    world.skill('second/z');
    world.link('root/z', '../second/z');
    world.link('root/y', '../outside/y');
    const roots = [world.at('root'), world.at('second')];
    const options = { allowLinks: [world.folder('outside')] };
    const catalog = await openWatchedCatalog(roots, options);
    expect(rulesIn(catalog)).toEqual(['link-broken y']);
    world.remove('second/z');
    await expect.poll(() => rulesIn(catalog)).toEqual(['link-broken y', 'link-broken z']);
    expect(namesIn(catalog)).toEqual([]);
    world.skill('second/z', { body: 'again\n' });
    world.skill('outside/y');
    await expect.poll(() => namesIn(catalog)).toEqual(['y', 'z']);
    const cold = await coldView(roots, options);
    await expect.poll(() => fullViewOf(catalog)).toEqual(cold);
  });

  test('follows a skill that is moved, and one whose folder becomes a file', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.skill('root/b');
    const catalog = await openWatchedCatalog([world.at('root')]);
    renameSync(world.at('root/a'), world.at('root/moved'));
    await expect.poll(() => getSkill(catalog, 'a').uri).toBe('skill://moved/SKILL.md');
    world.remove('root/b');
    world.write('root/b', 'now a file');
    await expect.poll(() => namesIn(catalog)).toEqual(['a']);
  });

  test('sees a text without frontmatter change, though no skill did (T6)', async () => {
    const world = createSkillWorld();
    world.write('root/a/SKILL.md', '# one\n');
    const catalog = await openWatchedCatalog([world.at('root')]);
    world.write('root/a/SKILL.md', '# two\n');
    await expect.poll(() => catalog.current.findFolder('a')).toMatchObject({ text: Buffer.from('# two\n') });
  });

  test('knows that a skill came to lie inside another', async () => {
    const world = createSkillWorld();
    world.skill('root/group/a');
    const catalog = await openWatchedCatalog([world.at('root')]);
    expect(getSkill(catalog, 'a').isNested).toBe(false);
    world.skill('root/group');
    await expect.poll(() => namesIn(catalog)).toEqual(['a', 'group']);
    expect(getSkill(catalog, 'a').isNested).toBe(true);
    expect(await fullViewOf(catalog)).toEqual(await coldView([world.at('root')]));
  });

  test('is quiet once it is closed', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openWatchedCatalog([world.at('root')]);
    const open = await openWatchedCatalog([world.at('root')]);
    catalog.close();
    world.skill('root/b');
    await expect.poll(() => namesIn(open)).toEqual(['a', 'b']);
    expect(namesIn(catalog)).toEqual(['a']);
  });

  test('goes on when a listener fails, and tells it in a line', async () => {
    const world = createSkillWorld();
    const catalog = await openWatchedCatalog([world.folder('root')]);
    const stop = catalog.subscribe(() => {
      throw new Error('listener');
    });
    world.skill('root/a');
    await expect.poll(() => catalog.logged).toContain('Cannot refresh the skills: listener');
    stop();
    world.skill('root/b');
    await expect.poll(() => namesIn(catalog)).toEqual(['a', 'b']);
  });
});

test('a start in the middle of a write that goes on serves the whole text, and none of its parts (F8)', async () => {
  const world = createSkillWorld();
  const text = skillText('slow', `${'some words '.repeat(200)}the end\n`);
  const { write, pass, now } = createSlowWriter(world.at('root/slow/SKILL.md'));
  world.folder('root/slow');
  write(text.slice(0, 300));
  let opened: Catalog | undefined;
  const opening = openTestCatalog([world.at('root')], { watch: true, now }).then((catalog) => {
    opened = catalog;
  });
  await pass(75);
  write(text.slice(0, 900));
  // It looks at the disk after 90 ms, and gives a text that ends in the middle of a line 90 more.
  await pass(15);
  await pass(60);
  expect(opened).toBeUndefined();
  write(text);
  while (opened === undefined) await pass(15);
  expect(opened.current.skills.map(contentOf)).toEqual([text]);
  await opening;
});

/** Time passes only when it says so: on a busy machine a writer that is held up would look like one that is done. */
function createSlowWriter(path: string) {
  const time = stopTime();
  let written = { atMs: 0, passedMs: 0 };
  return {
    write: (part: string) => {
      writeFileSync(path, part);
      written = { atMs: changedMs(statSync(path)), passedMs: time.passedMs() };
    },
    /** While the catalog looks at the disk no time passes. */
    pass: async (milliseconds: number) => {
      await until(() => time.waiting() === 1);
      await time.pass(milliseconds);
    },
    /** By the time of the file, which the system gives it. */
    now: () => new Date(written.atMs + time.passedMs() - written.passedMs),
  };
}
