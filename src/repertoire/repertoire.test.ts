// The facade: what each surface gets when it asks for a skill or one of its files.
import { describe, expect, test } from 'vitest';
import { openTestCatalog } from '../catalog/fixtures/open-test-catalog.ts';
import { createSkillWorld, type SkillWorld, skillText } from '../catalog/fixtures/skill-world.ts';
import { digestOf } from '../document/manifest.ts';
import { openRuntime } from '../skills/fixtures/open-runtime.ts';
import { createRepertoire } from './repertoire.ts';

async function open(world: SkillWorld, ...roots: string[]) {
  const catalog = await openTestCatalog((roots.length > 0 ? roots : ['root']).map((root) => world.at(root)));
  return { catalog, repertoire: createRepertoire(catalog) };
}

describe('loading', () => {
  test('finds a skill by name, by URI and by folder, always in the present snapshot', async () => {
    const world = createSkillWorld();
    world.skill('root/folder', { name: 'Name' });
    const { catalog, repertoire } = await open(world);
    const skill = repertoire.loadByName('NAME');
    expect(skill?.name).toBe('Name');
    expect(repertoire.loadByUri('skill://folder/SKILL.md')).toBe(skill);
    expect(repertoire.loadByFolder('folder')).toEqual({
      ok: true,
      value: { skillName: 'folder', documentation: skillText('Name'), availability: 'available' },
    });
    world.skill('root/new');
    await catalog.refresh();
    expect(repertoire.loadByName('new')).toBe(repertoire.snapshot.findByName('new'));
    expect(repertoire.loadByName('new')).toBeDefined();
  });
});

describe('loadByFolder()', () => {
  async function loadByFolder(name: string) {
    const world = createSkillWorld();
    world.skill('root/Folder', { name: 'other' });
    return (await open(world)).repertoire.loadByFolder(name);
  }

  test('answers the name as it was asked for and the whole text (T6)', async () => {
    const value = { skillName: 'FOLDER', documentation: skillText('other'), availability: 'available' };
    expect(await loadByFolder('FOLDER')).toEqual({ ok: true, value });
  });

  test("does not know a skill by its frontmatter's name (T6)", async () => {
    expect(await loadByFolder('other')).toEqual({ ok: false, failure: "Skill 'other' not found in skills folder" });
  });

  test('refuses an unsafe name whole, also where only its first part is shown (T6)', async () => {
    const failure = `Invalid skill name: '${'x'.repeat(1_000)}…'. Skill names must not contain '/', '\\', or '..'`;
    expect(await loadByFolder(`${'x'.repeat(5_000)}/..`)).toEqual({ ok: false, failure });
  });

  test('does not echo an endless name', async () => {
    const failure = `Skill '${'x'.repeat(1_000)}…' not found in skills folder`;
    expect(await loadByFolder('x'.repeat(100_000))).toEqual({ ok: false, failure });
  });
});

describe('manifestOf()', () => {
  test('gives a nested skill as that skill is served: held while its file is broken, or from another root (R2)', async () => {
    const world = createSkillWorld();
    world.skill('root/outer');
    const good = skillText('inner');
    world.write('root/outer/inner/SKILL.md', good);
    const { catalog, repertoire } = await open(world);
    world.write('root/outer/inner/SKILL.md', 'no frontmatter any more, and another length\n');
    await catalog.refresh();
    const outer = repertoire.loadByName('outer');
    if (outer === undefined) throw new Error('it is served');
    const inner = repertoire.manifestOf(outer).files.find((file) => file.path === 'inner/SKILL.md');
    expect(inner).toMatchObject({ uri: 'skill://outer/inner/SKILL.md', digest: digestOf(Buffer.from(good)) });
    const read = await repertoire.readFile({ skill: outer, path: 'inner/SKILL.md' });
    expect(read.ok && read.value.bytes.toString()).toBe(good);
  });
});

describe('findManifestFile()', () => {
  test('gives what manifestOf() has at each path, nested skills included, and SKILL.md under any spelling (R1)', async () => {
    const world = createSkillWorld();
    world.skill('root/a', { file: 'skill.md' });
    world.write('root/a/notes/one.md', '1');
    world.skill('root/a/inner', { file: 'Skill.md' });
    world.write('root/a/inner/data/two.md', '2');
    const { repertoire } = await open(world);
    for (const skill of repertoire.snapshot.skills) {
      const { files } = repertoire.manifestOf(skill);
      expect(files.map(({ path }) => repertoire.findManifestFile({ skill, path }))).toEqual(files);
      expect(repertoire.findManifestFile({ skill, path: 'SKILL.md' })?.uri).toBe(skill.uri);
      for (const path of ['', 'notes', 'nope.md', '../a/skill.md', '__proto__'])
        expect(repertoire.findManifestFile({ skill, path }), path).toBeUndefined();
    }
  });
});

