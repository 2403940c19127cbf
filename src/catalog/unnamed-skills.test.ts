// A readable SKILL.md without a usable name or description: found by its folder, served by its URI (T2).
import { describe, expect, test } from 'vitest';
import { openTestCatalog, rulesIn } from './fixtures/open-test-catalog.ts';
import { createSkillWorld } from './fixtures/skill-world.ts';
import type { Snapshot } from './view/snapshot.ts';

const foldersIn = ({ unnamed }: Snapshot) => unnamed.map(({ name, uri }) => `${name} ${uri}`);

describe('unnamed skills (T2, M2)', () => {
  test.each([
    ['frontmatter-missing', '# Calculator Skill\n\nAdds.\n'],
    ['name-missing', '---\ndescription: Adds.\n---\n# Calculator Skill\n'],
    ['description-missing', '---\nname: calculator\n---\n# Calculator Skill\n'],
    ['description-missing', '---\nname: calculator\ndescription: " "\n---\n# Calculator Skill\n'],
    ['name-like-path', '---\nname: ../up\ndescription: Adds.\n---\n# Calculator Skill\n'],
    ['name-hidden-character', '---\nname: "a\u200Bb"\ndescription: Adds.\n---\n# Calculator Skill\n'],
    ['frontmatter-unclosed', '---\nname: calculator\n\n# Calculator Skill\n'],
    ['frontmatter-invalid', '---\nname: [calculator\n---\n# Calculator Skill\n'],
  ])('%s is a warning, and the text is found by its folder', async (rule, text) => {
    const world = createSkillWorld();
    world.write('root/group/calculator/SKILL.MD', text);
    const { current } = await openTestCatalog([world.at('root')]);
    expect(current.problems).toMatchObject([{ rule, severity: 'warning', path: 'group/calculator/SKILL.MD' }]);
    expect(current.skills).toEqual([]);
    expect(current.findByName('calculator')).toBeUndefined();
    const uri = 'skill://group/calculator/SKILL.md';
    expect(current.unnamed).toMatchObject([
      { name: 'calculator', description: 'Calculator Skill', uri, isUnnamed: true, listable: false },
    ]);
    expect(current.findByUri(uri)).toBe(current.unnamed[0]);
    expect(current.findByUri(uri)?.bytes.toString('utf8')).toBe(text);
    expect(current.findFolder('Calculator')).toMatchObject({ skill: current.unnamed[0] });
  });

  test('an empty, unreadable or too large file is an error, and is not among them', async () => {
    const world = createSkillWorld();
    world.write('root/empty/SKILL.md', ' \n');
    world.write('root/bytes/SKILL.md', Uint8Array.of(0xff));
    world.write('root/large/SKILL.md', Buffer.alloc(1_048_577, 'a'));
    world.folder('root/folder/SKILL.md');
    const { current } = await openTestCatalog([world.at('root')]);
    expect(current.unnamed).toEqual([]);
    expect(current.problems.map(({ severity }) => severity)).toEqual(['error', 'error', 'error', 'error']);
    expect(current.findByUri('skill://large/SKILL.md')).toBeUndefined();
  });

  test('a named skill whose file loses its frontmatter is held, not among them (D8)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const catalog = await openTestCatalog([world.at('root')]);
    world.write('root/a/SKILL.md', '# A\n');
    const { unnamed, skills, problems } = await catalog.refresh();
    expect([unnamed.length, skills[0]?.availability]).toEqual([0, 'fallback']);
    expect(problems.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['frontmatter-missing', 'error'],
      ['serving-last-good', 'warning'],
    ]);
  });

  test('one that gets its frontmatter is a named skill; each change is told by its URI', async () => {
    const world = createSkillWorld();
    world.write('root/a/SKILL.md', '# A\n');
    const catalog = await openTestCatalog([world.at('root')]);
    const told: unknown[] = [];
    catalog.subscribe(({ added, changed, removed }) => told.push([added, changed, removed]));
    const uri = 'skill://a/SKILL.md';
    world.write('root/a/SKILL.md', '# Another\n');
    expect((await catalog.refresh()).unnamed[0]?.description).toBe('Another');
    world.skill('root/a');
    expect(foldersIn(await catalog.refresh())).toEqual([]);
    expect(catalog.current.findByName('a')?.uri).toBe(uri);
    world.remove('root/a');
    await catalog.refresh();
    world.write('root/a/SKILL.md', '# A\n');
    await catalog.refresh();
    world.remove('root/a');
    await catalog.refresh();
    expect(told).toEqual([
      [[], [uri], []],
      [[], [uri], []],
      [[], [], [uri]],
      [[uri], [], []],
      [[], [], [uri]],
    ]);
    expect(catalog.current.findByUri(uri)).toBeUndefined();
  });

  test('at one path a named skill comes before it, then the first root; the loser is reported', async () => {
    const world = createSkillWorld();
    world.write('one/a/SKILL.md', '# One\n');
    world.write('two/a/SKILL.md', '# Two\n');
    world.write('one/b/SKILL.md', '# One\n');
    world.skill('two/b');
    const catalog = await openTestCatalog([world.at('one'), world.at('two')]);
    const { current } = catalog;
    expect(current.unnamed.map(({ description }) => description)).toEqual(['One']);
    expect(current.findByUri('skill://b/SKILL.md')).toBe(current.findByName('b'));
    expect(rulesIn(catalog)).toEqual([
      'frontmatter-missing a/SKILL.md',
      'frontmatter-missing b/SKILL.md',
      'frontmatter-missing a/SKILL.md',
      'shadowed b/SKILL.md',
      'shadowed a/SKILL.md',
    ]);
  });

  test('a folder whose name only looks like that of a skill is not served, nor one with hidden characters (D3, D5)', async () => {
    const world = createSkillWorld();
    world.skill('root/paypal');
    world.write('root/раураl/SKILL.md', '# PayPal\n');
    world.write('root/stripe/SKILL.md', '# Stripe\n');
    world.write('root/ѕtripe/SKILL.md', '# Stripe\n');
    world.write('root/a\u200Bb/SKILL.md', '# Hidden\n');
    world.write('root/a..b/SKILL.md', '# Dots\n');
    const { current } = await openTestCatalog([world.at('root')]);
    expect(foldersIn(current)).toEqual(['stripe skill://stripe/SKILL.md']);
    const errors = current.problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule, path }) => `${rule} ${path}`).sort()).toEqual([
      'frontmatter-missing a..b/SKILL.md',
      'frontmatter-missing a\u200Bb/SKILL.md',
      'look-alike раураl/SKILL.md',
      'look-alike ѕtripe/SKILL.md',
    ]);
    expect(current.findByUri(encodeURI('skill://раураl/SKILL.md'))).toBeUndefined();
  });

  test('is in name order, left out by --without, and has its files', async () => {
    const world = createSkillWorld();
    for (const name of ['b', 'A', 'c']) world.write(`root/${name}/SKILL.md`, `# ${name}\n`);
    world.write('root/b/notes.txt', 'notes');
    const catalog = await openTestCatalog([world.at('root')], { without: ['c'] });
    expect(foldersIn(catalog.current)).toEqual(['A skill://A/SKILL.md', 'b skill://b/SKILL.md']);
    const [, b] = catalog.current.unnamed;
    if (b === undefined) throw new Error('b is not found');
    expect(catalog.manifestOf(b).files.map(({ path, uri }) => [path, uri])).toEqual([
      ['SKILL.md', 'skill://b/SKILL.md'],
      ['notes.txt', 'skill://b/notes.txt'],
    ]);
    expect(await catalog.readFile(b, 'notes.txt')).toMatchObject({ ok: true, value: Buffer.from('notes') });
  });
});