describe('findFile()', () => {
  test('finds each file of a manifest by its URI, and reads the same bytes that its digest names (R1, R2)', async () => {
    const world = createSkillWorld();
    world.skill('root/my group/a');
    world.skill('root/my group/a/inner', { file: 'skill.md' });
    world.write('root/my group/a/.hidden/ü%20 #?.txt', 'odd');
    world.write('root/my group/a/inner/data.bin', Uint8Array.of(0, 255));
    const { repertoire } = await open(world);
    for (const skill of repertoire.snapshot.skills) {
      for (const { uri, digest, size } of repertoire.manifestOf(skill).files) {
        const address = repertoire.findFile(uri);
        if (address === undefined) throw new Error(`${uri} is not found`);
        const read = await repertoire.readFile(address);
        if (!read.ok) throw new Error(`${uri}: ${read.failure}`);
        expect([digestOf(read.value.bytes), read.value.bytes.length, read.value.isText]).toEqual([
          digest,
          size,
          !uri.endsWith('.bin'),
        ]);
      }
    }
  });

  test('gives the innermost skill that the file belongs to', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.skill('root/a/b');
    world.write('root/a/b/x.md', '');
    world.write('root/a/c/y.md', '');
    const { repertoire } = await open(world);
    expect(repertoire.findFile('skill://a/b/x.md')).toMatchObject({ skill: { name: 'b' }, path: 'x.md' });
    expect(repertoire.findFile('skill://a/c/y.md')).toMatchObject({ skill: { name: 'a' }, path: 'c/y.md' });
  });

  test('finds a file although another root has a skill at a path that runs through its folders', async () => {
    const world = createSkillWorld();
    world.skill('one/a');
    world.write('one/a/b/x.md', 'mine');
    world.skill('two/a/b');
    const { repertoire } = await open(world, 'one', 'two');
    expect(repertoire.findFile('skill://a/b/x.md')).toMatchObject({ skill: { name: 'a' }, path: 'b/x.md' });
  });

  test.each(['skill://a', 'skill://a/', 'skill://a/nope', 'skill://a/../a/x.md', 'skill://a%2Fx.md', 'x', ''])(
    'knows no file %j',
    async (uri) => {
      const world = createSkillWorld();
      world.skill('root/a');
      world.write('root/a/x.md', '');
      const { repertoire } = await open(world);
      expect(repertoire.findFile(uri)).toBeUndefined();
    },
  );

  test('knows no file of what is no skill', async () => {
    const world = createSkillWorld();
    world.write('root/plain/x.md', '');
    const { repertoire } = await open(world);
    expect(repertoire.findFile('skill://plain/x.md')).toBeUndefined();
  });
});

describe('readFile()', () => {
  test('describes the bytes that it gives, when the file changed on the way, too (R2)', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    world.write('root/a/x.md', 'short');
    const { repertoire } = await open(world);
    const address = repertoire.findFile('skill://a/x.md');
    if (address === undefined) throw new Error('it is a file of the skill');
    world.write('root/a/x.md', 'much longer than before');
    const read = await repertoire.readFile(address);
    if (!read.ok) throw new Error(read.failure);
    expect(read.value.bytes.toString()).toBe('much longer than before');
    expect(read.value.file).toMatchObject({ size: 23, digest: digestOf(read.value.bytes) });
  });

  test('gives SKILL.md as it is served, and a sentence for what is no file of the skill', async () => {
    const world = createSkillWorld();
    world.skill('root/a');
    const { repertoire } = await open(world);
    const [skill] = repertoire.snapshot.skills;
    if (skill === undefined) throw new Error('there is one skill');
    const read = await repertoire.readFile({ skill, path: 'SKILL.md' });
    expect(read).toMatchObject({ ok: true, value: { file: { uri: 'skill://a/SKILL.md', mimeType: 'text/markdown' } } });
    expect(read.ok && read.value.bytes.toString()).toBe(skillText('a'));
    expect(await repertoire.readFile({ skill, path: 'nope' })).toEqual({
      ok: false,
      failure: 'it is not one of the files of the skill',
    });
  });
});

test('subscribe() hears of changes until it is stopped', async () => {
  const world = createSkillWorld();
  const { catalog, repertoire } = await open(world);
  const heard: string[] = [];
  const stop = repertoire.subscribe(({ added }) => heard.push(...added));
  world.skill('root/a');
  await catalog.refresh();
  stop();
  world.skill('root/b');
  await catalog.refresh();
  expect(heard).toEqual(['skill://a/SKILL.md']);
});

describe('typed skills', () => {
  test('are found by search and run by invoke() where there is a runtime (X2, T13)', async () => {
    const world = createSkillWorld();
    world.skill('root/letters');
    const { runtime } = openRuntime();
    const repertoire = createRepertoire(await openTestCatalog([world.at('root')]), { runtime });
    expect(repertoire.typedSkills).toBe(runtime.skills);
    expect(await repertoire.search('echo')).toMatchObject([{ kind: 'typed', name: 'echo' }]);
    const answer = await repertoire.invoke({ name: 'echo', input: { text: 'hi' } });
    expect(answer).toMatchObject({ success: true, outputPayload: { text: 'hi' } });
  });

  test('are none without a runtime: invoke() answers NOT_FOUND as for any unknown name (X2)', async () => {
    const { repertoire } = await open(createSkillWorld());
    expect(repertoire.typedSkills).toEqual([]);
    expect(await repertoire.invoke({ name: 'echo' })).toMatchObject({
      success: false,
      failure: { code: 'NOT_FOUND', message: 'Resource not found: skill "echo"' },
    });
  });
});
